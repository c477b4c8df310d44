"""The store of the layers: their tables in the profile database, the index over them, and the log of recalls.

`entries` holds every layer; a row with `fact` mirrors a row of `facts` and goes when that goes. `session_turns` holds
what was said in an archived chat. `said_words` is the full-text index over entries and turns: not the text, but its
terms (`index_terms.indexed_terms`), stemmed as a query's words are. What is deleted leaves it by a trigger. Writes
happen inside the caller's transaction where there is one. A workspace sees its own entries and the person's.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memsuggest.core.database import execute_script, light_transaction, store_errors, transaction
from memsuggest.core.errors import StoreError
from memsuggest.core.text.german import is_german
from memsuggest.memory.entry import Entry, EntryStatus, Layer, Source
from memsuggest.memory.index_terms import entry_terms, indexed_terms, query_words
from memsuggest.memory.turns import SaidTurn, packed, unpacked

if TYPE_CHECKING:
    from memsuggest.memory.context_block import Hit

_SCHEMA = """
CREATE TABLE entries (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    layer TEXT NOT NULL,
    content TEXT NOT NULL,
    source TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    project TEXT NOT NULL,
    task TEXT NOT NULL DEFAULT '',
    section TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '[]',
    session TEXT NOT NULL DEFAULT '',
    superseded_by TEXT NOT NULL DEFAULT '',
    is_correction INTEGER NOT NULL DEFAULT 0,
    recall_count INTEGER NOT NULL DEFAULT 0,
    position INTEGER NOT NULL DEFAULT 0,
    fact INTEGER UNIQUE REFERENCES facts (row) ON DELETE CASCADE,
    UNIQUE (project, layer, id)
);
CREATE INDEX entries_by_layer ON entries (layer, status, project);
CREATE TABLE recalls (
    row INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    via TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    query TEXT NOT NULL,
    hits TEXT NOT NULL
);
"""

TURN_BITS = 20  # bits of a document's number in the index that tell the turn, from 1; 0 is the entry itself
_INDEX = """
CREATE TABLE session_turns (
    entry INTEGER PRIMARY KEY REFERENCES entries (row) ON DELETE CASCADE,
    size INTEGER NOT NULL,
    turns BLOB NOT NULL
);
CREATE INDEX session_sizes ON session_turns (entry, size);
CREATE VIRTUAL TABLE said_words USING fts5 (
    terms, detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE said_terms USING fts5vocab (said_words, row);
CREATE TRIGGER entries_said_gone AFTER DELETE ON entries BEGIN
    DELETE FROM said_words WHERE rowid BETWEEN old.row << 20 AND ((old.row + 1) << 20) - 1;
END;
"""

REPAIR = "`memsuggest memory repair` saves what is still readable"
COLUMNS = (
    "id, layer, content, source, status, created_at, updated_at, project, task, section, tags, session, superseded_by,"
    " is_correction, position"
)
"""In the order of `entry_values`."""
_NAMES = COLUMNS.split(", ")
_MARKS = ", ".join("?" * len(_NAMES))
_STAYING = {"id", "layer", "project", "created_at", "session"}
_LATEST = 253_402_300_799_999  # the last millisecond that a calendar has
_SAMPLE = 500  # characters of a turn by which the language of a chat is told
_MOST_TURNS = (1 << TURN_BITS) - 2
_LOG_LIMIT = 1_000  # recalls that are kept in the log


def create_layers(connection: sqlite3.Connection) -> None:
    """Create the tables of the layers, with the index."""
    execute_script(connection, _SCHEMA + _INDEX)


def index_turns(connection: sqlite3.Connection) -> None:
    """Let the archive hold turns, where the tables are from before it did."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'said_words'").fetchone():
        execute_script(connection, _INDEX)
    for old in ("TRIGGER IF EXISTS entries_gone", "TABLE IF EXISTS entry_terms", "TABLE IF EXISTS entry_words"):
        connection.execute(f"DROP {old}")


def put_in_order(connection: sqlite3.Connection) -> None:
    """Give entries a place among those of the identity, where the table is from before there was one."""
    if "position" not in [row["name"] for row in connection.execute("PRAGMA table_info (entries)")]:
        connection.execute("ALTER TABLE entries ADD COLUMN position INTEGER NOT NULL DEFAULT 0")


def memory_journal_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE journal_memory (entry INTEGER PRIMARY KEY REFERENCES journal ON DELETE CASCADE,"
        " change TEXT NOT NULL)"
    )


MIGRATIONS = (memory_journal_m001,)  # of the state database: what `change_memory` writes down for `undo`


def rebuild_index(connection: sqlite3.Connection) -> None:
    """Make the index anew from its terms, so that no word of what was deleted is left in the database's files.

    Not optimized: each time that adds levels to the index, and SQLite reads no more than 2,000.
    """
    with transaction(connection):
        connection.execute("INSERT INTO said_words (said_words) VALUES ('rebuild')")


