"""Facts, their evidence, and what was skipped: the shapes that many reports share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict, cast

from memsuggest.model import FactStatus, Kind, Outcome, Scope, Trust

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import Candidate, Citation, MemoryFact, Signals, Skipped


class SkippedJson(TypedDict):
    """Something that was left out."""

    what: Annotated[str, "What was left out: a file, an entry, a sentence."]
    why: str


class CitationJson(TypedDict):
    """What was said, word for word, and where."""

    sessionId: Annotated[str, "The chat's own id."]
    turn: Annotated[int, "The number of the message in the chat, from 1."]
    quote: Annotated[str, "The words, without secrets; at most 300 characters."]
    paths: Annotated[list[str], "Files mentioned nearby, relative to the repo's root where they lie in it."]
    trust: Annotated[Trust, "Where the words come from."]
    format: Annotated[str, "The format of the transcript; empty where nobody knows."]
    at: Annotated[str | None, "When it was said, as ISO 8601."]


class FactJson(TypedDict):
    """Something that is remembered."""

    id: Annotated[str, "Stays the same when the wording is edited."]
    content: Annotated[str, "The rule, in a line."]
    reason: Annotated[str, "Why it is so, if anybody said; else empty."]
    kind: Kind
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about the person, everywhere."]
    confidence: Annotated[float, "From 0 to 1."]
    outcome: Annotated[Outcome, "`suggest`: sure enough to be suggested; `maybe`: kept aside."]
    status: Annotated[FactStatus, "`inactive` facts were replaced, and are kept for the record."]
    supersededBy: Annotated[str | None, "The id of the fact that replaced it."]
    tags: list[str]
    timestamp: Annotated[int, "Of the earliest evidence, in milliseconds since 1970."]
    sourceSessionId: Annotated[str, "A hash of the chat of the earliest evidence."]
    citations: Annotated[list[CitationJson], "The evidence."]


class CandidateJson(TypedDict):
    """Something worth remembering in a transcript; nothing is stored yet, so it has no id."""

    content: Annotated[str, "The rule, in a line."]
    reason: Annotated[str, "Why it is so, if anybody said; else empty."]
    kind: Kind
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about the person, everywhere."]
    confidence: Annotated[float, "From 0 to 1."]
    outcome: Annotated[Outcome, "`suggest`: sure enough to be suggested; `maybe`: kept aside."]
    foundBy: Annotated[str, "The rule or the model that found it."]
    explicit: Annotated[bool, "Whether it was a directive, such as `remember: …`."]
    tags: list[str]
    citations: Annotated[list[CitationJson], "The evidence."]


class SignalsJson(TypedDict, total=False):
    """What the format tells about a message besides its text; only what there is."""

    vote: Annotated[int, "1 up, -1 down; on the assistant's message that was voted on."]
    afterInterruption: Annotated[bool, "The person stopped the assistant right before typing this."]
    rejectedTool: Annotated[str, "The tool call whose rejection this text explains."]
    remember: Annotated[bool, "The assistant's own command for remembering was used."]
    undone: Annotated[bool, "The edits of this message were undone."]
    kept: Annotated[bool, "The edits of this message were kept explicitly."]
    changed: Annotated[bool, "The edits of this message were changed before they were kept."]
    editedCommand: Annotated[str, "The command line as the person corrected it."]
    proposedCommand: Annotated[str, "The same as the assistant had proposed it."]
    customizations: Annotated[list[str], "Customization files, agents and skills in use."]
    model: str
    agent: Annotated[str, "Which agent, mode or participant of the assistant answered."]


def skips(skipped: Iterable[Skipped]) -> list[SkippedJson]:
    """Return what was skipped, and why."""
    return [{"what": skip.what, "why": skip.why} for skip in skipped]


def citations(citations: Iterable[Citation]) -> list[CitationJson]:
    """Return the evidence."""
    return [
        {
            "sessionId": citation.session_id,
            "turn": citation.turn,
            "quote": citation.quote,
            "paths": list(citation.paths),
            "trust": citation.trust,
            "format": citation.format,
            "at": citation.at.isoformat() if citation.at else None,
        }
        for citation in citations
    ]


def signals_json(signals: Signals) -> SignalsJson:
    """Return the signals that there are."""
    told: SignalsJson = {
        "vote": signals.vote,
        "afterInterruption": signals.after_interruption,
        "rejectedTool": signals.rejected_tool or "",
        "remember": signals.remember,
        "undone": signals.undone,
        "kept": signals.kept,
        "changed": signals.changed,
        "editedCommand": signals.edited_command or "",
        "proposedCommand": signals.proposed_command or "",
        "customizations": list(signals.customizations),
        "model": signals.model or "",
        "agent": signals.agent or "",
    }
    return cast("SignalsJson", {name: value for name, value in told.items() if value})


def fact_json(fact: MemoryFact) -> FactJson:
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


def facts_json(facts: Iterable[MemoryFact]) -> list[FactJson]:
    """Return facts in their order."""
    return [fact_json(fact) for fact in facts]


def candidate_json(candidate: Candidate) -> CandidateJson:
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
