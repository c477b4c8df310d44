"""The store of the layers: entries in the profile database, with the index over them and the log of what was recalled.

Writes happen inside the caller's transaction where there is one. A workspace sees its own entries and the person's.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.core.database import light_transaction, store_errors, transaction
from memsuggest.core.errors import StoreError
from memsuggest.core.text.german import is_german
from memsuggest.memory.entry import Entry, EntryStatus, Layer
from memsuggest.memory.entry_rows import COLUMNS, TURN_BITS, entry_of, entry_values
from memsuggest.memory.index_terms import entry_terms, indexed_terms, query_words
from memsuggest.memory.turns import SaidTurn, packed, unpacked

if TYPE_CHECKING:
    from memsuggest.memory.recalled import Hit

_MARKS = ", ".join("?" * (COLUMNS.count(",") + 1))
_SETTINGS = ", ".join(f"{column} = ?" for column in COLUMNS.split(", "))
_STAYING = {"id", "layer", "project", "created_at", "session"}
_RENEWED = ", ".join(f"{column} = excluded.{column}" for column in COLUMNS.split(", ") if column not in _STAYING)
_SAMPLE = 500
"""Characters of a turn by which the language of a chat is told."""
_MOST_TURNS = (1 << TURN_BITS) - 2
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
                    f"INSERT INTO entries ({COLUMNS}) VALUES ({_MARKS}) ON CONFLICT (project, layer, id)"  # noqa: S608  # nosec
                    f" DO UPDATE SET {_RENEWED} WHERE entries.fact IS NULL",
                    entry_values(entry),
                )
                self._index(entry)

    def update(self, entry: Entry) -> None:
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
            rebuild_index(self.connection)

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
        with store_errors(self.connection):
            rows = self.connection.execute(
                "SELECT * FROM entries WHERE project IN ('', ?) AND session = ? ORDER BY row", (self.project, session)
            )
            return tuple(map(entry_of, rows))

    def last_of_task(self, task: str) -> Entry | None:
        with store_errors(self.connection):
            row = self.connection.execute(
                "SELECT * FROM entries WHERE layer = 'L2' AND status = 'active' AND project = ? AND task = ?"
                " ORDER BY updated_at DESC, row DESC LIMIT 1",
                (self.project, task),
            ).fetchone()
        return entry_of(row) if row else None

    def note_recall(self, query: str, hits: Sequence[Hit], *, at: int, via: str, session: str) -> None:
        """Count what was recalled, and log it; only ids, so that what is forgotten later leaves the log, too.

        The query is redacted.
        """
        logged = [{"id": hit.entry.id, "layer": hit.entry.layer.value, "score": round(hit.score, 4)} for hit in hits]
        with light_transaction(self.connection):
            for hit in hits:
                self.connection.execute(
                    "UPDATE entries SET recall_count = recall_count + 1 WHERE project = ? AND layer = ? AND id = ?",
                    (hit.entry.project, hit.entry.layer.value, hit.entry.id),
                )
            self.connection.execute(
                "INSERT INTO recalls (at, via, project, session, query, hits) VALUES (?, ?, ?, ?, ?, ?)",
                (at, via, self.project, session, query, json.dumps(logged)),
            )
            self.connection.execute(
                "DELETE FROM recalls WHERE row <= (SELECT max(row) FROM recalls) - ?", (_LOG_LIMIT,)
            )

    def recalls(self, limit: int) -> list[sqlite3.Row]:
        with store_errors(self.connection):
            return self.connection.execute(
                "SELECT * FROM recalls WHERE project = ? ORDER BY row DESC LIMIT ?", (self.project, limit)
            ).fetchall()

    def index_all(self) -> None:
        """Make the index, of all projects, anew; what cannot be read is not found."""
        with transaction(self.connection):
            for row in self.connection.execute("SELECT * FROM entries").fetchall():
                with suppress(StoreError):
                    entry = entry_of(row)
                    self._index(entry)
                    if turns := self.turns_of(entry):
                        self.keep_turns(entry, turns)

    def keep_turns(self, entry: Entry, turns: Sequence[SaidTurn]) -> None:
        """Keep what was said in the chat that an entry stands for, in the place of what was kept of it before."""
        with transaction(self.connection):
            row = self._row_of(entry)
            is_one = is_german(" ".join(turn.text[:_SAMPLE] for turn in turns[:_MOST_TURNS])) or None
            terms = [indexed_terms(turn.text, german=is_one) for turn in turns[:_MOST_TURNS]]
            kept = [turn._replace(length=len(some)) for turn, some in zip(turns, terms, strict=False)]
            self.connection.execute(
                "DELETE FROM said_words WHERE rowid BETWEEN ? AND ?",
                ((row << TURN_BITS) + 1, ((row + 1) << TURN_BITS) - 1),
            )
            self.connection.execute(
                "INSERT OR REPLACE INTO session_turns VALUES (?, ?, ?)", (row, len(kept), packed(kept))
            )
            self.connection.executemany(
                "INSERT INTO said_words (rowid, terms) VALUES (?, ?)",
                (((row << TURN_BITS) + at, " ".join(dict.fromkeys(some))) for at, some in enumerate(terms, 1)),
            )

    def turns_of(self, entry: Entry) -> list[SaidTurn]:
        """Return what was said in the chat that an entry stands for; nothing for any other entry."""
        with store_errors(self.connection):
            found = self.connection.execute(
                "SELECT turns FROM session_turns WHERE entry = ?", (self._row_of(entry),)
            ).fetchone()
        return unpacked(found[0]) if found else []

    def chats_with(self, texts: Iterable[str]) -> list[Entry]:
        """Return this workspace's archived chats in which most words of a text stand together, in whatever form."""
        found: dict[int, Entry] = {}
        for text in texts:
            words = query_words(text)
            forms = sorted({form for word in words for form in word.forms})
            counts: Counter[int] = Counter()
            for form in forms:
                rows = self.connection.execute(
                    "SELECT rowid >> ? FROM said_words WHERE said_words MATCH ? AND rowid & ? > 0",
                    (TURN_BITS, f'"{form}"', (1 << TURN_BITS) - 1),
                )
                counts.update({row for (row,) in rows})
            least = max(1, len(words) // 2)
            for row in (row for row, n in counts.items() if n >= least):
                entry = self.connection.execute(
                    "SELECT * FROM entries WHERE row = ? AND project IN ('', ?)", (row, self.project)
                ).fetchone()
                if entry:
                    found[row] = entry_of(entry)
        return list(found.values())

    def rebuild(self) -> None:
        with transaction(self.connection):
            rebuild_index(self.connection)

    def _row_of(self, entry: Entry) -> int:
        place = (entry.project, entry.layer.value, entry.id)
        (row,) = self.connection.execute(
            "SELECT row FROM entries WHERE project = ? AND layer = ? AND id = ?", place
        ).fetchone()
        return int(row)

    def _index(self, entry: Entry) -> None:
        place = self._row_of(entry) << TURN_BITS
        self.connection.execute("DELETE FROM said_words WHERE rowid = ?", (place,))
        if entry.status is EntryStatus.ACTIVE:
            terms = entry_terms(entry.content, entry.tags)
            self.connection.execute("INSERT INTO said_words (rowid, terms) VALUES (?, ?)", (place, terms))


def rebuild_index(connection: sqlite3.Connection) -> None:
    """Make the index anew from its terms, so that no word of what was deleted is left in the database's files."""
    connection.execute("INSERT INTO said_words (said_words) VALUES ('rebuild')")
