"""The report of `held`: do rules in files hold, with the evidence for every number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from memsuggest.model import Skipped


class HeldOutcome(StrEnum):
    """The outcome of a rule by later chats."""

    HOLDS = "holds"
    """It mattered in enough chats whose assistant had read it, and was not said again, or hardly ever."""
    DOES_NOT_HOLD = "doesNotHold"
    """It was said again, to an assistant that had read it."""
    UNTESTED = "untested"
    """It mattered in too few chats to tell."""
    NOT_LOADED = "notLoaded"
    """It mattered, but no assistant had read the file."""


class SinceFrom(StrEnum):
    """The source of the time since when a rule is in force."""

    APPLIED = "applied"
    """`apply` wrote it then."""
    GIT = "git"
    """Its line was last changed in a commit of then."""
    FILE = "file"
    """Its file has not changed since then, as the file system says."""
    SEEN = "seen"
    """It was there when its file was looked at first."""


class RemedyKind(StrEnum):
    """The kind of a remedy for a rule that does not hold, or that nobody reads."""

    SHARPER = "sharper"
    EXAMPLE = "example"
    OTHER_FILE = "otherFile"
    ENFORCE = "enforce"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """A chat that counted for or against a rule."""

    session_id: str
    at: int
    """When it began, in milliseconds since the epoch."""
    assistant: str
    """The name of the assistant; empty where it is not known."""
    path: str
    """The transcript."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAgain:
    """Something that the person typed and that says a rule."""

    session_id: str
    turn: int
    quote: str
    rule: str
    """It as a line of a rule file."""
    at: datetime | None
    assistant: str
    is_correction: bool = False
    """Whether it was said of what the assistant had done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotReadBy:
    """Chats in which a rule mattered and whose assistant had not read it."""

    assistant: str
    chats: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A remedy for a rule, and its reason."""

    kind: RemedyKind
    what: str
    why: str
    text: str = ""
    """The line as it could stand; empty where there is none to offer."""
    uri: str = ""
    """The file that it would stand in; empty for that of the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRule:
    """One rule of one file, and what became of it."""

    id: str
    """Identity of the line: of the file and its words."""
    uri: str
    line: int
    """From 1."""
    last_line: int
    content: str
    """Its words in the file."""
    heading: str = ""
    fact_id: str = ""
    """Of the fact that was applied there; empty for what nobody applied with us."""
    since: int
    """When it came into force, in milliseconds since the epoch."""
    since_from: SinceFrom
    outcome: HeldOutcome
    why: str
    """The outcome in a sentence."""
    chats: int = 0
    """Chats that began since."""
    exposed: tuple[ChatRow, ...] = ()
    """Those of them in which it mattered, and whose assistant had read it; oldest first."""
    said_again: tuple[SaidAgain, ...] = ()
    """What was said of it in those chats, oldest first."""
    not_read: tuple[NotReadBy, ...] = ()
    said_unread: tuple[SaidAgain, ...] = ()
    """What was said of it where the assistant had not read it."""
    exposed_before: tuple[ChatRow, ...] = ()
    """Chats before in which the same mattered, oldest first; without the one in which it was said first."""
    said_before: tuple[SaidAgain, ...] = ()
    """What was said of it before it was in force, oldest first; also in the chat in which it was said first."""
    at_most: float = 1.0
    """The highest share of such chats in which it may be said again, as far as one can be 95 % sure."""
    difference: str = ""
    """What changed against before, in a sentence; empty where that cannot be told."""
    remedies: tuple[Remedy, ...] = ()
    """Best first."""

    @property
    def chats_said_again(self) -> int:
        """In how many chats it was said again."""
        return len({one.session_id for one in self.said_again})


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldReport:
    """The answer of `held`."""

    rules: tuple[HeldRule, ...]
    """What does not hold first, then what is not loaded, what holds, what is untested."""
    chats: int
    """Chats that were looked at."""
    since: int | None = None
    """Only chats that began since then count, in milliseconds since the epoch; None: all."""
    first_chat: int | None = None
    """When the oldest of them began."""
    undated: int = 0
    """Chats that do not say when they began: they count for nothing."""
    unknown_assistant: int = 0
    """Chats of which it is not known what their assistant reads: they count for nothing either."""
    gone: int = 0
    """Rules that were applied and stand in no file any more."""
    is_file: bool = False
    """One file was asked for: all of its rules are shown."""
    is_one: bool = False
    """One rule was asked for: all of its evidence is shown."""
    skipped: tuple[Skipped, ...] = ()

    def count(self, outcome: HeldOutcome) -> int:
        """Return how many rules have an outcome."""
        return sum(rule.outcome is outcome for rule in self.rules)
