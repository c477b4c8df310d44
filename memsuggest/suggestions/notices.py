"""Notices: one line that something is pending, its words, and what was shown before."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from memsuggest.core.config import Mode
from memsuggest.core.database import light_transaction, transaction
from memsuggest.suggestions.status_report import Notice

if TYPE_CHECKING:
    from memsuggest.core.model import MemorySuggestion


def looks_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE looked_at (worktree TEXT NOT NULL, suggestion TEXT NOT NULL,"
        " PRIMARY KEY (worktree, suggestion)) WITHOUT ROWID"
    )


def notices_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE told (worktree TEXT NOT NULL, suggestion TEXT NOT NULL, at INTEGER NOT NULL,"
        " PRIMARY KEY (worktree, suggestion)) WITHOUT ROWID"
    )


MIGRATIONS = (looks_m001, notices_m001)


def looked_at(connection: sqlite3.Connection, worktree: str) -> frozenset[str]:
    """Return the ids of the suggestions that were shown in a working tree."""
    rows = connection.execute("SELECT suggestion FROM looked_at WHERE worktree = ?", (worktree,))
    return frozenset(row[0] for row in rows)


def note_look(connection: sqlite3.Connection, worktree: str, suggestions: Collection[str]) -> None:
    """Remember what was shown beside what was before: what is decided and taken back is not new again."""
    rows = [(worktree, suggestion) for suggestion in frozenset(suggestions) - looked_at(connection, worktree)]
    if not rows:
        return
    with light_transaction(connection):
        connection.executemany("INSERT OR IGNORE INTO looked_at VALUES (?, ?)", rows)


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


BATCH = 5
"""New suggestions that are worth a notice by themselves in the mode `occasional`."""
MANY = 5
"""New suggestions of one moment above which even `eager` counts them instead of telling each."""
_SHORT = 7


def notices_of(mode: Mode, fresh: Sequence[MemorySuggestion], *, is_end: bool) -> list[Notice]:
    """Return what to tell about suggestions that nobody was told of; `is_end`: a session ended."""
    if mode is Mode.EAGER and len(fresh) <= MANY:
        return [_learned(suggestion) for suggestion in fresh]
    is_due = mode is Mode.EAGER or (mode is Mode.OCCASIONAL and (is_end or len(fresh) >= BATCH))
    return [_counted(fresh)] if fresh and is_due else []


def _learned(suggestion: MemorySuggestion) -> Notice:
    return Notice(
        text=f"Learned: '{suggestion.content}'",
        review=f"memsuggest show {suggestion.id[:_SHORT]}",
        suggestions=(suggestion.id,),
    )


def _counted(fresh: Sequence[MemorySuggestion]) -> Notice:
    return Notice(
        text=waiting(len(fresh)), review="memsuggest review", suggestions=tuple(suggestion.id for suggestion in fresh)
    )


def waiting(count: int) -> str:
    """Say that so many suggestions wait.

    >>> waiting(5)
    '5 suggestions to improve your customizations'
    """
    return f"{count} suggestion{'' if count == 1 else 's'} to improve your customizations"
