"""The tables of the layers in the profile database, and the way from their rows to values and back.

`entries` holds every layer; a row with `fact` mirrors a row of `facts` and goes when that goes. `session_turns` holds
what was said in an archived chat. `said_words` is the full-text index over entries and turns: not the text, but its
terms (`index_terms.indexed_terms`), stemmed as a query's words are. What is deleted leaves it by a trigger.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from memsuggest.core.database import execute_script
from memsuggest.core.errors import StoreError
from memsuggest.memory.entry import Entry, EntryStatus, Layer, Source

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

TURN_BITS = 20
"""Bits of a document's number in the index that tell the turn, from 1; 0 is the entry itself."""
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
_LATEST = 253_402_300_799_999
"""The last millisecond that a calendar has."""


def create_layers(connection: sqlite3.Connection) -> None:
    """Create the layers' tables."""
    execute_script(connection, _SCHEMA + _INDEX)


def index_turns(connection: sqlite3.Connection) -> None:
    """Let the archive hold turns, where the tables are from before it did."""
    names = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master")}
    if "said_words" not in names:
        execute_script(connection, _INDEX)
    for old in ("DROP TRIGGER IF EXISTS entries_gone", "DROP TABLE IF EXISTS entry_terms"):
        connection.execute(old)
    connection.execute("DROP TABLE IF EXISTS entry_words")


def put_in_order(connection: sqlite3.Connection) -> None:
    """Give entries a place among those of the identity, where the table is from before there was one."""
    if "position" not in [row["name"] for row in connection.execute("PRAGMA table_info (entries)")]:
        connection.execute("ALTER TABLE entries ADD COLUMN position INTEGER NOT NULL DEFAULT 0")


def memory_journal_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE journal_memory (entry INTEGER PRIMARY KEY REFERENCES journal ON DELETE CASCADE,"
        " change TEXT NOT NULL)"
    )


MIGRATIONS = (memory_journal_m001,)
"""Of the state database: what `change_memory` writes down for `undo`."""
COLUMNS = (
    "id, layer, content, source, status, created_at, updated_at, project, task, section, tags, session, superseded_by,"
    " is_correction, position"
)
"""In the order of `entry_values`."""


def entry_values(entry: Entry) -> tuple[object, ...]:
    tags, is_correction = json.dumps(entry.tags, ensure_ascii=False), int(entry.is_correction)
    values = {**entry._asdict(), "tags": tags, "is_correction": is_correction}
    return tuple(values[name] for name in COLUMNS.split(", "))


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
