"""Facts as a document that a person keeps or takes elsewhere: everything as JSON, the readable part as Markdown.

Pure. The JSON holds all there is, quotes included: it is the person's own copy.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

from memsuggest.model import FactStatus, Kind, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.model import Citation, MemoryFact

VERSION = 1

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
    ordered = [_as_json(fact) for fact in sorted(facts, key=lambda fact: fact.id)]
    return json.dumps({"version": VERSION, "facts": ordered}, indent=2, ensure_ascii=True) + "\n"


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


def _as_json(fact: MemoryFact) -> dict[str, object]:
    return {
        "id": fact.id,
        "content": fact.content,
        "reason": fact.reason,
        "kind": fact.kind.value,
        "scope": fact.scope.value,
        "confidence": fact.confidence,
        "citations": [_citation_as_json(citation) for citation in fact.citations],
        "timestamp": fact.timestamp,
        "sourceSessionId": fact.source_session_id,
        "tags": list(fact.tags),
        "paths": list(fact.paths),
        "supersededBy": fact.superseded_by,
        "status": fact.status.value,
    }


def _citation_as_json(citation: Citation) -> dict[str, object]:
    return {
        "sessionId": citation.session_id,
        "turn": citation.turn,
        "quote": citation.quote,
        "paths": list(citation.paths),
        "trust": citation.trust.value,
        "at": citation.at.isoformat() if citation.at else None,
        "format": citation.format,
    }


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
