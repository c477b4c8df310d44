"""Reports as JSON: `{"version": 1, …}`, camelCase, ASCII only, so that no terminal can be commanded by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.render.as_json.asking import answered_fields, asked_fields, nothing_fields
from memsuggest.render.as_json.models import (
    consent_fields,
    consolidated_fields,
    postponed_fields,
    request_fields,
    usage_fields,
)
from memsuggest.render.as_json.nouns import (
    Fields,
    candidate_fields,
    contradiction_fields,
    decided_fields,
    fact_fields,
    maybe_fields,
    signal_fields,
    skips,
    suggestion_fields,
    suggestions,
)
from memsuggest.render.when import iso
from memsuggest.reports import (
    asking,
    deciding,
    doctor,
    facts,
    learning,
    looking,
    models,
    plain,
    pull_request,
    status,
    watching,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.model import Transcript

VERSION = 1


def render(report: object, *, indent: int | None = 2) -> str:
    """Return one JSON document, with a final newline; without `indent` on one line."""
    return json.dumps({"version": VERSION, **_RENDERERS[type(report)](report)}, indent=indent) + "\n"


def _reconciled(report: learning.Reconciled) -> Fields:
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
        "pruned": [fact_fields(fact) for fact in report.pruned],
        "postponed": [postponed_fields(one) for one in report.postponed],
        "requests": [request_fields(one) for one in report.requests],
        "suggestions": suggestions(report.suggestions),
        "care": suggestions(report.care),
        "contradictions": [contradiction_fields(pair) for pair in report.contradictions],
        "receipts": [fact_fields(fact) for fact in report.receipts],
        "written": [fact_fields(fact) for fact in report.written],
        "writtenBefore": report.written_before,
        "alreadyThere": [
            {"factId": there.fact.id, "content": there.fact.content, "targetUri": there.target_uri, "line": there.line}
            for there in report.already_there
        ],
        "skipped": skips(report.skipped),
    }


def _listing(report: deciding.Listing) -> Fields:
    return {
        "mode": report.mode,
        "lastRun": iso(report.last_run),
        "suggestions": suggestions(report.suggestions),
        "care": suggestions(report.care),
        "written": report.written,
        "decided": [decided_fields(decided) for decided in report.decided],
        "skipped": [],
    }


def _maybes(report: deciding.Maybes) -> Fields:
    return {
        "mode": report.mode,
        "lastRun": iso(report.last_run),
        "suggestions": [maybe_fields(fact) for fact in report.facts],
        "care": [],
        "written": 0,
        "decided": [],
        "skipped": [],
    }


def _shown(report: deciding.Shown) -> Fields:
    return {
        "suggestion": suggestion_fields(report.suggestion),
        "similar": [suggestion.id for suggestion in report.similar],
        "replanned": report.was_replanned,
        "danger": report.danger,
        "contradictions": [contradiction_fields(pair) for pair in report.contradictions],
    }


def _applied(report: deciding.Applied) -> Fields:
    return {
        "applied": suggestions(report.suggestions),
        "similar": [suggestion.id for suggestion in report.similar],
        "heldBack": skips(report.held_back),
    }


def _dismissed(report: deciding.Dismissed) -> Fields:
    dismissed = [*suggestions(report.suggestions), *map(maybe_fields, report.maybes)]
    return {"dismissed": dismissed, "onlyHere": report.only_here}


def _undone(report: deciding.Undone) -> Fields:
    return {
        "decision": _taken(report.taken),
        "undone": list(report.contents),
        "paths": list(report.paths),
        "facts": list(report.facts),
    }


def _taken(taken: deciding.Taken) -> Fields:
    return {
        "at": iso(taken.at),
        "verb": taken.verb,
        "ids": list(taken.ids),
        "contents": list(taken.contents),
        "paths": list(taken.paths),
    }


def _taken_rows(report: deciding.TakenRows) -> Fields:
    return {"decisions": [_taken(row) for row in report.rows]}


def _status(report: status.Status) -> Fields:
    return {
        "mode": report.mode,
        "lastRun": iso(report.last_run),
        "pending": report.pending,
        "watcher": report.watcher,
    }


def _notice(report: watching.Notice) -> Fields:
    return {"notice": report.text, "review": report.review, "suggestions": list(report.suggestions)}


def _extraction(extraction: learning.Extraction) -> Fields:
    transcript = extraction.transcript
    fields: Fields = {
        "path": extraction.path,
        "format": transcript.format,
        "sessionId": transcript.session_id,
        "typedTurns": sum(1 for turn in transcript.turns if turn.typed),
        "facts": [candidate_fields(candidate) for candidate in extraction.candidates],
        "skipped": skips(extraction.skipped),
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
        "skipped": skips(report.skipped),
    }


def _transcript_rows(report: looking.TranscriptRows) -> Fields:
    return {
        "transcripts": [
            {
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
            for row in report.rows
        ],
        "skipped": skips(report.skipped),
    }


def _transcript_shown(report: looking.TranscriptShown) -> Fields:
    transcript: Transcript = report.transcript
    return {
        "format": transcript.format,
        "sessionId": transcript.session_id,
        "workspace": transcript.workspace,
        "trust": transcript.trust,
        "typedMessages": report.share.typed,
        "allMessages": report.share.messages,
        "turns": [
            {
                "number": turn.number,
                "role": turn.role,
                "typed": turn.typed,
                "quoted": [list(stretch) for stretch in turn.quoted],
                "doubtful": [list(stretch) for stretch in turn.doubtful],
                "cwd": turn.cwd,
                "at": turn.at.isoformat() if turn.at else None,
                "branch": turn.branch,
                "paths": list(turn.paths),
                "signals": signal_fields(turn.signals),
            }
            for turn in transcript.turns
        ],
        "skipped": skips(transcript.skipped),
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
        "loadedBy": list(row.others),
        "warnings": list(row.warnings),
    }


def _target_rows(report: looking.TargetRows) -> Fields:
    return {
        "file": report.source_file,
        "tokens": report.tokens,
        "budget": report.budget,
        "targets": [_target_row(row) for row in report.rows],
        "skipped": skips(report.skipped),
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
    return {"query": report.query, "facts": [fact_fields(fact) for fact in report.facts]}


def _fact_shown(report: facts.FactShown) -> Fields:
    return {
        "fact": fact_fields(report.fact),
        "inSharedFile": report.in_shared_file,
        "note": report.note,
        "decisions": [decided_fields(decided) for decided in report.decisions],
        "contradictions": [contradiction_fields(pair) for pair in report.contradictions],
    }


def _fact_changed(report: facts.FactChanged) -> Fields:
    return {"did": report.verb, "fact": fact_fields(report.fact), "danger": report.danger}


def _pruned(report: facts.Pruned) -> Fields:
    return {"dryRun": report.is_dry, "facts": [fact_fields(fact) for fact in report.facts]}


def _checked(report: facts.Checked) -> Fields:
    return {"path": report.path, "facts": report.facts, "problems": skips(report.problems)}


def _importable(row: facts.Importable) -> Fields:
    return {
        "verdict": row.verdict,
        "fact": fact_fields(row.fact),
        "other": fact_fields(row.other) if row.other else None,
    }


def _imported(report: facts.Imported) -> Fields:
    return {
        "path": report.path,
        "facts": [_importable(row) for row in report.rows],
        "skipped": skips(report.skipped),
    }


def _examined(report: doctor.Examined) -> Fields:
    checks = [
        {"area": one.area, "name": one.name, "health": one.health, "text": one.text, "hint": one.hint}
        for one in report.checks
    ]
    return {"version": report.version, "checks": checks}


def _settings_shown(report: plain.SettingsShown) -> Fields:
    return {
        "settings": {name: {"value": value.value, "source": value.source} for name, value in report.values.items()},
        "ignored": skips(report.ignored),
    }


def _proposal(proposal: pull_request.Proposal) -> Fields:
    change = proposal.change
    lines = None if change is None else {"first": change.first, "last": change.last, "text": list(change.lines)}
    fields = {"whyHere": proposal.why_here, "lines": lines, "inDiff": proposal.is_in_diff}
    return suggestion_fields(proposal.suggestion) | fields


def _pull_request(report: pull_request.PullRequestReport) -> Fields:
    return {
        "base": report.base,
        "suggestions": [_proposal(proposal) for proposal in report.proposals],
        "elsewhere": report.elsewhere,
        "unmerged": report.unmerged,
        "skipped": skips(report.skipped),
    }


def _text(report: plain.Text) -> Fields:
    return dict(report.payload)


_RENDERERS: dict[type, Callable[[Any], Fields]] = {
    learning.Reconciled: _reconciled,
    deciding.Listing: _listing,
    deciding.Maybes: _maybes,
    deciding.Shown: _shown,
    deciding.Applied: _applied,
    deciding.Dismissed: _dismissed,
    deciding.Undone: _undone,
    deciding.TakenRows: _taken_rows,
    status.Status: _status,
    watching.Notice: _notice,
    learning.Extracted: _extracted,
    looking.TranscriptRows: _transcript_rows,
    looking.TranscriptShown: _transcript_shown,
    looking.TargetRows: _target_rows,
    looking.Ranking: _ranking,
    facts.FactRows: _fact_rows,
    facts.FactShown: _fact_shown,
    facts.FactChanged: _fact_changed,
    facts.Checked: _checked,
    facts.Pruned: _pruned,
    facts.Importable: _importable,
    facts.Imported: _imported,
    models.ConsentShown: consent_fields,
    models.UsageShown: usage_fields,
    models.Consolidated: consolidated_fields,
    asking.Asked: asked_fields,
    asking.NothingAsked: nothing_fields,
    asking.Answered: answered_fields,
    doctor.Examined: _examined,
    plain.SettingsShown: _settings_shown,
    plain.Text: _text,
    pull_request.PullRequestReport: _pull_request,
}
