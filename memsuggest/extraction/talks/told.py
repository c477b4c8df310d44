"""Told: what became clear about a sentence of a talk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction.talks.slots import ended

if TYPE_CHECKING:
    from memsuggest.extraction.talks.in_force import Fixed


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became clear about a sentence: the rule that it gives, or that it gives none."""

    content: str = ""
    """The rule; empty where the sentence says it itself, or is none."""
    before: str = ""
    """The sentence that tells what it is about, verbatim."""
    is_whole: bool = False
    """The sentence says all of the rule itself, and nothing else."""
    is_update: bool = False
    replaces: tuple[str, ...] = ()
    """Ids of the facts that it ends."""
    is_lead: bool = False
    """It only leads up to a rule, speaks of one that is known, or was passed over."""


LEAD = (Told(is_lead=True),)


def ending_told(fixed: Fixed, *, before: str = "") -> Told:
    """Tell that a rule in force is over; `before` is the sentence that tells which."""
    replaces = (fixed.identity,) if fixed.is_all else ()
    return Told(content=ended(fixed.claim), before=before, is_update=True, replaces=replaces)
