"""Repair of a damaged profile database: made anew, in its place, from the rows that can be read.

A copy of it as it was stays beside it. The indexes are made anew from the rows, and what belongs to a row that is gone
goes with it.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.database import copy_to, open_damaged, open_database, store_errors, transaction
from memsuggest.core.database_file import ASIDE_SUFFIX
from memsuggest.core.errors import StoreError
from memsuggest.facts.profile_rows import MIGRATIONS, citation_of, fact_of
from memsuggest.memory.entry import EVERYWHERE
from memsuggest.memory.entry_rows import entry_of
from memsuggest.memory.entry_store import EntryStore

_INDEX = "said_words"
_OWN = ("migrations", "sqlite_sequence")
"""Tables that the new database has by itself."""


class Repaired(NamedTuple):
    """The outcome of a repair."""

    kept: Mapping[str, int]
    """Rows by table."""
    lost: Mapping[str, int]
    """Rows that could not be read, by table; -1 where nobody knows how many those are."""
    aside: Path
    """The database as it was."""


def damage_of(connection: sqlite3.Connection) -> str:
    """Say what is wrong with a profile that can be opened; empty for a sound one. Writes nothing to the tables."""
    try:
        told = [str(row[0]) for row in connection.execute("PRAGMA quick_check (3)")]
        connection.execute(f"INSERT INTO {_INDEX} ({_INDEX}) VALUES ('integrity-check')")  # noqa: S608  # nosec
        for row in connection.execute("SELECT * FROM entries"):
            entry_of(row)
    except sqlite3.DatabaseError as error:
        return str(error)
    except StoreError as error:
        return error.message
    return "" if told == ["ok"] else told[0]


def repair_profile(path: Path) -> Repaired:
    """Make the profile anew from what can be read of it; StoreError where that cannot be, and then it is as it was."""
    aside = path.with_name(path.name + ASIDE_SUFFIX)
    with closing(open_damaged(path, MIGRATIONS)) as damaged, closing(_empty(path)) as fresh:
        copy_to(damaged, aside)
        damaged.text_factory = lambda text: text.decode("utf-8", "replace")
        version = _version(damaged)
        kept, lost = Counter[str](), Counter[str]()
        with transaction(fresh):
            for table in _tables(fresh):
                _copy_table(damaged, fresh, table, kept, lost)
            _drop_unreadable(fresh, kept, lost)
            EntryStore(fresh, project=EVERYWHERE).index_all()
        with store_errors(damaged):
            if _version(damaged) != version:
                raise StoreError("another process changed it meanwhile", hint="run the command again")
            fresh.backup(damaged)
    return Repaired(kept=kept, lost=lost, aside=aside)


def _empty(path: Path) -> sqlite3.Connection:
    connection = open_database(path.with_name(f"{path.name}.none"), MIGRATIONS, read_only=True)
    connection.execute("PRAGMA foreign_keys = OFF")  # until all rows are there
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _tables(connection: sqlite3.Connection) -> list[str]:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
    return [name for name in names if name not in _OWN and not name.startswith((_INDEX, "said_terms"))]


def _copy_table(
    damaged: sqlite3.Connection, fresh: sqlite3.Connection, table: str, kept: Counter[str], lost: Counter[str]
) -> None:
    here, there = _columns(fresh, table), _columns(damaged, table)
    names = [name for name in here if name in there]
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


def _drop_unreadable(connection: sqlite3.Connection, kept: Counter[str], lost: Counter[str]) -> None:
    for table, row in list(_unreadable(connection)):
        connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))  # noqa: S608  # nosec
        kept[table] -= 1
        lost[table] += 1
    for table, row, *_ in connection.execute("PRAGMA foreign_key_check").fetchall():
        kept[table] -= connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,)).rowcount  # noqa: S608  # nosec


def _unreadable(connection: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    readers = {"facts": lambda row: fact_of(row, ()), "evidence": citation_of, "entries": entry_of}
    for table, read in readers.items():
        for row in connection.execute(f"SELECT rowid AS place, * FROM {table}"):  # noqa: S608  # nosec
            try:
                read(row)
            except (StoreError, ValueError, TypeError):
                yield table, row["place"]