def entry_values(entry: Entry) -> tuple[object, ...]:
    tags, is_correction = json.dumps(entry.tags, ensure_ascii=False), int(entry.is_correction)
    values = {**entry._asdict(), "tags": tags, "is_correction": is_correction}
    return tuple(values[name] for name in _NAMES)


def entry_of(row: sqlite3.Row | Mapping[str, Any]) -> Entry:
    """Return the entry of a row; raises StoreError for one that no program of ours has written."""
    try:
        fields = {name: row[name] for name in Entry._fields if name != "is_fact"} | {
            "layer": Layer(row["layer"]),
            "source": Source(row["source"]),
            "status": EntryStatus(row["status"]),
            "tags": tuple(json.loads(row["tags"])),
            "is_correction": bool(row["is_correction"]),
        }
    except (ValueError, TypeError) as error:
        raise StoreError(f"the profile database is damaged: unreadable entry: {error}", hint=REPAIR) from error
    entry = Entry(**fields, is_fact=row["fact"] is not None)
    texts = (entry.id, entry.content, entry.project, entry.task, entry.section, entry.session, entry.superseded_by)
    numbers: tuple[object, ...] = (entry.created_at, entry.updated_at, entry.recall_count, entry.position)
    is_text = all(isinstance(text, str) for text in (*texts, *entry.tags))
    if not is_text or not all(isinstance(number, int) and 0 <= number <= _LATEST for number in numbers):
        raise StoreError("the profile database is damaged: an entry has a value of the wrong type", hint=REPAIR)
    return entry


