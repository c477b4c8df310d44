"""Which suggestions were on the screen at the last look, in the state database: what is new since then comes first.

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
    """Return the ids of the suggestions that were shown at the last look in a working tree."""
    rows = connection.execute("SELECT suggestion FROM looked_at WHERE worktree = ?", (worktree,))
    return frozenset(row[0] for row in rows)


def note_look(connection: sqlite3.Connection, worktree: str, suggestions: Collection[str]) -> None:
    """Replace what was shown at the last look: what went meanwhile is new when it comes back."""
    if looked_at(connection, worktree) == frozenset(suggestions):
        return
    rows = [(worktree, suggestion) for suggestion in suggestions]
    with light_transaction(connection):
        connection.execute("DELETE FROM looked_at WHERE worktree = ?", (worktree,))
        connection.executemany("INSERT OR IGNORE INTO looked_at VALUES (?, ?)", rows)
