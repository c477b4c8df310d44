"""Suggestions, maybes and what was decided, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from memsuggest.model import Cause, Kind, Outcome, Scope, SuggestionStatus, TargetType
from memsuggest.render.as_json.noun_shapes import CitationJson, FactJson, citations, fact_json
from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.place_line import has_new_heading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import Contradiction, MemoryFact, MemorySuggestion
    from memsuggest.reports import decision_reports


class SuggestionJson(TypedDict):
    """A fact for a file, or what a file needs by itself, with its diff."""

    id: Annotated[str, "What `show`, `apply` and `dismiss` take, or its beginning of four characters or more."]
    factId: Annotated[str | None, "The fact; null where `cause` is another than `fact`."]
    content: Annotated[str, "The rule; where there is no fact, what is wrong with the file."]
    kind: Kind | None
    cause: Annotated[Literal["fact"] | Cause, "`fact`: something was said; else what the file needs by itself."]
    scope: Annotated[Scope | None, "Whom it concerns."]
    confidence: Annotated[float | None, "From 0 to 1."]
    outcome: Outcome | None
    citations: Annotated[list[CitationJson], "The evidence."]
    targetType: Annotated[TargetType, "The kind of file it goes to."]
    targetUri: Annotated[str | None, "The file, relative to the root, or `~/…`; null for a new one."]
    suggestedFileName: Annotated[str | None, "The name of a new file."]
    suggestedMergeContent: Annotated[str, "The lines as they are to stand in the file."]
    heading: Annotated[str | None, "The heading under which they go."]
    newHeading: Annotated[bool, "Whether that heading is new."]
    replaces: Annotated[str | None, "The line of the file that is replaced or merged."]
    executable: Annotated[bool, "Whether it makes an assistant run or be allowed something: confirmed by itself only."]
    why: Annotated[str, "Why this file, and this place in it."]
    status: SuggestionStatus
    diff: Annotated[str, "What would be written, as a unified diff."]


class MaybeJson(TypedDict):
    """What is kept aside, with the keys of a suggestion; where it would go is planned when it is shown."""

    id: Annotated[str, "What `show`, `apply` and `dismiss` take."]
    factId: str
    content: Annotated[str, "What was said, in a line."]
    kind: Kind
    cause: Literal["fact"]
    scope: Annotated[Scope, "Whom it concerns."]
    confidence: Annotated[float, "From 0 to 1."]
    outcome: Outcome
    citations: Annotated[list[CitationJson], "The evidence."]
    targetType: None
    targetUri: None
    suggestedFileName: None
    suggestedMergeContent: None
    heading: None
    newHeading: Annotated[bool, "Always false."]
    replaces: None
    executable: Annotated[bool, "Always false."]
    why: Annotated[str, "Always empty."]
    status: Literal[SuggestionStatus.PENDING]
    diff: Annotated[str, "Always empty."]


class DecidedJson(TypedDict):
    """A fact and what was decided about it."""

    id: Annotated[str, "The same as `factId`."]
    factId: str
    content: Annotated[str, "The rule."]
    targetUri: Annotated[str | None, "The file that it was decided for; null: for all."]
    status: SuggestionStatus


class ContradictionJson(TypedDict):
    """Two facts that cannot both hold."""

    winner: Annotated[FactJson, "What was said later."]
    loser: FactJson
    why: str


def suggestion_json(suggestion: MemorySuggestion) -> SuggestionJson:
    """Return a suggestion with its diff."""
    fact = suggestion.fact
    return {
        "id": suggestion.id,
        "factId": fact.id if fact else None,
        "content": suggestion.content,
        "kind": fact.kind if fact else None,
        "cause": suggestion.maintenance.cause if suggestion.maintenance else "fact",
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


def suggestions_json(suggestions: Iterable[MemorySuggestion]) -> list[SuggestionJson]:
    """Return suggestions in their order."""
    return [suggestion_json(suggestion) for suggestion in suggestions]


def maybe_json(fact: MemoryFact) -> MaybeJson:
    """Return what is kept aside in the form of a suggestion."""
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
        "status": SuggestionStatus.PENDING,
        "diff": "",
    }


def decided_json(decided: decision_reports.Decided) -> DecidedJson:
    """Return what was decided about a fact."""
    return {
        "id": decided.fact.id,
        "factId": decided.fact.id,
        "content": decided.fact.content,
        "targetUri": decided.target,
        "status": decided.status,
    }


def contradiction_json(pair: Contradiction) -> ContradictionJson:
    """Return two facts that exclude each other."""
    return {"winner": fact_json(pair.winner), "loser": fact_json(pair.loser), "why": pair.why}