class EntryStore:
    """The entries that a workspace sees; `project` is its key."""

    def __init__(self, connection: sqlite3.Connection, *, project: str) -> None:
        self.connection = connection
        self.project = project

    # Reading.

    def entries(self, *, layers: Sequence[Layer] = tuple(Layer), everywhere: bool = False) -> tuple[Entry, ...]:
        """Return the entries of some layers, whatever their status, the oldest first; of all projects if asked."""
        where = f"layer IN ({', '.join('?' * len(layers))})" + ("" if everywhere else " AND project IN ('', ?)")
        values = layers if everywhere else [*layers, self.project]
        return self._found(f"{where} ORDER BY layer, position = 0, position, created_at, row", *values)

    def of_session(self, session: str) -> tuple[Entry, ...]:
        return self._found("project IN ('', ?) AND session = ? ORDER BY row", self.project, session)

    def last_of_task(self, task: str) -> Entry | None:
        where = "layer = 'L2' AND status = 'active' AND project = ? AND task = ?"
        last = self._found(f"{where} ORDER BY updated_at DESC, row DESC LIMIT 1", self.project, task)
        return last[0] if last else None

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
            counts: Counter[int] = Counter()
            for form in sorted({form for word in words for form in word.forms}):
                rows = self.connection.execute(
                    "SELECT rowid >> ? FROM said_words WHERE said_words MATCH ? AND rowid & ? > 0",
                    (TURN_BITS, f'"{form}"', (1 << TURN_BITS) - 1),
                )
                counts.update({row for (row,) in rows})
            for row in [row for row, number in counts.items() if number >= max(1, len(words) // 2)]:
                for entry in self._found("row = ? AND project IN ('', ?)", row, self.project):
                    found[row] = entry
        return list(found.values())

    def recalls(self, limit: int) -> list[sqlite3.Row]:
        """Return the rows of the log, the newest first."""
        with store_errors(self.connection):
            return self.connection.execute(
                "SELECT * FROM recalls WHERE project = ? ORDER BY row DESC LIMIT ?", (self.project, limit)
            ).fetchall()

    def _found(self, where: str, *values: object) -> tuple[Entry, ...]:
        with store_errors(self.connection):
            rows = self.connection.execute(f"SELECT * FROM entries WHERE {where}", values)  # noqa: S608  # nosec
            return tuple(map(entry_of, rows))

    def _row_of(self, entry: Entry) -> int:
        place = (entry.project, entry.layer.value, entry.id)
        (row,) = self.connection.execute(
            "SELECT row FROM entries WHERE project = ? AND layer = ? AND id = ?", place
        ).fetchone()
        return int(row)

    # Writing.

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries; one that is there already, by its id, becomes as given."""
        renewed = ", ".join(f"{name} = excluded.{name}" for name in _NAMES if name not in _STAYING)
        with transaction(self.connection):
            for entry in entries:
                self.connection.execute(
                    f"INSERT INTO entries ({COLUMNS}) VALUES ({_MARKS}) ON CONFLICT (project, layer, id)"  # noqa: S608  # nosec
                    f" DO UPDATE SET {renewed} WHERE entries.fact IS NULL",
                    entry_values(entry),
                )
                self._index(entry)

    def update(self, entry: Entry) -> None:
        with transaction(self.connection):
            self.connection.execute(
                f"UPDATE entries SET ({COLUMNS}) = ({_MARKS}) WHERE project = ? AND layer = ? AND id = ?",  # noqa: S608  # nosec
                (*entry_values(entry), entry.project, entry.layer.value, entry.id),
            )
            self._index(entry)

    def mirror(self, fact_row: int, entry: Entry | None) -> None:
        """Let an entry stand for a fact's row, or none: it is not sure enough, or was corrected."""
        with transaction(self.connection):
            if entry is None:
                self.connection.execute("DELETE FROM entries WHERE fact = ?", (fact_row,))
                return
            renewed = ", ".join(f"{name} = excluded.{name}" for name in _NAMES)
            self.connection.execute(
                f"INSERT INTO entries ({COLUMNS}, fact) VALUES ({_MARKS}, ?)"  # noqa: S608  # nosec
                f" ON CONFLICT (fact) DO UPDATE SET {renewed}",
                (*entry_values(entry), fact_row),
            )
            self._index(entry)

    def remove(self, entries: Iterable[Entry]) -> None:
        """Delete entries so that their words are nowhere in the database's files."""
        places = [(entry.project, entry.layer.value, entry.id) for entry in entries]
        if places:
            with transaction(self.connection):
                self.connection.executemany("DELETE FROM entries WHERE project = ? AND layer = ? AND id = ?", places)
                rebuild_index(self.connection)

    def keep_turns(self, entry: Entry, turns: Sequence[SaidTurn]) -> None:
        """Keep what was said in the chat that an entry stands for, in the place of what was kept of it before."""
        turns = turns[:_MOST_TURNS]
        with transaction(self.connection):
            row = self._row_of(entry)
            german = is_german(" ".join(turn.text[:_SAMPLE] for turn in turns)) or None
            terms = [indexed_terms(turn.text, german=german) for turn in turns]
            kept = [turn._replace(length=len(found)) for turn, found in zip(turns, terms, strict=True)]
            self.connection.execute(
                "DELETE FROM said_words WHERE rowid BETWEEN ? AND ?",
                ((row << TURN_BITS) + 1, ((row + 1) << TURN_BITS) - 1),
            )
            self.connection.execute(
                "INSERT OR REPLACE INTO session_turns VALUES (?, ?, ?)", (row, len(kept), packed(kept))
            )
            self.connection.executemany(
                "INSERT INTO said_words (rowid, terms) VALUES (?, ?)",
                (((row << TURN_BITS) + at, " ".join(dict.fromkeys(found))) for at, found in enumerate(terms, 1)),
            )

    def index_all(self) -> None:
        """Make the index, of all projects, anew; what cannot be read is not found."""
        with transaction(self.connection):
            for row in self.connection.execute("SELECT * FROM entries").fetchall():
                with suppress(StoreError):
                    entry = entry_of(row)
                    self._index(entry)
                    if turns := self.turns_of(entry):
                        self.keep_turns(entry, turns)

    def _index(self, entry: Entry) -> None:
        place = self._row_of(entry) << TURN_BITS
        self.connection.execute("DELETE FROM said_words WHERE rowid = ?", (place,))
        if entry.status is EntryStatus.ACTIVE:
            terms = entry_terms(entry.content, entry.tags)
            self.connection.execute("INSERT INTO said_words (rowid, terms) VALUES (?, ?)", (place, terms))

    # The log of recalls.

    def note_recall(self, query: str, hits: Sequence[Hit], *, at: int, via: str, session: str) -> None:
        """Count what was recalled, and log it; only ids, so that what is forgotten later leaves the log, too.

        The query is redacted.
        """
        logged = [{"id": hit.entry.id, "layer": hit.entry.layer.value, "score": round(hit.score, 4)} for hit in hits]
        with light_transaction(self.connection):
            self.connection.executemany(
                "UPDATE entries SET recall_count = recall_count + 1 WHERE project = ? AND layer = ? AND id = ?",
                [(hit.entry.project, hit.entry.layer.value, hit.entry.id) for hit in hits],
            )
            self.connection.execute(
                "INSERT INTO recalls (at, via, project, session, query, hits) VALUES (?, ?, ?, ?, ?, ?)",
                (at, via, self.project, session, query, json.dumps(logged)),
            )
            self.connection.execute(
                "DELETE FROM recalls WHERE row <= (SELECT max(row) FROM recalls) - ?", (_LOG_LIMIT,)
            )

    def forget_queries(self, texts: Iterable[str]) -> None:
        """Take the queries that hold one of some texts out of the log of recalls."""
        with transaction(self.connection):
            self.connection.executemany(
                "UPDATE recalls SET query = '' WHERE instr(lower(query), lower(?))", [(text,) for text in texts]
            )
