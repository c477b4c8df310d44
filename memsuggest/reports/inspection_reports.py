"""Reports on transcripts and customization files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from memsuggest.json_shape import Also, Hidden, Key, four_digits
from memsuggest.model import Scope, Skipped, TargetType, Transcript, Trust, Turn
from memsuggest.reports.typed_share import TypedShare
from memsuggest.text.when import iso_of_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRow:
    """A transcript that was found."""

    path: str
    format: Annotated[str, "The name of its reader, as `claude-code`."]
    size: Annotated[int | None, "In bytes; null for a chat that is no file of its own."]
    _messages: ClassVar = Also("messages_of_its_own", int | None, "Of a chat that is no file of its own.")
    modified_at: Annotated[float, "As ISO 8601.", iso_of_seconds]
    last_turn_at: Annotated[float, "When something was last said in it, as ISO 8601.", iso_of_seconds]
    state: Annotated[str, "`new`, `changed`, `processed`, `failed` or `postponed`."]
    why: Annotated[str, "Why it failed, if it did; else empty."] = ""
    trust: Annotated[Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours."] = Trust.TYPED
    typed_messages: ClassVar = Also(
        "share.typed", int | None, "In how many of the person's messages something was typed; null: not looked."
    )
    all_messages: ClassVar = Also("share.messages", int | None, "How many messages the person sent.")
    messages: Hidden[int] = 0
    """Of such a session."""
    share: Hidden[TypedShare | None] = None
    """Of how many messages something was typed; None for one that was not looked into."""

    @property
    def messages_of_its_own(self) -> int | None:
        """The messages of a chat that is no file; None of one that is."""
        return self.messages if self.size is None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRows:
    """The transcripts that were found."""

    JSON_NAME = "Transcripts"
    rows: Annotated[tuple[TranscriptRow, ...], "Newest first.", Key("transcripts")]
    skipped: tuple[Skipped, ...] = ()
    home: Hidden[str] = ""
    """The person's home folder, for short paths."""
    looked_for: Hidden[tuple[str, ...]] = ()
    """Names of the assistants whose places were searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptShown:
    """One transcript as it is understood: the answer to `transcripts show PATH`."""

    JSON_NAME = "Transcript"
    format: ClassVar = Also("transcript.format", str, "The name of its reader, as `claude-code`.")
    session_id: ClassVar = Also("transcript.session_id", str, "The chat's own id.")
    workspace: ClassVar = Also(
        "transcript.workspace", str | None, "The folder the chat worked in, where the format says so."
    )
    trust: ClassVar = Also(
        "transcript.trust", Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours."
    )
    typed_messages: ClassVar = Also("share.typed", int, "In how many of the person's messages something was typed.")
    all_messages: ClassVar = Also("share.messages", int, "How many messages the person sent.")
    turns: ClassVar = Also("transcript.turns", list[Turn])
    skipped: ClassVar = Also("transcript.skipped", list[Skipped])
    transcript: Hidden[Transcript]
    share: Hidden[TypedShare]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRow:
    """A customization file."""

    JSON_NAME = "Target"
    type: TargetType
    path: Annotated[str, "Relative to the root, or `~/…`."]
    title: str
    description: str
    applies_to: Annotated[str | None, "Its `applyTo` as hosts read it; `**`: always."]
    scope: Annotated[Scope, "Whom it concerns."]
    tokens: Annotated[int, "About how many it costs."]
    matches: Annotated[Mapping[str, bool] | None, "With `--for`: by host, whether it loads the file then."] = None
    pattern: Annotated[str | None, "With `--for`: the pattern that matches."] = None
    others: Annotated[tuple[str, ...], "With `--for`: further assistants that load it.", Key("loadedBy")] = ()
    warnings: Annotated[tuple[str, ...], "What is odd about it."] = ()

    @property
    def is_loaded(self) -> bool:
        """Tell whether anybody loads it for the given file."""
        return bool(self.others) or any((self.matches or {}).values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """The customization files."""

    JSON_NAME = "Targets"
    source_file: Annotated[str | None, "The file that was asked about with `--for`.", Key("file")] = None
    tokens: Annotated[int, "About how many all cost; with `--for`, what is loaded for that file."] = 0
    budget: Annotated[int | None, "How many that may be."] = None
    rows: Annotated[tuple[TargetRow, ...], Key("targets")]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlace:
    """One place for a rule."""

    JSON_NAME = "Place"
    target_type: TargetType
    path: str
    heading: Annotated[str | None, "The heading under which it would go."]
    score: Annotated[float, "For comparison with the others only.", four_digits]
    why: str
    diff: Annotated[str, "What would be written, as a unified diff."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The places for a bare rule."""

    content: Annotated[str, "The rule."]
    places: Annotated[tuple[RankedPlace, ...], "Best place first.", Key("ranked")]
