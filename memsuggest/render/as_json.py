"""Reports as JSON: `{"version": 1, …}`, camelCase, ASCII only, so that no terminal can be commanded by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.render.when import iso
from memsuggest.reports import deciding, facts, learning, looking, plain, status
from memsuggest.suggestions.diff import unified

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.model import Candidate, Citation, Contradiction, MemoryFact, MemorySuggestion, Skipped, Transcript

VERSION = 1
Fields = dict[str, Any]


def render(report: object) -> str:
    """Return one JSON document, with a final newline."""
    return json.dumps({"version": VERSION, **_RENDERERS[type(report)](report)}, indent=2) + "\n"


def _skipped(skipped: tuple[Skipped, ...]) -> list[Fields]:
    return [{"what": skip.what, "why": skip.why} for skip in skipped]


def _citation(citation: Citation) -> Fields:
    return {
        "sessionId": citation.session_id,
        "turn": citation.turn,
        "quote": citation.quote,
        "paths": list(citation.paths),
        "trust": citation.trust,
        "format": citation.format,
        "at": citation.at.isoformat() if citation.at else None,
    }


def _citations(citations: tuple[Citation, ...]) -> list[Fields]:
    return [_citation(citation) for citation in citations]


def _fact(fact: MemoryFact) -> Fields:
    return {
        "id": fact.id,
        "content": fact.content,
        "reason": fact.reason,
        "kind": fact.kind,
        "scope": fact.scope,
        "confidence": fact.confidence,
        "status": fact.status,
        "supersededBy": fact.superseded_by,
        "tags": list(fact.tags),
        "timestamp": fact.timestamp,
        "sourceSessionId": fact.source_session_id,
        "citations": _citations(fact.citations),
    }


def _suggestion(suggestion: MemorySuggestion) -> Fields:
    fact = suggestion.fact
    return {
        "id": suggestion.id,
        "factId": fact.id,
        "content": fact.content,
        "kind": fact.kind,
        "scope": fact.scope,
        "confidence": fact.confidence,
        "citations": _citations(fact.citations),
        "targetType": suggestion.target_type,
        "targetUri": suggestion.target_uri,
        "suggestedFileName": suggestion.suggested_file_name,
        "suggestedMergeContent": suggestion.suggested_merge_content,
        "heading": suggestion.heading,
        "replaces": suggestion.replaces,
        "executable": suggestion.executable,
        "why": suggestion.why,
        "status": suggestion.status,
        "diff": unified(suggestion.edit),
    }


def _suggestions(suggestions: tuple[MemorySuggestion, ...]) -> list[Fields]:
    return [_suggestion(suggestion) for suggestion in suggestions]


def _contradiction(pair: Contradiction) -> Fields:
    return {"winner": _fact(pair.winner), "loser": _fact(pair.loser), "why": pair.why}


def _reconciled(report: learning.Reconciled) -> Fields:
    return {
        "mode": report.mode,
        "engine": report.engine,
        "lastRun": iso(report.last_run),
        "dryRun": report.is_dry,
        "transcriptsRead": report.read,
        "transcriptsUnchanged": report.unchanged,
        "newFacts": report.new_facts,
        "suggestions": _suggestions(report.suggestions),
        "contradictions": [_contradiction(pair) for pair in report.contradictions],
        "receipts": [_fact(fact) for fact in report.receipts],
        "alreadyThere": [
            {"factId": there.fact.id, "content": there.fact.content, "targetUri": there.target_uri, "line": there.line}
            for there in report.already_there
        ],
        "skipped": _skipped(report.skipped),
    }


def _decided(decided: deciding.Decided) -> Fields:
    return {
        "factId": decided.fact.id,
        "content": decided.fact.content,
        "targetUri": decided.target,
        "status": decided.status,
    }


def _listing(report: deciding.Listing) -> Fields:
    return {
        "mode": report.mode,
        "lastRun": iso(report.last_run),
        "suggestions": _suggestions(report.suggestions),
        "decided": [_decided(decided) for decided in report.decided],
        "skipped": [],
    }


def _shown(report: deciding.Shown) -> Fields:
    return {
        "suggestion": _suggestion(report.suggestion),
        "similar": [suggestion.id for suggestion in report.similar],
        "replanned": report.was_replanned,
    }


def _applied(report: deciding.Applied) -> Fields:
    return {
        "applied": _suggestions(report.suggestions),
        "similar": [suggestion.id for suggestion in report.similar],
        "heldBack": _skipped(report.held_back),
    }


def _dismissed(report: deciding.Dismissed) -> Fields:
    return {"dismissed": _suggestions(report.suggestions), "onlyHere": report.only_here}


def _undone(report: deciding.Undone) -> Fields:
    return {"undone": list(report.contents), "paths": list(report.paths)}


def _status(report: status.Status) -> Fields:
    return {"mode": report.mode, "lastRun": iso(report.last_run), "pending": report.pending}


def _candidate(candidate: Candidate) -> Fields:
    return {
        "content": candidate.content,
        "reason": candidate.reason,
        "kind": candidate.kind,
        "scope": candidate.scope,
        "confidence": round(candidate.confidence, 3),
        "foundBy": candidate.found_by,
        "explicit": candidate.explicit,
        "tags": list(candidate.tags),
        "citations": _citations(candidate.citations),
    }


def _extraction(extraction: learning.Extraction) -> Fields:
    transcript = extraction.transcript
    fields: Fields = {
        "path": extraction.path,
        "format": transcript.format,
        "sessionId": transcript.session_id,
        "typedTurns": sum(1 for turn in transcript.turns if turn.typed),
        "facts": [_candidate(candidate) for candidate in extraction.candidates],
        "skipped": _skipped(extraction.skipped),
    }
    if extraction.verdicts:
        fields["verdicts"] = [
            {"turn": turn, "text": text, "kept": kept, "why": why} for turn, text, kept, why in extraction.verdicts
        ]
    return fields


def _extracted(report: learning.Extracted) -> Fields:
    return {
        "engine": report.engine,
        "transcripts": [_extraction(extraction) for extraction in report.extractions],
        "skipped": _skipped(report.skipped),
    }


def _transcript_rows(report: looking.TranscriptRows) -> Fields:
    return {
        "transcripts": [
            {
                "path": row.path,
                "format": row.format,
                "size": row.size,
                "modifiedAt": iso(int(row.modified_at * 1000)),
                "state": row.state,
                "why": row.why,
                "trust": row.trust,
            }
            for row in report.rows
        ],
        "skipped": _skipped(report.skipped),
    }


def _transcript_shown(report: looking.TranscriptShown) -> Fields:
    transcript: Transcript = report.transcript
    return {
        "format": transcript.format,
        "sessionId": transcript.session_id,
        "workspace": transcript.workspace,
        "trust": transcript.trust,
        "turns": [
            {
                "number": turn.number,
                "role": turn.role,
                "typed": turn.typed,
                "quoted": [list(stretch) for stretch in turn.quoted],
                "cwd": turn.cwd,
                "at": turn.at.isoformat() if turn.at else None,
            }
            for turn in transcript.turns
        ],
        "skipped": _skipped(transcript.skipped),
    }


def _target_row(row: looking.TargetRow) -> Fields:
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
        "warnings": list(row.warnings),
    }


def _target_rows(report: looking.TargetRows) -> Fields:
    return {
        "file": report.source_file,
        "targets": [_target_row(row) for row in report.rows],
        "skipped": _skipped(report.skipped),
    }


def _ranking(report: looking.Ranking) -> Fields:
    return {
        "content": report.content,
        "ranked": [
            {
                "targetType": place.target_type,
                "path": place.path,
                "heading": place.heading,
                "score": round(place.score, 4),
                "why": place.why,
                "diff": place.diff,
            }
            for place in report.places
        ],
    }


def _fact_rows(report: facts.FactRows) -> Fields:
    return {"query": report.query, "facts": [_fact(fact) for fact in report.facts]}


def _fact_shown(report: facts.FactShown) -> Fields:
    return {
        "fact": _fact(report.fact),
        "inSharedFile": report.in_shared_file,
        "decisions": [_decided(decided) for decided in report.decisions],
    }


def _fact_changed(report: facts.FactChanged) -> Fields:
    return {"did": report.verb, "fact": _fact(report.fact)}


def _checked(report: facts.Checked) -> Fields:
    return {"path": report.path, "facts": report.facts, "problems": _skipped(report.problems)}


def _settings_shown(report: plain.SettingsShown) -> Fields:
    return {
        "settings": {name: {"value": value.value, "source": value.source} for name, value in report.values.items()},
        "ignored": _skipped(report.ignored),
    }


def _text(report: plain.Text) -> Fields:
    return dict(report.payload)


_RENDERERS: dict[type, Callable[[Any], Fields]] = {
    learning.Reconciled: _reconciled,
    deciding.Listing: _listing,
    deciding.Shown: _shown,
    deciding.Applied: _applied,
    deciding.Dismissed: _dismissed,
    deciding.Undone: _undone,
    status.Status: _status,
    learning.Extracted: _extracted,
    looking.TranscriptRows: _transcript_rows,
    looking.TranscriptShown: _transcript_shown,
    looking.TargetRows: _target_rows,
    looking.Ranking: _ranking,
    facts.FactRows: _fact_rows,
    facts.FactShown: _fact_shown,
    facts.FactChanged: _fact_changed,
    facts.Checked: _checked,
    plain.SettingsShown: _settings_shown,
    plain.Text: _text,
}
