"""The keys of suggestions and maybes, as reports print them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, TypeAlias, TypedDict

from memsuggest.json_shape import From, constant
from memsuggest.model import (
    Cause,
    Citation,
    Kind,
    MemoryFact,
    MemorySuggestion,
    Outcome,
    Scope,
    SuggestionStatus,
    TargetType,
)
from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.listed import has_new_heading


class SuggestionJson(TypedDict):
    """A fact for a file, or what a file needs by itself, with its diff."""

    id: Annotated[str, "What `show`, `apply` and `dismiss` take, or its beginning of four characters or more."]
    factId: Annotated[str | None, "The fact; null where `cause` is another than `fact`.", From("fact.id")]
    content: Annotated[str, "The rule; where there is no fact, what is wrong with the file."]
    kind: Annotated[Kind | None, From("fact.kind")]
    cause: Annotated[
        Literal["fact"] | Cause,
        "`fact`: something was said; else what the file needs by itself.",
        From("maintenance.cause", lambda cause: cause or "fact"),
    ]
    scope: Annotated[Scope | None, "Whom it concerns.", From("fact.scope")]
    confidence: Annotated[float | None, "From 0 to 1.", From("fact.confidence")]
    outcome: Annotated[Outcome | None, From("fact.outcome")]
    citations: Annotated[list[Citation], "The evidence."]
    targetType: Annotated[TargetType, "The kind of file it goes to."]
    targetUri: Annotated[str | None, "The file, relative to the root, or `~/…`; null for a new one."]
    suggestedFileName: Annotated[str | None, "The name of a new file."]
    suggestedMergeContent: Annotated[str, "The lines as they are to stand in the file."]
    heading: Annotated[str | None, "The heading under which they go."]
    newHeading: Annotated[bool, "Whether that heading is new.", From(".", has_new_heading)]
    replaces: Annotated[str | None, "The line of the file that is replaced or merged."]
    executable: Annotated[bool, "Whether it makes an assistant run or be allowed something: confirmed by itself only."]
    contradicts: Annotated[bool, "Whether the line that it replaces says the opposite: confirmed by itself only."]
    weakens: Annotated[bool, "Whether a model says that it weakens safety: confirmed by itself only."]
    why: Annotated[str, "Why this file, and this place in it."]
    status: SuggestionStatus
    diff: Annotated[str, "What would be written, as a unified diff.", From("edit", unified)]


class MaybeJson(TypedDict):
    """A maybe, with the keys of a suggestion; its place is planned when it is shown."""

    id: Annotated[str, "What `show`, `apply` and `dismiss` take."]
    factId: Annotated[str, From("id")]
    content: Annotated[str, "What was said, in a line."]
    kind: Kind
    cause: Annotated[Literal["fact"], constant("fact")]
    scope: Annotated[Scope, "Whom it concerns."]
    confidence: Annotated[float, "From 0 to 1."]
    outcome: Outcome
    citations: Annotated[list[Citation], "The evidence."]
    targetType: None
    targetUri: None
    suggestedFileName: None
    suggestedMergeContent: None
    heading: None
    newHeading: Annotated[bool, "Always false.", constant(False)]
    replaces: None
    executable: Annotated[bool, "Always false.", constant(False)]
    contradicts: Annotated[bool, "Always false.", constant(False)]
    weakens: Annotated[bool, "Always false.", constant(False)]
    why: Annotated[str, "Always empty.", constant("")]
    status: Annotated[Literal[SuggestionStatus.PENDING], constant(SuggestionStatus.PENDING)]
    diff: Annotated[str, "Always empty.", constant("")]


def ids_of(suggestions: Iterable[MemorySuggestion]) -> list[str]:
    """Return the ids of suggestions."""
    return [suggestion.id for suggestion in suggestions]


SuggestionView: TypeAlias = Annotated[MemorySuggestion, SuggestionJson]
MaybeView: TypeAlias = Annotated[MemoryFact, MaybeJson]
