"""Reports on what waits for a decision, and on what was decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.config import Mode
    from memsuggest.model import Contradiction, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, Turn
    from memsuggest.reports.held_report import HeldRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The answer of `list`."""

    mode: Mode
    last_run: int | None
    status: SuggestionStatus
    suggestions: tuple[MemorySuggestion, ...]
    decided: tuple[Decided, ...] = ()
    """For the statuses other than pending: facts with what was decided."""
    maintenance: tuple[MemorySuggestion, ...] = ()
    """What files need by themselves, after what was said."""
    maintenance_held: Mapping[str, int] = field(default_factory=dict)
    """By file, how much more it needs than is shown at a time."""
    written: int = 0
    """How many facts wait for the person's word, since only a document of an assistant says them."""
    dangerous: frozenset[str] = frozenset()
    """Ids of suggestions whose rules weaken safety."""
    is_narrowed: bool = False
    """Only what concerns certain files."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """By the ids of suggestions, the assistant that was told and does not read the file by itself."""
    seen: frozenset[str] = frozenset()
    """Ids of what was shown at the last look: these come last."""
    is_whole: bool = False
    """What was shown at the last look is shown again; otherwise one line tells of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Maybes:
    """The answer of `list --maybe`."""

    mode: Mode
    last_run: int | None
    facts: tuple[MemoryFact, ...]
    """What was said most often first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A fact and what was decided about it."""

    fact: MemoryFact
    target: str | None
    status: SuggestionStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Assistants that read a file by themselves, and others; neither says anything where that is not known."""

    reading: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One suggestion, whole."""

    suggestion: MemorySuggestion
    similar: tuple[MemorySuggestion, ...] = ()
    was_replanned: bool = False
    """The target changed since it was suggested; this is the edit for the file as it is now."""
    danger: str = ""
    """How the rule weakens safety, if it does: it is confirmed by itself."""
    differs: bool = False
    """Planned anew, it puts other lines in, takes another out, or goes to another place."""
    contradictions: tuple[Contradiction, ...] = ()
    """Facts that cannot hold beside it, and are not decided either."""
    readers: Readers = field(default_factory=Readers)
    """Who reads the file that it goes to."""
    held: tuple[HeldRule, ...] = ()
    """What it would replace and does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One suggestion of a review."""

    shown: Shown
    number: int
    count: int
    is_new: bool = False
    """It was not shown at the last look, and others were."""
    notes: tuple[str, ...] = ()
    """What was done since the screen before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The turns around a quote; none where the chat is not there any more."""

    turns: tuple[Turn, ...] = ()
    cited: int = 0
    """The number of the turn that is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Suggestions that one key of a review would decide at once, to be looked at before."""

    suggestions: tuple[MemorySuggestion, ...]
    held_back: tuple[Skipped, ...] = ()
    """Ones that need a look of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Suggestions that an `apply` is about to write, each as it would be written now."""

    shown: tuple[Shown, ...]
    held_back: tuple[Skipped, ...] = ()
    """Ones that a bulk apply leaves for the person to confirm one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The answer of `apply`."""

    suggestions: tuple[MemorySuggestion, ...]
    similar: tuple[MemorySuggestion, ...] = ()
    """Pending ones like them, to be offered."""
    held_back: tuple[Skipped, ...] = ()
    """Ones that a bulk apply leaves for the person to confirm one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissed:
    """The answer of `dismiss`."""

    suggestions: tuple[MemorySuggestion, ...]
    only_here: bool
    maybes: tuple[MemoryFact, ...] = ()
    """What was kept aside until now."""
    silenced: tuple[str, ...] = ()
    """Chats that are never read again."""
    elsewhere: tuple[MemorySuggestion, ...] = ()
    """Of what was silenced for one file only, what waits for another one now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChoice:
    """A file, and the heading in it under which a rule would go; none where the file itself decides."""

    uri: str
    heading: str | None = None
    makes: bool = False
    """The file, or the heading in it, is made with the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Other places for a suggestion, best first."""

    suggestion: MemorySuggestion
    places: tuple[PlaceChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A suggestion at the place that the person chose."""

    suggestion: MemorySuggestion
    stays: bool = False
    """That is where it was: nothing was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A decision that can be taken back, or was."""

    at: int
    """Milliseconds since the epoch."""
    verb: str
    """`applied`, `dismissed`, `forgot`, …"""
    ids: tuple[str, ...]
    contents: tuple[str, ...]
    """What it was about; empty in entries of older versions."""
    paths: tuple[str, ...]
    """Files that it wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenRows:
    """The answer of `undo --list`, the last one first."""

    rows: tuple[Taken, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """The answer of `undo`."""

    taken: Taken
    paths: tuple[str, ...]
    contents: tuple[str, ...]
    facts: tuple[str, ...] = ()
    """What is remembered again as it was."""
    places: tuple[str, ...] = ()
    """For each of the contents, where it goes."""
