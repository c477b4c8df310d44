"""The profile database's tables, and the way from their rows to values and back."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from memsuggest.core.database import (
    ASIDE_SUFFIX,
    Migration,
    copy_to,
    execute_script,
    open_damaged,
    open_database,
    store_errors,
    transaction,
)
from memsuggest.core.errors import StoreError
from memsuggest.core.model import Citation, FactStatus, Kind, MemoryFact, Scope, Trust
from memsuggest.graphiti.profile_tables import m008_graphiti
from memsuggest.memory.entry import EVERYWHERE
from memsuggest.memory.entry_store import EntryStore, create_layers, entry_of, index_turns, put_in_order
from memsuggest.memory.fact_entry import fact_entry

FACT_COLUMNS = (
    "content, reason, kind, scope, confidence, timestamp, source_session_id, status, superseded_by, tags, paths"
)
EVIDENCE_COLUMNS = ("session_id", "turn", "quote", "paths", "trust", "at", "format", "in_use")
"""Of a citation, after its key and its position."""

_SCHEMA = """
CREATE TABLE facts (
    row INTEGER PRIMARY KEY, workspace TEXT NOT NULL, id TEXT NOT NULL,
    content TEXT NOT NULL, reason TEXT NOT NULL, kind TEXT NOT NULL, scope TEXT NOT NULL, confidence REAL NOT NULL,
    timestamp INTEGER NOT NULL, source_session_id TEXT NOT NULL, status TEXT NOT NULL, superseded_by TEXT,
    tags TEXT NOT NULL, paths TEXT NOT NULL,
    UNIQUE (workspace, id)
);
CREATE TABLE evidence (
    fact INTEGER NOT NULL REFERENCES facts (row) ON DELETE CASCADE,
    evidence_key TEXT NOT NULL, position INTEGER NOT NULL,
    session_id TEXT NOT NULL, turn INTEGER NOT NULL, quote TEXT NOT NULL, paths TEXT NOT NULL, trust TEXT NOT NULL,
    at TEXT, format TEXT NOT NULL,
    PRIMARY KEY (fact, evidence_key)
);
CREATE TABLE decisions (
    workspace TEXT NOT NULL, fact_id TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL,
    PRIMARY KEY (workspace, fact_id, target)
);
CREATE TABLE tombstones (
    workspace TEXT NOT NULL, fact_id TEXT NOT NULL, words TEXT NOT NULL, evidence TEXT NOT NULL,
    PRIMARY KEY (workspace, fact_id)
);
"""


def _step(name: str, work: str | Migration) -> Migration:
    """Return a migration, or a script as one, under the name by which it is known to have run."""

    def migrate(connection: sqlite3.Connection) -> None:
        execute_script(connection, work) if isinstance(work, str) else work(connection)

    migrate.__name__ = name
    return migrate


_APPS = """
CREATE TABLE app_memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, app_id TEXT NOT NULL, content TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    source_conversation_id TEXT, metadata TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX app_memories_by_app ON app_memories (app_id, updated_at);
CREATE UNIQUE INDEX app_memories_by_conversation ON app_memories (app_id, source_conversation_id);
CREATE TABLE app_decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, app_id TEXT NOT NULL, action TEXT NOT NULL,
    memory_id INTEGER, conversation_id TEXT, reason TEXT NOT NULL, decided_by TEXT NOT NULL
);
CREATE INDEX app_decisions_by_app ON app_decisions (app_id, number);
"""


def m006_layers(connection: sqlite3.Connection) -> None:
    create_layers(connection)
    for found in connection.execute("SELECT * FROM facts ORDER BY row").fetchall():
        cited = connection.execute("SELECT * FROM evidence WHERE fact = ? ORDER BY position, rowid", (found["row"],))
        fact = fact_of(found, tuple(map(citation_of, cited)))
        entries = EntryStore(connection, project=found["workspace"])
        entries.mirror(found["row"], fact_entry(fact, project=found["workspace"]))


def m010_turns(connection: sqlite3.Connection) -> None:
    index_turns(connection)
    EntryStore(connection, project="").index_all()


MIGRATIONS = (
    _step("m001_initial", f"{_SCHEMA} CREATE VIRTUAL TABLE words USING fts5 (content);"),
    # The fact that a gone one was merged into or replaced by.
    _step("m002_merged", "ALTER TABLE tombstones ADD COLUMN merged_into TEXT NOT NULL DEFAULT '';"),
    _step(
        "m003_places", "CREATE TABLE places (workspace TEXT PRIMARY KEY, name TEXT NOT NULL, repository TEXT NOT NULL);"
    ),
    _step("m004_in_use", "ALTER TABLE evidence ADD COLUMN in_use TEXT NOT NULL DEFAULT '[]';"),
    _step(
        "m005_silenced",
        "CREATE TABLE silenced (workspace TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (workspace, session))"
        " WITHOUT ROWID;",
    ),
    *(m006_layers, _step("m007_app_memories", _APPS), m008_graphiti),
    _step("m009_identity_in_order", put_in_order),
    m010_turns,
    _step("m011_no_words", "DROP TABLE words;"),  # nothing read it
)


def fact_values(fact: MemoryFact) -> dict[str, object]:
    return {name: _written(getattr(fact, name)) for name in FACT_COLUMNS.split(", ")}


def evidence_values(citation: Citation) -> dict[str, object]:
    return {name: _written(getattr(citation, name)) for name in EVIDENCE_COLUMNS}


def _written(value: object) -> object:
    match value:
        case tuple():
            return list_text(value)
        case StrEnum():
            return value.value
        case datetime():
            return value.isoformat()
    return value


def list_text(texts: Iterable[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)


_READ: Mapping[str, Callable[[Any], object]] = {
    "kind": Kind,
    "scope": Scope,
    "status": FactStatus,
    "trust": Trust,
    "at": lambda text: datetime.fromisoformat(text) if text else None,
    **dict.fromkeys(("tags", "paths", "in_use"), lambda text: () if text == "[]" else tuple(json.loads(text))),
}
"""The way back from a column that holds no plain value."""


def fact_of(row: sqlite3.Row, citations: tuple[Citation, ...]) -> MemoryFact:
    return MemoryFact(id=row["id"], citations=citations, **_values_of(row, FACT_COLUMNS.split(", ")))


def citation_of(row: sqlite3.Row) -> Citation:
    return Citation(**_values_of(row, EVIDENCE_COLUMNS))


def _values_of(row: sqlite3.Row, columns: Iterable[str]) -> dict[str, Any]:
    return {name: _READ[name](row[name]) if name in _READ else row[name] for name in columns}


kept_citation_of = lru_cache(maxsize=8192)(citation_of)
"""The same for rows of a database: all are read after every change, and hardly any of them is another one."""


_INDEX = "said_words"
_OWN = ("migrations", "sqlite_sequence")  # tables that the new database has by itself


class Repaired(NamedTuple):
    """The outcome of a repair."""

    kept: Mapping[str, int]  # rows by table
    lost: Mapping[str, int]
    """Rows that could not be read, by table; -1 where nobody knows how many those are."""
    aside: Path  # the database as it was


def damage_of(connection: sqlite3.Connection) -> str:
    """Say what is wrong with a profile that can be opened; empty for a sound one. Writes nothing to the tables."""
    try:
        parts = [str(row[0]) for row in connection.execute("PRAGMA quick_check (3)")]
        connection.execute(f"INSERT INTO {_INDEX} ({_INDEX}) VALUES ('integrity-check')")  # noqa: S608  # nosec
        for row in connection.execute("SELECT * FROM entries"):
            entry_of(row)
    except sqlite3.DatabaseError as error:
        return str(error)
    except StoreError as error:
        return error.message
    return "" if parts == ["ok"] else parts[0]


def repair_profile(path: Path) -> Repaired:
    """Make the profile anew from what can be read of it; StoreError where that cannot be, and then it is as it was."""
    aside = path.with_name(path.name + ASIDE_SUFFIX)
    empty = open_database(path.with_name(f"{path.name}.none"), MIGRATIONS, read_only=True)
    with closing(open_damaged(path, MIGRATIONS)) as damaged, closing(empty) as fresh:
        fresh.execute("PRAGMA foreign_keys = OFF")  # until all rows are there
        copy_to(damaged, aside)
        damaged.text_factory = lambda text: text.decode("utf-8", "replace")
        version = damaged.execute("PRAGMA data_version").fetchone()[0]
        kept, lost = Counter[str](), Counter[str]()
        names = [row[0] for row in fresh.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
        with transaction(fresh):
            for table in names:
                if table not in _OWN and not table.startswith((_INDEX, "said_terms")):
                    _copy_table(damaged, fresh, table, kept, lost)
            for table, row in list(_unreadable(fresh)):
                fresh.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))  # noqa: S608  # nosec
                kept[table] -= 1
                lost[table] += 1
            for table, row, *_ in fresh.execute("PRAGMA foreign_key_check").fetchall():
                kept[table] -= fresh.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,)).rowcount  # noqa: S608  # nosec
            EntryStore(fresh, project=EVERYWHERE).index_all()
        with store_errors(damaged):
            if damaged.execute("PRAGMA data_version").fetchone()[0] != version:
                raise StoreError("another process changed the database", hint="run the command again")
            fresh.backup(damaged)
    return Repaired(kept=kept, lost=lost, aside=aside)


def _copy_table(
    damaged: sqlite3.Connection, fresh: sqlite3.Connection, table: str, kept: Counter[str], lost: Counter[str]
) -> None:
    there = _columns(damaged, table)
    names = [name for name in _columns(fresh, table) if name in there]
    if not names:
        return
    into = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608  # nosec
    for order in ("", "ORDER BY rowid DESC"):  # from both ends, up to where it is broken
        try:
            for row in damaged.execute(f"SELECT {', '.join(names)} FROM {table} {order}"):  # noqa: S608  # nosec
                kept[table] += fresh.execute(into, tuple(row)).rowcount
        except sqlite3.DatabaseError:
            lost[table] = -1
        else:
            return


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    with suppress(sqlite3.DatabaseError):
        return [row["name"] for row in connection.execute(f"PRAGMA table_info ({table})")]
    return []


def _unreadable(connection: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    readers = {"facts": lambda row: fact_of(row, ()), "evidence": citation_of, "entries": entry_of}
    for table, read in readers.items():
        for row in connection.execute(f"SELECT rowid AS place, * FROM {table}"):  # noqa: S608  # nosec
            try:
                read(row)
            except (StoreError, ValueError, TypeError):
                yield table, row["place"]
