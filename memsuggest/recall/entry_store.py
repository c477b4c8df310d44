"""The store of the layers: entries in the profile database, with the index over them and the log of what was recalled.

Writes happen inside the caller's transaction where there is one. A workspace sees its own entries and the person's.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.database import light_transaction, store_errors, transaction
from memsuggest.errors import StoreError
from memsuggest.recall.entry import EVERYWHERE, Entry, EntryStatus, Layer
from memsuggest.recall.entry_rows import COLUMNS, entry_of, entry_values
from memsuggest.recall.index_terms import backwards, document_terms, gloss_terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from memsuggest.recall.recalled import Recalled

_MARKS = ", ".join("?" * (COLUMNS.count(",") + 1))
_SETTINGS = ", ".join(f"{column} = ?" for column in COLUMNS.split(", "))
_LOG_LIMIT = 1_000
"""Recalls that are kept in the log."""


class EntryStore:
    """The entries that a workspace sees; `project` is its key."""

    def __init__(self, connection: sqlite3.Connection, *, project: str) -> None:
        self.connection = connection
        self.project = project

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries; one that is there already, by its id, becomes as given."""
        with transaction(self.connection):
            for entry in entries:
                self.connection.execute(
                    f"INSERT INTO entries ({COLUMNS}) VALUES ({_MARKS}) ON CONFLICT (project, layer, id) DO UPDATE"  # noqa: S608  # nosec
                    " SET content = excluded.content, source = excluded.source, status = excluded.status,"
                    " updated_at = excluded.updated_at, task = excluded.task, section = excluded.section,"
                    " tags = excluded.tags, superseded_by = excluded.superseded_by,"
                    " is_correction = excluded.is_correction, position = excluded.position WHERE entries.fact IS NULL",
                    entry_values(entry),
                )
                self._index(entry)

    def update(self, entry: Entry) -> None:
        """Change an entry that is there."""
        with transaction(self.connection):
            self.connection.execute(
                f"UPDATE entries SET {_SETTINGS} WHERE project = ? AND layer = ? AND id = ?",  # noqa: S608  # nosec
                (*entry_values(entry), entry.project, entry.layer.value, entry.id),
            )
            self._index(entry)

    def remove(self, entries: Iterable[Entry]) -> None:
        """Delete entries so that their words are nowhere in the database's files."""
        gone = list(entries)
        if not gone:
            return
        with transaction(self.connection):
            for entry in gone:
                self.connection.execute(
                    "DELETE FROM entries WHERE project = ? AND layer = ? AND id = ?",
                    (entry.project, entry.layer.value, entry.id),
                )
            # Made anew, not optimized: each time that adds levels to the index, and SQLite reads no more than 2,000.
            self.connection.execute("INSERT INTO entry_words (entry_words) VALUES ('rebuild')")

    def forget_queries(self, texts: Iterable[str]) -> None:
        """Take the queries that hold one of some texts out of the log of recalls."""
        with transaction(self.connection):
            for text in texts:
                self.connection.execute("UPDATE recalls SET query = '' WHERE instr(lower(query), lower(?))", (text,))

    def mirror(self, fact_row: int, entry: Entry | None) -> None:
        """Let an entry stand for a fact's row, or none: it is not sure enough, or was corrected."""
        with transaction(self.connection):
            found = self.connection.execute("SELECT row FROM entries WHERE fact = ?", (fact_row,)).fetchone()
            if entry is None:
                self.connection.execute("DELETE FROM entries WHERE fact = ?", (fact_row,))
                return
            if found:
                self.connection.execute(
                    f"UPDATE entries SET {_SETTINGS} WHERE row = ?",  # noqa: S608  # nosec
                    (*entry_values(entry), *found),
                )
            else:
                self.connection.execute(
                    f"INSERT INTO entries ({COLUMNS}, fact) VALUES ({_MARKS}, ?)",  # noqa: S608  # nosec
                    (*entry_values(entry), fact_row),
                )
            self._index(entry)

    def entries(self, *, layers: Sequence[Layer] = tuple(Layer), everywhere: bool = False) -> tuple[Entry, ...]:
        """Return the entries of some layers, whatever their status, the oldest first; of all projects if asked."""
        marks = ", ".join("?" * len(layers))
        where = "" if everywhere else "AND project IN ('', ?)"
        values = [layer.value for layer in layers] + ([] if everywhere else [self.project])
        with store_errors(self.connection):
            rows = self.connection.execute(
                f"SELECT * FROM entries WHERE layer IN ({marks}) {where}"  # noqa: S608  # nosec
                " ORDER BY layer, position = 0, position, created_at, row",
                values,
            )
            return tuple(map(entry_of, rows))

    def of_session(self, session: str) -> tuple[Entry, ...]:
        """Return what this workspace holds of a session, whatever its status."""
        with store_errors(self.connection):
            rows = self.connection.execute(
                "SELECT * FROM entries WHERE project IN ('', ?) AND session = ? ORDER BY row", (self.project, session)
            )
            return tuple(map(entry_of, rows))

    def last_of_task(self, task: str) -> Entry | None:
        """Return what was archived last of a task, or of a branch, of this workspace."""
        with store_errors(self.connection):
            row = self.connection.execute(
                "SELECT * FROM entries WHERE layer = 'L2' AND status = 'active' AND project = ? AND task = ?"
                " ORDER BY updated_at DESC, row DESC LIMIT 1",
                (self.project, task),
            ).fetchone()
        return entry_of(row) if row else None

    def note_recall(self, recalled: Recalled, *, at: int, via: str, session: str) -> None:
        """Count what was recalled, and log it; only ids, so that what is forgotten later leaves the log, too."""
        hits = [
            {"id": hit.entry.id, "layer": hit.entry.layer.value, "score": round(hit.score, 4)} for hit in recalled.hits
        ]
        with light_transaction(self.connection):
            for hit in recalled.hits:
                self.connection.execute(
                    "UPDATE entries SET recall_count = recall_count + 1 WHERE project = ? AND layer = ? AND id = ?",
                    (hit.entry.project, hit.entry.layer.value, hit.entry.id),
                )
            self.connection.execute(
                "INSERT INTO recalls (at, via, project, session, query, hits) VALUES (?, ?, ?, ?, ?, ?)",
                (at, via, self.project, session, recalled.query, json.dumps(hits)),
            )
            self.connection.execute(
                "DELETE FROM recalls WHERE row <= (SELECT max(row) FROM recalls) - ?", (_LOG_LIMIT,)
            )

    def recalls(self, limit: int) -> list[sqlite3.Row]:
        """Return the latest recalls of this workspace, the newest first."""
        with store_errors(self.connection):
            return self.connection.execute(
                "SELECT * FROM recalls WHERE project = ? ORDER BY row DESC LIMIT ?", (self.project, limit)
            ).fetchall()

    def index_all(self, *, layers: Sequence[Layer] = tuple(Layer)) -> None:
        """Make the index over some layers, in all projects, anew; what cannot be read is not found."""
        marks = ", ".join("?" * len(layers))
        with transaction(self.connection):
            rows = self.connection.execute(f"SELECT * FROM entries WHERE layer IN ({marks})", layers).fetchall()  # noqa: S608  # nosec
            for row in rows:
                with suppress(StoreError):
                    self._index(entry_of(row))

    def _index(self, entry: Entry) -> None:
        place = (entry.project, entry.layer.value, entry.id)
        (row,) = self.connection.execute(
            "SELECT row FROM entries WHERE project = ? AND layer = ? AND id = ?", place
        ).fetchone()
        self.connection.execute("DELETE FROM entry_words WHERE rowid = ?", (row,))
        if entry.status is EntryStatus.ACTIVE:
            terms = document_terms(entry.content)
            columns = (terms, document_terms(" ".join(entry.tags)), gloss_terms(entry.content), backwards(terms))
            self.connection.execute(
                "INSERT INTO entry_words (rowid, content, tags, glosses, backwards) VALUES (?, ?, ?, ?, ?)",
                (row, *map(" ".join, columns)),
            )


def sees(entry: Entry, project: str) -> bool:
    """Tell whether an entry concerns a project: its own, or the person's everywhere."""
    return entry.project in (EVERYWHERE, project)
