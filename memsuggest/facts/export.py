"""Facts as a document that a person keeps or takes elsewhere: everything as JSON, the readable part as Markdown.

Pure. The JSON holds all there is, quotes included: it is the person's own copy.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Annotated, TypedDict

from memsuggest.core.json_shape import From, fill
from memsuggest.core.model import Citation, FactStatus, Kind, MemoryFact, Scope, Trust

VERSION = 1


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


class ExportedCitationJson(TypedDict):
    """A verbatim quote from a chat, with its location."""

    sessionId: Annotated[str, "The chat's id."]
    turn: Annotated[int, "Number of the message in the chat, starting at 1."]
    quote: Annotated[str, "The quoted text, with secrets redacted; at most 300 characters."]
    paths: Annotated[list[str], "Files mentioned nearby; those inside the repo are relative to its root."]
    trust: Annotated[Trust, "Source of the quote."]
    at: Annotated[str | None, "Time of the message, as ISO 8601.", From(to=_iso)]
    format: Annotated[str, "Transcript format; empty if unknown."]


class ExportedFactJson(TypedDict):
    """A complete fact, as `memory import --facts` reads it."""

    id: str
    content: Annotated[str, "The rule, on one line."]
    reason: Annotated[str, "The stated reason; empty if none was given."]
    kind: Kind
    scope: Annotated[Scope, "`workspace`: applies to this repo; `user`: applies to you in every repo."]
    confidence: Annotated[float, "Between 0 and 1."]
    citations: Annotated[list[ExportedCitationJson], "The evidence."]
    timestamp: Annotated[int, "Time of the earliest evidence, in milliseconds since 1970."]
    sourceSessionId: Annotated[str, "Hash of the chat with the earliest evidence."]
    tags: list[str]
    paths: Annotated[list[str], "Files it is about."]
    supersededBy: Annotated[str | None, "Id of the fact that replaced it."]
    status: FactStatus


class ExportJson(TypedDict):
    """All facts with all their evidence."""

    version: Annotated[int, "1."]
    facts: Annotated[list[ExportedFactJson], "Sorted by id."]


_SCOPES = {Scope.WORKSPACE: "This workspace", Scope.USER: "Everywhere"}
_KINDS = {
    Kind.CORRECTION: "Corrections",
    Kind.CONVENTION: "Conventions",
    Kind.PREFERENCE: "Preferences",
    Kind.PROCEDURE: "Procedures",
    Kind.TERMINOLOGY: "Terminology",
    Kind.FACT: "Facts",
    Kind.SKILL: "Skills",
    Kind.OBSERVATION: "Observations",
}


def to_json(facts: Iterable[MemoryFact]) -> str:
    """Return facts with all their evidence as JSON, sorted by id."""
    ordered = [fill(ExportedFactJson, fact) for fact in sorted(facts, key=lambda fact: fact.id)]
    export = {"version": VERSION, "facts": ordered}
    return json.dumps(export, indent=2, ensure_ascii=True) + "\n"


def to_markdown(facts: Iterable[MemoryFact]) -> str:
    """Return facts as a Markdown list by scope and kind, each with why it is there and who said it when."""
    scopes, kinds = list(_SCOPES), list(_KINDS)
    ordered = sorted(
        facts, key=lambda fact: (scopes.index(fact.scope), kinds.index(fact.kind), fact.timestamp, fact.id)
    )
    lines = ["# Facts"] if ordered else ["# Facts", "", "None yet."]
    for scope, of_scope in groupby(ordered, key=lambda fact: fact.scope):
        lines += ["", f"## {_SCOPES[scope]}"]
        for kind, of_kind in groupby(of_scope, key=lambda fact: fact.kind):
            lines += ["", f"### {_KINDS[kind]}", ""]
            lines += [line for fact in of_kind for line in _bullet(fact)]
    return "\n".join(lines) + "\n"


def _bullet(fact: MemoryFact) -> Iterator[str]:
    yield f"- {_line(fact.content)}"
    if fact.status is FactStatus.INACTIVE:
        yield f"  - retired{f', replaced by `{fact.superseded_by}`' if fact.superseded_by else ''}"
    if fact.reason:
        yield f"  - why: {_line(fact.reason)}"
    for citation in fact.citations:
        if citation.quote:
            yield f"  - said: “{_line(citation.quote)}” ({_where(citation)})"
    if paths := fact.cited_paths:
        yield "  - files: " + ", ".join(f"`{_line(path)}`" for path in paths)
    yield f"  - id: `{fact.id}`, confidence {fact.confidence:.2f}"


def _where(citation: Citation) -> str:
    day = f", {citation.at:%Y-%m-%d}" if citation.at else ""
    trust = "" if citation.trust == "typed" else f", {citation.trust.value}"
    return f"chat `{_line(citation.session_id)[:40]}`, turn {citation.turn}{day}{trust}"


def _line(text: str) -> str:
    return " ".join(text.split())
