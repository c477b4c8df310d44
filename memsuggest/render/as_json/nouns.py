"""The nouns as JSON objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.whereabouts import has_new_heading

if TYPE_CHECKING:
    from memsuggest.model import Candidate, Citation, Contradiction, MemoryFact, MemorySuggestion, Signals, Skipped
    from memsuggest.reports import deciding

Fields = dict[str, Any]


def skips(skipped: tuple[Skipped, ...]) -> list[Fields]:
    """Return what was skipped, and why."""
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


def citations(citations: tuple[Citation, ...]) -> list[Fields]:
    """Return the evidence."""
    return [_citation(citation) for citation in citations]


def signal_fields(signals: Signals) -> Fields:
    """Return the signals that there are."""
    told = {
        "vote": signals.vote,
        "afterInterruption": signals.after_interruption,
        "rejectedTool": signals.rejected_tool,
        "remember": signals.remember,
        "undone": signals.undone,
        "kept": signals.kept,
        "changed": signals.changed,
        "editedCommand": signals.edited_command,
        "proposedCommand": signals.proposed_command,
        "customizations": list(signals.customizations),
        "model": signals.model,
        "agent": signals.agent,
    }
    return {name: value for name, value in told.items() if value}


def fact_fields(fact: MemoryFact) -> Fields:
    """Return a fact."""
    return {
        "id": fact.id,
        "content": fact.content,
        "reason": fact.reason,
        "kind": fact.kind,
        "scope": fact.scope,
        "confidence": fact.confidence,
        "outcome": fact.outcome,
        "status": fact.status,
        "supersededBy": fact.superseded_by,
        "tags": list(fact.tags),
        "timestamp": fact.timestamp,
        "sourceSessionId": fact.source_session_id,
        "citations": citations(fact.citations),
    }


def suggestion_fields(suggestion: MemorySuggestion) -> Fields:
    """Return a suggestion with its diff."""
    fact = suggestion.fact
    return {
        "id": suggestion.id,
        "factId": fact.id if fact else None,
        "content": suggestion.content,
        "kind": fact.kind if fact else None,
        "cause": suggestion.care.cause if suggestion.care else "fact",
        "scope": fact.scope if fact else None,
        "confidence": fact.confidence if fact else None,
        "outcome": fact.outcome if fact else None,
        "citations": citations(suggestion.citations),
        "targetType": suggestion.target_type,
        "targetUri": suggestion.target_uri,
        "suggestedFileName": suggestion.suggested_file_name,
        "suggestedMergeContent": suggestion.suggested_merge_content,
        "heading": suggestion.heading,
        "newHeading": has_new_heading(suggestion),
        "replaces": suggestion.replaces,
        "executable": suggestion.executable,
        "why": suggestion.why,
        "status": suggestion.status,
        "diff": unified(suggestion.edit),
    }


def maybe_fields(fact: MemoryFact) -> Fields:
    """Return what is kept aside in the form of a suggestion: where it would go is planned when it is shown."""
    return {
        "id": fact.id,
        "factId": fact.id,
        "content": fact.content,
        "kind": fact.kind,
        "cause": "fact",
        "scope": fact.scope,
        "confidence": fact.confidence,
        "outcome": fact.outcome,
        "citations": citations(fact.citations),
        "targetType": None,
        "targetUri": None,
        "suggestedFileName": None,
        "suggestedMergeContent": None,
        "heading": None,
        "newHeading": False,
        "replaces": None,
        "executable": False,
        "why": "",
        "status": "pending",
        "diff": "",
    }


def suggestions(suggestions: tuple[MemorySuggestion, ...]) -> list[Fields]:
    """Return suggestions in their order."""
    return [suggestion_fields(suggestion) for suggestion in suggestions]


def contradiction_fields(pair: Contradiction) -> Fields:
    """Return two facts that exclude each other."""
    return {"winner": fact_fields(pair.winner), "loser": fact_fields(pair.loser), "why": pair.why}


def decided_fields(decided: deciding.Decided) -> Fields:
    """Return what was decided about a fact."""
    return {
        "id": decided.fact.id,
        "factId": decided.fact.id,
        "content": decided.fact.content,
        "targetUri": decided.target,
        "status": decided.status,
    }


def candidate_fields(candidate: Candidate) -> Fields:
    """Return a candidate."""
    return {
        "content": candidate.content,
        "reason": candidate.reason,
        "kind": candidate.kind,
        "scope": candidate.scope,
        "confidence": round(candidate.confidence, 3),
        "outcome": candidate.outcome,
        "foundBy": candidate.found_by,
        "explicit": candidate.explicit,
        "tags": list(candidate.tags),
        "citations": citations(candidate.citations),
    }
