"""The pending suggestions of a working tree, as they were shown: a cache in the state database.

Losing it loses nothing: the next `reconcile` makes them again from the facts and the targets.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memsuggest.model import (
    Citation,
    Edit,
    FactStatus,
    Kind,
    MemoryFact,
    MemorySuggestion,
    Scope,
    TargetType,
    Trust,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What `status` says: cheap to read."""

    pending: int
    last_run: int | None
    """Milliseconds since the epoch; None before the first run."""


def pending_m001(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    connection.execute(
        "CREATE TABLE pending (worktree TEXT NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL,"
        " suggestion TEXT NOT NULL, PRIMARY KEY (worktree, id))"
    )
    connection.execute("CREATE TABLE runs (worktree TEXT PRIMARY KEY, at INTEGER NOT NULL)")


MIGRATIONS = (pending_m001,)


def save_pending(connection: sqlite3.Connection, worktree: str, suggestions: Iterable[MemorySuggestion]) -> None:
    """Replace the pending suggestions of a working tree, best first."""
    rows = [
        (worktree, suggestion.id, place, json.dumps(_encode(suggestion)))
        for place, suggestion in enumerate(suggestions)
    ]
    with connection:
        connection.execute("DELETE FROM pending WHERE worktree = ?", (worktree,))
        connection.executemany("INSERT INTO pending VALUES (?, ?, ?, ?)", rows)


def load_pending(connection: sqlite3.Connection, worktree: str) -> list[MemorySuggestion]:
    """Return the pending suggestions of a working tree, best first."""
    rows = connection.execute("SELECT suggestion FROM pending WHERE worktree = ? ORDER BY position", (worktree,))
    return [_decode(json.loads(row[0])) for row in rows]


def note_run(connection: sqlite3.Connection, worktree: str, *, now: int) -> None:
    """Remember when the last run was."""
    with connection:
        connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (worktree, now))


def tally(connection: sqlite3.Connection, worktree: str) -> Tally:
    """Count what is pending."""
    count = connection.execute("SELECT COUNT(*) FROM pending WHERE worktree = ?", (worktree,)).fetchone()[0]
    run = connection.execute("SELECT at FROM runs WHERE worktree = ?", (worktree,)).fetchone()
    return Tally(pending=count, last_run=run[0] if run else None)


def _encode(suggestion: MemorySuggestion) -> dict[str, object]:
    fact = suggestion.fact
    return {
        "id": suggestion.id,
        "targetType": suggestion.target_type,
        "targetUri": suggestion.target_uri,
        "suggestedFileName": suggestion.suggested_file_name,
        "suggestedMergeContent": suggestion.suggested_merge_content,
        "heading": suggestion.heading,
        "replaces": suggestion.replaces,
        "why": suggestion.why,
        "baseDigest": suggestion.base_digest,
        "executable": suggestion.executable,
        "edit": [suggestion.edit.path, suggestion.edit.before, suggestion.edit.after],
        "fact": {
            "id": fact.id,
            "content": fact.content,
            "reason": fact.reason,
            "kind": fact.kind,
            "scope": fact.scope,
            "confidence": fact.confidence,
            "timestamp": fact.timestamp,
            "sourceSessionId": fact.source_session_id,
            "status": fact.status,
            "tags": fact.tags,
            "paths": fact.paths,
            "citations": [_encode_citation(citation) for citation in fact.citations],
        },
    }


def _encode_citation(citation: Citation) -> list[object]:
    at = citation.at.isoformat() if citation.at else None
    return [citation.session_id, citation.turn, citation.quote, citation.paths, citation.trust, at, citation.format]


def _decode(raw: dict[str, object]) -> MemorySuggestion:
    edit: list[str | None] = raw["edit"]  # type: ignore[assignment]
    path, before, after = edit
    return MemorySuggestion(
        id=str(raw["id"]),
        fact=_decode_fact(raw["fact"]),  # type: ignore[arg-type]
        target_type=TargetType(str(raw["targetType"])),
        target_uri=raw["targetUri"],  # type: ignore[arg-type]
        suggested_file_name=raw["suggestedFileName"],  # type: ignore[arg-type]
        suggested_merge_content=str(raw["suggestedMergeContent"]),
        heading=raw["heading"],  # type: ignore[arg-type]
        replaces=raw["replaces"],  # type: ignore[arg-type]
        why=str(raw["why"]),
        base_digest=str(raw["baseDigest"]),
        executable=bool(raw["executable"]),
        edit=Edit(path=str(path), before=before, after=after),
    )


def _decode_fact(raw: dict[str, object]) -> MemoryFact:
    citations: list[list[object]] = raw["citations"]  # type: ignore[assignment]
    return MemoryFact(
        id=str(raw["id"]),
        content=str(raw["content"]),
        reason=str(raw["reason"]),
        kind=Kind(str(raw["kind"])),
        scope=Scope(str(raw["scope"])),
        confidence=float(str(raw["confidence"])),
        timestamp=int(str(raw["timestamp"])),
        source_session_id=str(raw["sourceSessionId"]),
        status=FactStatus(str(raw["status"])),
        tags=tuple(raw["tags"]),  # type: ignore[arg-type]
        paths=tuple(raw["paths"]),  # type: ignore[arg-type]
        citations=tuple(_decode_citation(citation) for citation in citations),
    )


def _decode_citation(raw: list[object]) -> Citation:
    session, turn, quote, paths, trust, at, name = raw
    return Citation(
        session_id=str(session),
        turn=int(str(turn)),
        quote=str(quote),
        paths=tuple(paths),  # type: ignore[arg-type]
        trust=Trust(str(trust)),
        at=datetime.fromisoformat(str(at)) if at else None,
        format=str(name),
    )
