"""Reports on transcripts and customization files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.model import Trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.model import Scope, Skipped, TargetType, Transcript
    from memsuggest.reports.typed_share import TypedShare


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRow:
    """A transcript that was found."""

    path: str
    format: str
    size: int | None
    """Bytes; None for a session that is no file of its own."""
    messages: int = 0
    """Of such a session."""
    modified_at: float
    """Seconds since the epoch."""
    last_turn_at: float
    """When something was last said in it, as far as its end tells; seconds since the epoch."""
    state: str
    """`new`, `changed`, `processed`, `failed` or `postponed`."""
    why: str = ""
    trust: Trust = Trust.TYPED
    share: TypedShare | None = None
    """Of how many messages something was typed; None for one that was not looked into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRows:
    """The answer of `transcripts`."""

    rows: tuple[TranscriptRow, ...]
    skipped: tuple[Skipped, ...] = ()
    home: str = ""
    """The person's home folder, for short paths."""
    looked_for: tuple[str, ...] = ()
    """Names of the assistants whose places were searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptShown:
    """One transcript as we understand it."""

    transcript: Transcript
    share: TypedShare


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
    others: tuple[str, ...] = ()
    """Assistants that load it besides, as it is one of their own files."""

    @property
    def is_loaded(self) -> bool:
        """Tell whether anybody loads it for the given file."""
        return bool(self.others) or any((self.matches or {}).values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """The answer of `targets`."""

    rows: tuple[TargetRow, ...]
    source_file: str | None = None
    tokens: int = 0
    """Of all; with a source file, of what VS Code and GitHub load for it, the same text once."""
    budget: int | None = None
    """How much that may be."""
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
    """The answer of `suggest`, best first."""

    content: str
    places: tuple[RankedPlace, ...]
