"""What was learned, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

from memsuggest.config import Mode
from memsuggest.model import Outcome
from memsuggest.render.as_json.model_shapes import PostponedJson, RequestJson, postponed_json, request_json
from memsuggest.render.as_json.noun_shapes import (
    CandidateJson,
    FactJson,
    SkippedJson,
    candidate_json,
    facts_json,
    skips,
)
from memsuggest.render.as_json.suggestion_shapes import (
    ContradictionJson,
    SuggestionJson,
    contradiction_json,
    suggestions_json,
)
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from memsuggest.reports import learning_reports


class AlreadyThereJson(TypedDict):
    """A fact that a customization file says already."""

    factId: str
    content: Annotated[str, "The rule."]
    targetUri: Annotated[str, "The file."]
    line: Annotated[int, "From 1."]


class ReconciledJson(TypedDict):
    """What a run read, learned and suggests."""

    mode: Mode
    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    better: Annotated[str | None, "What would have judged better, and the command for it."]
    lastRun: Annotated[str | None, "When chats were last read before this run, as ISO 8601; null: never."]
    dryRun: Annotated[bool, "Whether nothing was stored."]
    transcriptsRead: Annotated[int, "Chats that were read in this run."]
    transcriptsUnchanged: Annotated[int, "Chats that are known and have not changed."]
    newFacts: int
    mergeable: Annotated[int, "Facts that could be merged into others: `consolidate` shows them."]
    maybes: Annotated[int, "How much is kept aside: `list --maybe` shows it."]
    pruned: Annotated[list[FactJson], "Facts beyond the limits, which are forgotten now."]
    postponed: Annotated[list[PostponedJson], "Chats that a model was asked about in vain; they stay pending."]
    requests: Annotated[list[RequestJson], "In a dry run: what would be sent to a model."]
    suggestions: Annotated[list[SuggestionJson], "Everything that waits now, best first."]
    care: Annotated[list[SuggestionJson], "What customization files need by themselves."]
    contradictions: list[ContradictionJson]
    receipts: Annotated[list[FactJson], "Facts that directives such as `remember: …` made at once."]
    written: Annotated[list[FactJson], "New facts that only a document of an assistant says: they wait for your word."]
    writtenBefore: Annotated[int, "How many more such facts wait since earlier runs."]
    alreadyThere: list[AlreadyThereJson]
    skipped: list[SkippedJson]


class VerdictJson(TypedDict):
    """What became of a sentence."""

    turn: Annotated[int, "The number of the message in the chat, from 1."]
    text: str
    outcome: Annotated[Outcome | None, "What it became; null where nothing."]
    kept: Annotated[bool, "Whether it became anything."]
    why: str


class ExtractionJson(TypedDict):
    """What an engine finds in one transcript."""

    path: str
    format: Annotated[str, "The name of its reader, as `claude-code`."]
    sessionId: Annotated[str, "The chat's own id."]
    typedTurns: Annotated[int, "In how many messages the person typed something."]
    facts: list[CandidateJson]
    skipped: list[SkippedJson]
    verdicts: Annotated[NotRequired[list[VerdictJson]], "With `--explain`: what became of each sentence."]


class ExtractedJson(TypedDict):
    """What transcripts have worth remembering."""

    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    transcripts: list[ExtractionJson]
    skipped: Annotated[list[SkippedJson], "Files that could not be read."]


def reconciled_json(report: learning_reports.Reconciled) -> ReconciledJson:
    """Return what a run found."""
    return {
        "mode": report.mode,
        "engine": report.engine,
        "better": report.better or None,
        "lastRun": iso(report.last_run),
        "dryRun": report.is_dry,
        "transcriptsRead": report.read,
        "transcriptsUnchanged": report.unchanged,
        "newFacts": report.new_facts,
        "mergeable": report.alike,
        "maybes": report.maybes,
        "pruned": facts_json(report.pruned),
        "postponed": [postponed_json(one) for one in report.postponed],
        "requests": [request_json(one) for one in report.requests],
        "suggestions": suggestions_json(report.suggestions),
        "care": suggestions_json(report.maintenance),
        "contradictions": [contradiction_json(pair) for pair in report.contradictions],
        "receipts": facts_json(report.receipts),
        "written": facts_json(report.written),
        "writtenBefore": report.written_before,
        "alreadyThere": [_already_there(there) for there in report.already_there],
        "skipped": skips(report.skipped),
    }


def _already_there(there: learning_reports.AlreadyThere) -> AlreadyThereJson:
    return {
        "factId": there.fact.id,
        "content": there.fact.content,
        "targetUri": there.target_uri,
        "line": there.line,
    }


def extracted_json(report: learning_reports.Extracted) -> ExtractedJson:
    """Return what transcripts have worth remembering."""
    return {
        "engine": report.engine,
        "transcripts": [_extraction(extraction) for extraction in report.extractions],
        "skipped": skips(report.skipped),
    }


def _extraction(extraction: learning_reports.Extraction) -> ExtractionJson:
    transcript = extraction.transcript
    told: ExtractionJson = {
        "path": extraction.path,
        "format": transcript.format,
        "sessionId": transcript.session_id,
        "typedTurns": sum(1 for turn in transcript.turns if turn.typed),
        "facts": [candidate_json(candidate) for candidate in extraction.candidates],
        "skipped": skips(extraction.skipped),
    }
    if extraction.verdicts:
        told["verdicts"] = [
            {"turn": turn, "text": text, "outcome": outcome, "kept": outcome is not None, "why": why}
            for turn, text, outcome, why in extraction.verdicts
        ]
    return told
