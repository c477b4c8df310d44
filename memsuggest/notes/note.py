"""A note, as its assistant wrote it, and the rules that may be taken from it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import Scope


class Verdict(StrEnum):
    """The outcome of a note."""

    SUGGESTED = "suggested"
    PERSONAL = "personal"
    PASSING = "passing"
    REFERENCE = "reference"
    PRIVATE = "private"
    SAID = "said"
    CONTRADICTS = "contradicts"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence of a note that may be a rule."""

    text: str
    line: int
    """From 1, in the file."""
    heading: str = ""
    """The heading that it stands under, where that may say more about it."""
    is_stated: bool = False
    """The assistant put it there as a rule: it needs no further sign of being one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """The contents of a note, as its reader understands them."""

    type: str = ""
    """What the assistant calls it (`feedback`, `project`, `reference`, `user`); empty where it says nothing."""
    title: str = ""
    description: str = ""
    statements: tuple[Statement, ...] = ()
    session_id: str = ""
    """The session that it comes from, where it says so."""
    modified: str = ""
    """When it was written, where it says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRule:
    """A rule that a note holds."""

    content: str
    scope: Scope
    line: int
    quote: str = ""
    """What the person typed before it was noted; empty where that was not found."""
    why: str = ""
    """Why it is offered for the person's own file alone."""
