"""Suggestions that were on a screen already, in the state database: what is new since comes first.

Apart from what notices told of: a notice names one or two, a look shows them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.database import light_transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection


def looks_m001(connection: sqlite3.Connection) -> None:
    """Create the table."""
    connection.execute(
        "CREATE TABLE looked_at (worktree TEXT NOT NULL, suggestion TEXT NOT NULL,"
        " PRIMARY KEY (worktree, suggestion)) WITHOUT ROWID"
    )


MIGRATIONS = (looks_m001,)


def looked_at(connection: sqlite3.Connection, worktree: str) -> frozenset[str]:
    """Return the ids of the suggestions that were shown in a working tree."""
    rows = connection.execute("SELECT suggestion FROM looked_at WHERE worktree = ?", (worktree,))
    return frozenset(row[0] for row in rows)


def note_look(connection: sqlite3.Connection, worktree: str, suggestions: Collection[str]) -> None:
    """Remember what was shown beside what was before: what is decided and taken back is not new again."""
    rows = [(worktree, one) for one in frozenset(suggestions) - looked_at(connection, worktree)]
    if not rows:
        return
    with light_transaction(connection):
        connection.executemany("INSERT OR IGNORE INTO looked_at VALUES (?, ?)", rows)
