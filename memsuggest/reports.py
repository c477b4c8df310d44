"""What a workflow has to say, as values; `render` turns them into text.

Every report names only what a person may see: texts in here are redacted, but not yet made safe for a terminal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.config import Value
    from memsuggest.model import (
        Candidate,
        Contradiction,
        MemoryFact,
        MemorySuggestion,
        Mode,
        Scope,
        Skipped,
        SuggestionStatus,
        TargetType,
        Transcript,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyThere:
    """A fact that a customization file says already."""

    fact: MemoryFact
    target_uri: str
    line: int
    """From 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """What `reconcile` found."""

    mode: Mode
    engine: str
    last_run: int | None
    suggestions: tuple[MemorySuggestion, ...]
    contradictions: tuple[Contradiction, ...] = ()
    receipts: tuple[MemoryFact, ...] = ()
    """Facts that directives made at once."""
    already_there: tuple[AlreadyThere, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    read: int = 0
    """Transcripts read in this run."""
    unchanged: int = 0
    """Transcripts known and not changed since."""
    new_facts: int = 0
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What `list` shows."""

    mode: Mode
    last_run: int | None
    status: SuggestionStatus
    suggestions: tuple[MemorySuggestion, ...]
    decided: tuple[Decided, ...] = ()
    """For the statuses other than pending: facts with what was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A fact and what was decided about it."""

    fact: MemoryFact
    target: str | None
    status: SuggestionStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One suggestion, whole."""

    suggestion: MemorySuggestion
    similar: tuple[MemorySuggestion, ...] = ()
    was_replanned: bool = False
    """The target changed since it was suggested; this is the edit for the file as it is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What an `apply` is about to write, each as it would be written now."""

    shown: tuple[Shown, ...]
    held_back: tuple[Skipped, ...] = ()
    """Ones that a bulk apply leaves for the person to confirm one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What `apply` wrote."""

    suggestions: tuple[MemorySuggestion, ...]
    similar: tuple[MemorySuggestion, ...] = ()
    """Pending ones like them, to be offered."""
    held_back: tuple[Skipped, ...] = ()
    """Ones that a bulk apply leaves for the person to confirm one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissed:
    """What `dismiss` silenced."""

    suggestions: tuple[MemorySuggestion, ...]
    only_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What `undo` took back."""

    paths: tuple[str, ...]
    contents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Mode, last run, pending."""

    mode: Mode
    last_run: int | None
    pending: int

    @property
    def badge(self) -> str:
        """For a prompt or a status bar: `mem 3`; empty when nothing waits."""
        return f"mem {self.pending}" if self.pending else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What an engine finds in one transcript."""

    path: str
    transcript: Transcript
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]
    verdicts: tuple[tuple[int, str, bool, str], ...] = ()
    """Turn, sentence, kept or not, why: for `--explain`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What `extract` prints."""

    engine: str
    extractions: tuple[Extraction, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRow:
    """A transcript that was found."""

    path: str
    format: str
    size: int
    modified_at: float
    """Seconds since the epoch."""
    state: str
    """`new`, `changed`, `processed` or `failed`."""
    why: str = ""
    trust: str = "typed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRows:
    """What `transcripts` lists."""

    rows: tuple[TranscriptRow, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptShown:
    """One transcript as we understand it."""

    transcript: Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRow:
    """A customization file, and whether a host would load it for a given file."""

    type: TargetType
    path: str
    title: str
    description: str
    applies_to: str | None
    scope: Scope
    tokens: int
    matches: Mapping[str, bool] | None = None
    """By dialect; None when no file was given."""
    pattern: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """What `targets` lists."""

    rows: tuple[TargetRow, ...]
    source_file: str | None = None
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlace:
    """One place for a bare rule."""

    target_type: TargetType
    path: str
    heading: str | None
    score: float
    why: str
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What `suggest` prints, best first."""

    content: str
    places: tuple[RankedPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRows:
    """Facts, as `facts list` and `facts search` show them."""

    facts: tuple[MemoryFact, ...]
    query: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactShown:
    """One fact, whole."""

    fact: MemoryFact
    decisions: tuple[Decided, ...] = ()
    in_shared_file: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanged:
    """What a fact command did."""

    verb: str
    """`added`, `edited`, `forgot`, …"""
    fact: MemoryFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What `facts check` found."""

    path: str
    facts: int
    problems: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsShown:
    """What `config show` prints."""

    values: Mapping[str, Value]
    ignored: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A plain answer."""

    text: str
    payload: Mapping[str, object]
    """The same for `--format json`."""
