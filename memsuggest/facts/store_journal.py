"""The journal of the stores for `undo`: both as they were and as they became, written down first.

A row belongs to an entry of the journal of edits, which says in which order things are undone and whether they were
finished.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from memsuggest.core.database import transaction
from memsuggest.core.model import Decision, MemoryFact, SuggestionStatus, Tombstone
from memsuggest.facts.profile_rows import citation_of, evidence_values, fact_of, fact_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The stores before or after a change, as far as it concerns them."""

    shared: str | None = None
    """The text of the team's file; None where it is not touched."""
    facts: tuple[MemoryFact, ...] = ()  # in the profile
    decisions: tuple[Decision, ...] = ()  # in the profile, about these facts
    gone: tuple[Tombstone, ...] = ()  # in the profile, of facts that this side lacks
    silenced: tuple[str, ...] = ()
    """Of the chats that the change is about, those that are never read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreChange:
    """One change of the stores."""

    before: Side
    after: Side


def store_journal_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE journal_stores (entry INTEGER PRIMARY KEY REFERENCES journal ON DELETE CASCADE,"
        " before TEXT NOT NULL, after TEXT NOT NULL)"
    )


MIGRATIONS = (store_journal_m001,)


def note_change(connection: sqlite3.Connection, entry: int, change: StoreChange) -> None:
    """Write down what is about to happen to the stores as a part of an entry of the journal."""
    with transaction(connection):
        connection.execute(
            "INSERT INTO journal_stores VALUES (?, ?, ?)", (entry, _encode(change.before), _encode(change.after))
        )


def change_of(connection: sqlite3.Connection, entry: int) -> StoreChange | None:
    """Return what an entry does to the stores; None for one that only edits files."""
    row = connection.execute("SELECT before, after FROM journal_stores WHERE entry = ?", (entry,)).fetchone()
    return None if row is None else StoreChange(before=_decode(row["before"]), after=_decode(row["after"]))


def forget_changes(connection: sqlite3.Connection, fact_ids: Iterable[str]) -> None:
    """Let go of entries that would bring forgotten facts back, with all that they keep of them."""
    with transaction(connection):
        for name in fact_ids:
            connection.execute(
                "DELETE FROM journal WHERE instr(about, ?1) OR number IN"
                " (SELECT entry FROM journal_stores WHERE instr(before, ?1) OR instr(after, ?1))",
                (json.dumps(name),),
            )


def _encode(side: Side) -> str:
    content = {
        "shared": side.shared,
        "facts": [
            {"id": fact.id, **fact_values(fact), "evidence": [evidence_values(item) for item in fact.citations]}
            for fact in side.facts
        ],
        "decisions": [[item.fact_id, item.target, item.status] for item in side.decisions],
        "silenced": list(side.silenced),
        "gone": [[item.fact_id, item.words, list(item.evidence), item.into] for item in side.gone],
    }
    return json.dumps(content, ensure_ascii=False)


def _decode(text: str) -> Side:
    side = json.loads(text)
    return Side(
        shared=side["shared"],
        facts=tuple(
            fact_of(row, tuple(citation_of({"in_use": "[]"} | item) for item in row["evidence"]))
            for row in side["facts"]
        ),
        decisions=tuple(
            Decision(fact_id=fact, target=target, status=SuggestionStatus(status))
            for fact, target, status in side["decisions"]
        ),
        gone=tuple(
            Tombstone(fact_id=fact, words=words, evidence=tuple(evidence), into=into)
            for fact, words, evidence, into in side["gone"]
        ),
        silenced=tuple(side.get("silenced", ())),
    )
