"""Suggestions that the person was told of, in the state database: nobody is told twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.database import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


def notices_m001(connection: sqlite3.Connection) -> None:
    """Create the table."""
    connection.execute(
        "CREATE TABLE told (worktree TEXT NOT NULL, suggestion TEXT NOT NULL, at INTEGER NOT NULL,"
        " PRIMARY KEY (worktree, suggestion)) WITHOUT ROWID"
    )


MIGRATIONS = (notices_m001,)


def told(connection: sqlite3.Connection, worktree: str) -> frozenset[str]:
    """Return the ids of the suggestions that the person was told of in a working tree."""
    return frozenset(
        row[0] for row in connection.execute("SELECT suggestion FROM told WHERE worktree = ?", (worktree,))
    )


def note_told(connection: sqlite3.Connection, worktree: str, suggestions: Iterable[str], *, now: int) -> None:
    """Remember that the person was told of suggestions."""
    rows = [(worktree, suggestion, now) for suggestion in suggestions]
    with transaction(connection):
        connection.executemany("INSERT OR IGNORE INTO told VALUES (?, ?, ?)", rows)
