"""This person's memory: every accepted fact with its evidence, what was decided and what was forgotten, in SQLite.

Facts of a workspace are kept by the workspace's key; user facts (key "") belong to every workspace. `rows` knows the
tables; what may become a fact is decided in `accept`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from operator import is_not
from pathlib import Path
from typing import Any

from memsuggest.core.database import open_database, store_errors, transaction
from memsuggest.core.errors import StoreError
from memsuggest.core.model import (
    SUGGEST_FROM,
    Citation,
    Decision,
    MemoryFact,
    Scope,
    SuggestionStatus,
    Tombstone,
    is_maybe,
)
from memsuggest.facts import profile_rows as rows
from memsuggest.facts.fact_store import Contents, Place, without_secrets
from memsuggest.memory.entry_store import REPAIR, EntryStore, rebuild_index
from memsuggest.memory.fact_entry import fact_entry

_Known = tuple[tuple[Any, ...], MemoryFact]


def open_profile(path: Path, *, workspace: str, read_only: bool = False) -> Profile:
    """Open this person's memory as seen from the workspace of that key; StoreError when that cannot be."""
    return Profile(open_database(path, rows.MIGRATIONS, read_only=read_only), workspace=workspace)


class Profile:
    """The profile database, as one workspace and the person's own facts are kept in it."""

    def __init__(self, connection: sqlite3.Connection, *, workspace: str) -> None:
        self._connection = connection
        self._run = connection.execute
        self._workspace = workspace
        self._last: tuple[tuple[int, int], Contents] | None = None
        """What was read last, and at which state of the database."""
        self._known: dict[int | None, _Known] = {}
        """Facts by their rows, with what stood there, whose evidence is the same: most of it never changes."""

    @cached_property
    def entries(self) -> EntryStore:
        """The layers of memory; facts that are sure enough stand in the one of knowledge."""
        return EntryStore(self._connection, project=self._workspace)

    def close(self) -> None:
        self._connection.close()

    def contents(self) -> Contents:
        """Return this workspace's and the person's own facts, decisions and tombstones."""
        with self._reading():
            if self._connection.in_transaction:  # which may be taken back
                return self._read({})
            state = self.version
            if self._last is None or self._last[0] != state:
                if self._last and self._last[0][0] != state[0]:  # another program wrote
                    self._known.clear()
                self._last = (state, self._read(self._known))
            return self._last[1]

    @property
    def version(self) -> tuple[int, int]:
        """Return numbers that are others once anything was stored, by this program or by another one."""
        with store_errors(self._connection):
            others = self._run("PRAGMA data_version").fetchone()[0]
        return others, self._connection.total_changes

    def _read(self, known: dict[int | None, _Known]) -> Contents:
        """Return the contents, with facts taken from what is known where their rows are the same; know the others."""
        found = self._all("facts", "id, workspace")
        unknown = json.dumps([row["row"] for row in found if row["row"] not in known])
        of_unknown = "fact IN (SELECT value FROM json_each(?))"
        evidence = self._run(f"SELECT * FROM evidence WHERE {of_unknown} ORDER BY fact, position, rowid", (unknown,))  # noqa: S608  # nosec
        by_fact = groupby(evidence, lambda row: row["fact"])
        cited = {fact: tuple(map(rows.kept_citation_of, of_fact)) for fact, of_fact in by_fact}
        facts = []
        for row in found:
            before, stored = known.get(row["row"]), tuple(row)
            if before is None or before[0] != stored:
                citations = before[1].citations if before else cited.get(row["row"], ())
                known[row["row"]] = (stored, rows.fact_of(row, citations))
            facts.append(known[row["row"]][1])
        return Contents(
            facts=tuple(facts),
            decisions=tuple(
                Decision(fact_id=row["fact_id"], target=row["target"] or None, status=SuggestionStatus(row["status"]))
                for row in self._all("decisions", "fact_id, target")
            ),
            tombstones=self.tombstones(),
        )

    def tombstones(self) -> tuple[Tombstone, ...]:
        """Return what was forgotten, without a look at the facts."""
        with self._reading():
            found = self._all("tombstones", "fact_id")
            evidence = (tuple(json.loads(row["evidence"])) for row in found)
            return tuple(
                Tombstone(fact_id=row["fact_id"], words=row["words"], evidence=keys, into=row["merged_into"])
                for row, keys in zip(found, evidence, strict=True)
            )

    def note_place(self, place: Place) -> None:
        """Remember what a workspace is called and which repository it is a clone of."""
        if place not in self.places():
            values = (place.key, place.name, place.repository)
            with transaction(self._connection):
                self._run("INSERT OR REPLACE INTO places VALUES (?, ?, ?)", values)

    def places(self) -> tuple[Place, ...]:
        """Return the workspaces that this person has worked in."""
        with store_errors(self._connection):
            found = self._run("SELECT workspace, name, repository FROM places ORDER BY 1").fetchall()
        return tuple(Place(key=key, name=name, repository=repository) for key, name, repository in found)

    def add(self, facts: Iterable[MemoryFact]) -> None:
        """Add facts; of one that is there already only evidence is added. Adding brings a forgotten one back."""
        marks = ", ".join("?" * (2 + rows.FACT_COLUMNS.count(",") + 1))
        with transaction(self._connection):
            for fact in map(without_secrets, facts):
                place = (self._key(fact), fact.id)
                self._run("DELETE FROM tombstones WHERE workspace = ? AND fact_id = ?", place)
                values = (*place, *rows.fact_values(fact).values())
                self._run(f"INSERT OR IGNORE INTO facts (workspace, id, {rows.FACT_COLUMNS}) VALUES ({marks})", values)  # noqa: S608  # nosec
                self._unite_evidence(place, fact.citations, is_first=False)
                self._mirror(place)

    def update(self, facts: Iterable[MemoryFact]) -> None:
        """Change facts that are there and unite their evidence; others are not added."""
        settings = ", ".join(f"{column} = ?" for column in rows.FACT_COLUMNS.split(", "))
        kept: dict[int | None, _Known] = {}
        with transaction(self._connection):
            for given in facts:
                place = (self._key(given), given.id)
                where = "workspace IN ('', ?) AND id = ?"
                found = self._run(f"SELECT row FROM facts WHERE {where}", (self._workspace, given.id)).fetchall()  # noqa: S608  # nosec
                row = found[0][0] if len(found) == 1 else None
                # Its evidence, where that was read and nobody else has written since
                is_same = self._last is not None and self._last[0][0] == self.version[0]
                stored = self._known[row][1].citations if is_same and row in self._known else ()
                around = _around(stored, given.citations)
                parts = around or (given.citations, ())
                fact, later = (without_secrets(replace(given, citations=citations)) for citations in parts)
                values = (place[0], *rows.fact_values(fact).values(), self._workspace, fact.id)
                self._run(f"UPDATE facts SET workspace = ?, {settings} WHERE {where}", values)  # noqa: S608  # nosec
                self._unite_evidence(place, fact.citations, is_first=True)
                self._unite_evidence(place, later.citations, is_first=False)
                self._mirror(place)
                if around:
                    kept[row] = ((), replace(fact, citations=(*fact.citations, *stored, *later.citations)))
        if not self._connection.in_transaction:  # which may be taken back
            self._known |= kept

    def forget(self, tombstones: Iterable[Tombstone]) -> None:
        """Remove facts with their evidence and decisions, and leave tombstones."""
        with transaction(self._connection):
            for tombstone in tombstones:
                place = (self._key_of(tombstone.fact_id), tombstone.fact_id)
                self._remove(place)
                values = (*place, tombstone.words, rows.list_text(tombstone.evidence), tombstone.into)
                self._run("INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?)", values)
            # Otherwise the words stay readable in the index and in the database's log. Made anew, not optimized: each
            # time that adds levels to an index, and SQLite reads no more than 2,000.
            rebuild_index(self._connection)
        with suppress(sqlite3.OperationalError):
            self._run("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()

    def drop(self, facts: Iterable[MemoryFact]) -> None:
        """Remove facts with their evidence and leave no tombstone: they were not worth keeping, and may come again."""
        with transaction(self._connection):
            for fact in facts:
                self._remove((self._key_of(fact.id), fact.id))

    def decide(self, decisions: Iterable[Decision]) -> None:
        """Remember decisions; one that is `pending` lifts what was decided before."""
        with transaction(self._connection):
            for decision in decisions:
                place = (self._key_of(decision.fact_id), decision.fact_id, decision.target or "")
                self._run("DELETE FROM decisions WHERE workspace = ? AND fact_id = ? AND target = ?", place)
                if decision.status is not SuggestionStatus.PENDING:
                    values = (*place, decision.status.value)
                    self._run("INSERT INTO decisions VALUES (?, ?, ?, ?)", values)
                if decision.target is None:
                    self._mirror(place[:2])

    def hide(self, dismissed: Collection[str]) -> None:
        """Recall no fact that was dismissed, by the team or by this person, and again those that are not."""
        with store_errors(self._connection):
            found = self._run(
                "SELECT facts.row, workspace, facts.id, entries.row IS NOT NULL FROM facts LEFT JOIN entries"
                " ON fact = facts.row WHERE workspace IN ('', :workspace) AND confidence >= :sure",
                {"workspace": self._workspace, "sure": SUGGEST_FROM},
            ).fetchall()
        with transaction(self._connection):
            for row, workspace, name, is_recalled in found:
                if is_recalled and name in dismissed:
                    self.entries.mirror(row, None)
                elif not is_recalled and name not in dismissed:
                    self._mirror((workspace, name))

    def silence(self, sessions: Iterable[str]) -> None:
        """Remember chats that are never to be read again."""
        self._of_sessions("INSERT OR IGNORE INTO silenced VALUES (?, ?)", sessions)

    def hear(self, sessions: Iterable[str]) -> None:
        """Let chats be read again."""
        self._of_sessions("DELETE FROM silenced WHERE workspace = ? AND session = ?", sessions)

    def _of_sessions(self, statement: str, sessions: Iterable[str]) -> None:
        with transaction(self._connection):
            self._connection.executemany(statement, [(self._workspace, session) for session in sessions])

    def silenced(self) -> frozenset[str]:
        """Return the chats of this workspace that are never to be read again."""
        with store_errors(self._connection):
            rows = self._run("SELECT session FROM silenced WHERE workspace = ?", (self._workspace,))
            return frozenset(row[0] for row in rows)

    def rewrite(self, *, gone: Iterable[Tombstone], facts: Iterable[MemoryFact], decisions: Iterable[Decision]) -> None:
        """Forget what is gone, and hold facts exactly as given, with these decisions: all of it or nothing."""
        with transaction(self._connection):
            self.forget(gone)
            for fact in facts:  # as given, wherever it was kept before
                self._remove((self._key_of(fact.id), fact.id))
                self.add([fact])
            self.decide(decisions)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with store_errors(self._connection):
            try:
                yield
            except (ValueError, IndexError) as error:
                raise StoreError(f"the profile database is damaged: {error}", hint=REPAIR) from error

    def _all(self, table: str, order: str) -> list[sqlite3.Row]:
        selected = f"SELECT * FROM {table} WHERE workspace IN ('', ?) ORDER BY {order}"  # noqa: S608  # nosec
        return self._run(selected, (self._workspace,)).fetchall()

    def _key(self, fact: MemoryFact) -> str:
        # What may not even be the person's own word says nothing about them elsewhere.
        return self._workspace if fact.scope is Scope.WORKSPACE or is_maybe(fact) else ""

    def _key_of(self, fact_id: str) -> str:
        where = "id = ? AND workspace IN ('', ?)"
        found = self._run(f"SELECT workspace FROM facts WHERE {where}", (fact_id, self._workspace)).fetchone()  # noqa: S608  # nosec
        return str(found[0]) if found else self._workspace

    def _remove(self, place: tuple[str, str]) -> None:
        found = self._run("SELECT row FROM facts WHERE workspace = ? AND id = ?", place).fetchone()
        self._known.pop(found[0] if found else None, None)  # another fact may get the same row
        self._run("DELETE FROM facts WHERE workspace = ? AND id = ?", place)
        self._run("DELETE FROM decisions WHERE workspace = ? AND fact_id = ?", place)

    def _unite_evidence(self, place: tuple[str, str], citations: Sequence[Citation], *, is_first: bool) -> None:
        """Add citations of a fact before or after those that are stored."""
        found = self._run("SELECT row FROM facts WHERE workspace = ? AND id = ?", place).fetchone()
        if found is None:
            return
        self._known.pop(found[0], None)
        edges = "SELECT coalesce(min(position), 0), coalesce(max(position), -1) FROM evidence WHERE fact = ?"
        lowest, highest = self._run(edges, found).fetchone()
        start = lowest - len(citations) if is_first else highest + 1
        for position, citation in enumerate(citations, start):
            self._run(
                "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (fact, evidence_key) DO UPDATE SET position = min(position, excluded.position),"
                " trust = CASE WHEN trust IN ('claimed', 'doubtful') THEN excluded.trust ELSE trust END",
                (found[0], citation.evidence_key, position, *rows.evidence_values(citation).values()),
            )

    def _mirror(self, place: tuple[str, str]) -> None:
        """Let an entry of memory stand for a fact, unless it was dismissed for everywhere."""
        found = self._run("SELECT * FROM facts WHERE workspace = ? AND id = ?", place).fetchone()
        if found is None:
            return
        row = found["row"]
        # Of thousands of citations an entry takes from each trust no more than the last.
        cited = self._run("SELECT *, max(julianday(at)) FROM evidence WHERE fact = ? GROUP BY trust", (row,)).fetchall()
        with self._reading():
            stored = rows.fact_of(found, tuple(map(rows.citation_of, cited)))
        dismissed = self._run(
            "SELECT 1 FROM decisions WHERE workspace = ? AND fact_id = ? AND target = '' AND status = ?",
            (*place, SuggestionStatus.DISMISSED.value),
        ).fetchone()
        self.entries.mirror(row, None if dismissed else fact_entry(stored, project=self._workspace))


def _around(
    stored: tuple[Citation, ...], citations: tuple[Citation, ...]
) -> tuple[tuple[Citation, ...], tuple[Citation, ...]] | None:
    """Return which citations come before and after all stored ones; None where those do not follow each other."""
    start = next((number for number, item in enumerate(citations) if stored and item is stored[0]), -1)
    among = citations[start : start + len(stored)] if start >= 0 else ()
    if not stored or len(among) != len(stored) or any(map(is_not, among, stored)):
        return None
    return citations[:start], citations[start + len(stored) :]
