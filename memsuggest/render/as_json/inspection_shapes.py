"""What was found when looking around, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.model import Role, Scope, TargetType, Trust
from memsuggest.render.as_json.noun_shapes import SignalsJson, SkippedJson, signals_json, skips
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from memsuggest.model import Turn
    from memsuggest.reports import inspection_reports


class TranscriptRowJson(TypedDict):
    """A transcript that was found."""

    path: str
    format: Annotated[str, "The name of its reader, as `claude-code`."]
    size: Annotated[int | None, "In bytes; null for a chat that is no file of its own."]
    messages: Annotated[int | None, "Of a chat that is no file of its own."]
    modifiedAt: Annotated[str | None, "As ISO 8601."]
    lastTurnAt: Annotated[str | None, "When something was last said in it, as ISO 8601."]
    state: Annotated[str, "`new`, `changed`, `processed`, `failed` or `postponed`."]
    why: Annotated[str, "Why it failed, if it did; else empty."]
    trust: Annotated[Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours."]
    typedMessages: Annotated[int | None, "In how many of the person's messages something was typed; null: not looked."]
    allMessages: Annotated[int | None, "How many messages the person sent."]


class TranscriptsJson(TypedDict):
    """The transcripts that were found."""

    transcripts: Annotated[list[TranscriptRowJson], "Newest first."]
    skipped: list[SkippedJson]


class TurnJson(TypedDict):
    """One message."""

    number: Annotated[int, "From 1."]
    role: Role
    typed: Annotated[str, "Exactly what the person typed, without secrets; empty where nothing was."]
    quoted: Annotated[list[list[int]], "`[start, end]` stretches of `typed` that are fenced, quoted or pasted."]
    doubtful: Annotated[list[list[int]], "`[start, end]` stretches of `typed` of which that cannot be told."]
    cwd: Annotated[str | None, "The folder in which the assistant worked."]
    at: Annotated[str | None, "When it was said, as ISO 8601."]
    branch: str | None
    paths: Annotated[list[str], "Files attached, read or written."]
    signals: SignalsJson


class TranscriptJson(TypedDict):
    """One transcript as it is understood: the answer to `transcripts show PATH`."""

    format: Annotated[str, "The name of its reader, as `claude-code`."]
    sessionId: Annotated[str, "The chat's own id."]
    workspace: Annotated[str | None, "The folder the chat worked in, where the format says so."]
    trust: Annotated[Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours."]
    typedMessages: Annotated[int, "In how many of the person's messages something was typed."]
    allMessages: Annotated[int, "How many messages the person sent."]
    turns: list[TurnJson]
    skipped: list[SkippedJson]


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
    loadedBy: Annotated[list[str], "With `--for`: further assistants that load it."]
    warnings: Annotated[list[str], "What is odd about it."]


class TargetsJson(TypedDict):
    """The customization files."""

    file: Annotated[str | None, "The file that was asked about with `--for`."]
    tokens: Annotated[int, "About how many all cost; with `--for`, what is loaded for that file."]
    budget: Annotated[int | None, "How many that may be."]
    targets: list[TargetJson]
    skipped: list[SkippedJson]


class PlaceJson(TypedDict):
    """One place for a rule."""

    targetType: TargetType
    path: str
    heading: Annotated[str | None, "The heading under which it would go."]
    score: Annotated[float, "For comparison with the others only."]
    why: str
    diff: Annotated[str, "What would be written, as a unified diff."]


class RankingJson(TypedDict):
    """Where a bare rule would go."""

    content: Annotated[str, "The rule."]
    ranked: Annotated[list[PlaceJson], "Best place first."]


def transcripts_json(report: inspection_reports.TranscriptRows) -> TranscriptsJson:
    """Return the transcripts that were found."""
    return {"transcripts": [_transcript_row(row) for row in report.rows], "skipped": skips(report.skipped)}


def _transcript_row(row: inspection_reports.TranscriptRow) -> TranscriptRowJson:
    return {
        "path": row.path,
        "format": row.format,
        "size": row.size,
        "messages": row.messages if row.size is None else None,
        "modifiedAt": iso(int(row.modified_at * 1000)),
        "lastTurnAt": iso(int(row.last_turn_at * 1000)),
        "state": row.state,
        "why": row.why,
        "trust": row.trust,
        "typedMessages": row.share.typed if row.share else None,
        "allMessages": row.share.messages if row.share else None,
    }


def transcript_json(report: inspection_reports.TranscriptShown) -> TranscriptJson:
    """Return one transcript, message by message."""
    transcript = report.transcript
    return {
        "format": transcript.format,
        "sessionId": transcript.session_id,
        "workspace": transcript.workspace,
        "trust": transcript.trust,
        "typedMessages": report.share.typed,
        "allMessages": report.share.messages,
        "turns": [_turn(turn) for turn in transcript.turns],
        "skipped": skips(transcript.skipped),
    }


def _turn(turn: Turn) -> TurnJson:
    return {
        "number": turn.number,
        "role": turn.role,
        "typed": turn.typed,
        "quoted": [list(stretch) for stretch in turn.quoted],
        "doubtful": [list(stretch) for stretch in turn.doubtful],
        "cwd": turn.cwd,
        "at": turn.at.isoformat() if turn.at else None,
        "branch": turn.branch,
        "paths": list(turn.paths),
        "signals": signals_json(turn.signals),
    }


def targets_json(report: inspection_reports.TargetRows) -> TargetsJson:
    """Return the customization files."""
    return {
        "file": report.source_file,
        "tokens": report.tokens,
        "budget": report.budget,
        "targets": [_target(row) for row in report.rows],
        "skipped": skips(report.skipped),
    }


def _target(row: inspection_reports.TargetRow) -> TargetJson:
    return {
        "type": row.type,
        "path": row.path,
        "title": row.title,
        "description": row.description,
        "appliesTo": row.applies_to,
        "scope": row.scope,
        "tokens": row.tokens,
        "matches": dict(row.matches) if row.matches is not None else None,
        "pattern": row.pattern,
        "loadedBy": list(row.others),
        "warnings": list(row.warnings),
    }


def ranking_json(report: inspection_reports.Ranking) -> RankingJson:
    """Return where a bare rule would go."""
    return {"content": report.content, "ranked": [_place(place) for place in report.places]}


def _place(place: inspection_reports.RankedPlace) -> PlaceJson:
    return {
        "targetType": place.target_type,
        "path": place.path,
        "heading": place.heading,
        "score": round(place.score, 4),
        "why": place.why,
        "diff": place.diff,
    }
