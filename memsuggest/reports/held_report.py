"""The report of `held`: do rules in files hold, with the evidence for every number."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

from memsuggest.json_shape import Also, Hidden, or_null
from memsuggest.model import Skipped
from memsuggest.text.when import iso, iso_time


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
    """A chat that counted."""

    session_id: Annotated[str, "The chat's own id."]
    at: Annotated[int, "When it began, as ISO 8601.", iso]
    assistant: Annotated[str, "Its name; empty where it is not known."]
    path: Annotated[str, "The transcript."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAgain:
    """Something that the person typed and that says a rule."""

    session_id: Annotated[str, "The chat's own id."]
    turn: Annotated[int, "The number of the message in the chat, from 1."]
    quote: Annotated[str, "The words, without secrets."]
    at: Annotated[datetime | None, "When it was said, as ISO 8601.", iso_time]
    assistant: Annotated[str, "Whom it was said to; empty where that is not known."]
    is_correction: Annotated[bool, "Whether it was said of what the assistant had done."] = False
    rule: Hidden[str]
    """It as a line of a rule file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotReadBy:
    """Chats in which a rule mattered and whose assistant had not read it."""

    assistant: str
    chats: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A remedy for a rule."""

    kind: Annotated[RemedyKind, "What sort of remedy it is."]
    what: str
    why: str
    text: Annotated[str, "The line as it could stand; empty where there is none to offer."] = ""
    uri: Annotated[str, "The file that it would stand in; empty for that of the rule."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRule:
    """One rule of one file, and what became of it."""

    id: Annotated[str, "What `held` takes: identity of the file and of the rule's words."]
    uri: Annotated[str, "The file, relative to the root, or `~/…`."]
    line: Annotated[int, "From 1."]
    last_line: Annotated[int, "From 1."]
    content: Annotated[str, "Its words in the file."]
    heading: Annotated[str, "The heading that it stands under; empty for none."] = ""
    fact_id: Annotated[str, "The fact that was applied there.", or_null] = ""
    since: Annotated[int, "When it came into force, as ISO 8601.", iso]
    since_from: Annotated[SinceFrom, "How that is known."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in a sentence."]
    chats: Annotated[int, "Chats that began since."] = 0
    _chats_said_again: ClassVar = Also("chats_said_again", int, "In how many of `exposed` it was said again.")
    exposed: Annotated[tuple[ChatRow, ...], "Chats since in which it mattered, and whose assistant had read it."] = ()
    said_again: Annotated[tuple[SaidAgain, ...], "What was said of it in those."] = ()
    not_read: tuple[NotReadBy, ...] = ()
    said_unread: Annotated[tuple[SaidAgain, ...], "What was said of it where the assistant had not read it."] = ()
    exposed_before: Annotated[
        tuple[ChatRow, ...], "Chats before in which it mattered, but the one that said it first."
    ] = ()
    said_before: tuple[SaidAgain, ...] = ()
    at_most: Annotated[float, "The highest share of chats in which it may be said again, with 95 % certainty."] = 1.0
    difference: Annotated[str, "What changed against before; empty where that cannot be told."] = ""
    remedies: Annotated[tuple[Remedy, ...], "Best first."] = ()

    @property
    def chats_said_again(self) -> int:
        """In how many chats it was said again."""
        return len({one.session_id for one in self.said_again})


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldReport:
    """The outcomes of the files' rules."""

    JSON_NAME = "Held"
    chats: Annotated[int, "Chats that were looked at."]
    since: Annotated[int | None, "Only chats that began since then count; null: all.", iso] = None
    first_chat: Annotated[int | None, "When the oldest of them began, as ISO 8601.", iso] = None
    undated: Annotated[int, "Chats that do not say when they began, and count for nothing."] = 0
    unknown_assistant: Annotated[int, "Chats of which it is not known what their assistant reads."] = 0
    gone: Annotated[int, "Rules that were applied and stand in no file any more."] = 0
    rules: Annotated[tuple[HeldRule, ...], "What does not hold first."]
    skipped: tuple[Skipped, ...] = ()
    is_file: Hidden[bool] = False
    """One file was asked for: all of its rules are shown."""
    is_one: Hidden[bool] = False
    """One rule was asked for: all of its evidence is shown."""

    def count(self, outcome: HeldOutcome) -> int:
        """Return how many rules have an outcome."""
        return sum(rule.outcome is outcome for rule in self.rules)
