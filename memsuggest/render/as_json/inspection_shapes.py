"""Transcripts and customization files, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.model import Role, Scope, TargetType, Trust
from memsuggest.render.as_json.filling import From, iso_time
from memsuggest.render.as_json.shared_shapes import SignalsJson, SkippedJson
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from memsuggest.reports.inspection_reports import TranscriptRow


def _iso_of_seconds(seconds: float) -> str | None:
    return iso(int(seconds * 1000))


def _messages(row: TranscriptRow) -> int | None:
    return row.messages if row.size is None else None


class TranscriptRowJson(TypedDict):
    """A transcript that was found."""

    path: str
    format: Annotated[str, "The name of its reader, as `claude-code`."]
    size: Annotated[int | None, "In bytes; null for a chat that is no file of its own."]
    messages: Annotated[int | None, "Of a chat that is no file of its own.", From(".", _messages)]
    modifiedAt: Annotated[str | None, "As ISO 8601.", From(to=_iso_of_seconds)]
    lastTurnAt: Annotated[str | None, "When something was last said in it, as ISO 8601.", From(to=_iso_of_seconds)]
    state: Annotated[str, "`new`, `changed`, `processed`, `failed` or `postponed`."]
    why: Annotated[str, "Why it failed, if it did; else empty."]
    trust: Annotated[Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours."]
    typedMessages: Annotated[
        int | None,
        "In how many of the person's messages something was typed; null: not looked.",
        From("share.typed"),
    ]
    allMessages: Annotated[int | None, "How many messages the person sent.", From("share.messages")]


class TranscriptsJson(TypedDict):
    """The transcripts that were found."""

    transcripts: Annotated[list[TranscriptRowJson], "Newest first.", From("rows")]
    skipped: list[SkippedJson]


class TurnJson(TypedDict):
    """One message."""

    number: Annotated[int, "From 1."]
    role: Role
    typed: Annotated[str, "Exactly what the person typed, without secrets; empty where nothing was."]
    quoted: Annotated[list[list[int]], "`[start, end]` stretches of `typed` that are fenced, quoted or pasted."]
    doubtful: Annotated[list[list[int]], "`[start, end]` stretches of `typed` of which that cannot be told."]
    cwd: Annotated[str | None, "The folder in which the assistant worked."]
    at: Annotated[str | None, "When it was said, as ISO 8601.", From(to=iso_time)]
    branch: str | None
    paths: Annotated[list[str], "Files attached, read or written."]
    signals: SignalsJson


class TranscriptJson(TypedDict):
    """One transcript as it is understood: the answer to `transcripts show PATH`."""

    format: Annotated[str, "The name of its reader, as `claude-code`.", From("transcript.format")]
    sessionId: Annotated[str, "The chat's own id.", From("transcript.session_id")]
    workspace: Annotated[
        str | None, "The folder the chat worked in, where the format says so.", From("transcript.workspace")
    ]
    trust: Annotated[
        Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours.", From("transcript.trust")
    ]
    typedMessages: Annotated[int, "In how many of the person's messages something was typed.", From("share.typed")]
    allMessages: Annotated[int, "How many messages the person sent.", From("share.messages")]
    turns: Annotated[list[TurnJson], From("transcript.turns")]
    skipped: Annotated[list[SkippedJson], From("transcript.skipped")]


class TargetJson(TypedDict):
    """A customization file."""

    type: TargetType
    path: Annotated[str, "Relative to the root, or `~/…`."]
    title: str
    description: str
    appliesTo: Annotated[str | None, "Its `applyTo` as hosts read it; `**`: always."]
    scope: Annotated[Scope, "Whom it concerns."]
    tokens: Annotated[int, "About how many it costs."]
    matches: Annotated[dict[str, bool] | None, "With `--for`: by host, whether it loads the file then."]
    pattern: Annotated[str | None, "With `--for`: the pattern that matches."]
    loadedBy: Annotated[list[str], "With `--for`: further assistants that load it.", From("others")]
    warnings: Annotated[list[str], "What is odd about it."]


class TargetsJson(TypedDict):
    """The customization files."""

    file: Annotated[str | None, "The file that was asked about with `--for`.", From("source_file")]
    tokens: Annotated[int, "About how many all cost; with `--for`, what is loaded for that file."]
    budget: Annotated[int | None, "How many that may be."]
    targets: Annotated[list[TargetJson], From("rows")]
    skipped: list[SkippedJson]


class PlaceJson(TypedDict):
    """One place for a rule."""

    targetType: TargetType
    path: str
    heading: Annotated[str | None, "The heading under which it would go."]
    score: Annotated[float, "For comparison with the others only.", From(to=lambda score: round(score, 4))]
    why: str
    diff: Annotated[str, "What would be written, as a unified diff."]


class RankingJson(TypedDict):
    """The places for a bare rule."""

    content: Annotated[str, "The rule."]
    ranked: Annotated[list[PlaceJson], "Best place first.", From("places")]
