"""A note, as its assistant wrote it, and the rules that may be taken from it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.core.model import Scope, Trust


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """The contents of a note, as its reader understands them."""

    type: str = ""
    """What the assistant calls it (`feedback`, `project`, `reference`, `user`); empty where it says nothing."""
    title: str = ""
    description: str = ""
    statements: tuple[Statement, ...] = ()
    of_person: bool = False
    """It says that this is how the person likes it."""
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
    """From 1, in the note."""
    why: str = ""
    """Why it is offered for the person's own file alone."""
    quote: str = ""
    """What the person typed before it was noted; empty where that was not found."""
    turn: int = 0
    """The turn in which that was typed."""
    is_theirs: bool = False
    """The typed words say the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """The outcome for one rule of a note, by the files and notes as they are."""

    verdict: Verdict
    what: str = ""
    """`FILE:LINE`, or what is gone."""
    text: str = ""
    """The line's words."""


OPEN = {True: Against(verdict=Verdict.PERSONAL), False: Against(verdict=Verdict.SUGGESTED)}
"""Of a rule that nothing is known of, by whether it is about the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNote:
    """A note as it was read last."""

    path: str
    assistant: str
    """The name of its reader."""
    trust: Trust
    type: str = ""
    title: str = ""
    at: int = 0
    """When it was written, in milliseconds since the epoch."""
    session_id: str = ""
    rules: tuple[NoteRule, ...] = ()
    private: tuple[str, ...] = ()
    """What private things its statements hold."""
    prompt: int = 0
    """The version of the prompt by which a model read it; 0 where its rules come from its form."""
    judged: tuple[Against, ...] = ()
    """For each rule that has one, in their order; the others are to be suggested."""

    @property
    def verdict(self) -> Verdict:
        """The outcome: the gravest that holds of a rule, or why it has none."""
        if not self.rules:
            return Verdict.PRIVATE if self.private else _WITHOUT_RULES.get(self.type, Verdict.PASSING)
        found = {one.verdict for one in self.judged}
        for grave in (Verdict.CONTRADICTS, Verdict.STALE):
            if grave in found:
                return grave
        if found == {Verdict.SAID}:
            return Verdict.SAID
        open_rules = [
            rule for rule, one in zip(self.rules, self.judged, strict=False) if one.verdict is not Verdict.SAID
        ]
        is_own = all(rule.scope == "user" for rule in open_rules or self.rules)
        return Verdict.PERSONAL if is_own else Verdict.SUGGESTED


_WITHOUT_RULES = {"index": Verdict.REFERENCE, "reference": Verdict.REFERENCE, "user": Verdict.PERSONAL}
