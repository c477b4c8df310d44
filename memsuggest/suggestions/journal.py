"""What `undo` and a run after a crash need: every edit with its texts before and after, written down first.

An entry is one `apply`, however many files it touches. It is `open` until all its files are written and its
decisions are stored; whatever kills the process in between, the next run settles it (`workflows.apply`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.database import transaction
from memsuggest.model import Decision, Edit, SuggestionStatus

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

KEPT = 200
"""Finished entries that are kept for undo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One apply."""

    number: int
    at: int
    """Milliseconds since the epoch."""
    edits: tuple[Edit, ...]
    folders: tuple[str, ...]
    """Folders that were missing before, absolute, outermost first."""
    decisions: tuple[Decision, ...]
    is_open: bool
    """Begun, and not known to be finished."""


def journal_m001(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    connection.execute(
        "CREATE TABLE journal (number INTEGER PRIMARY KEY AUTOINCREMENT, worktree TEXT NOT NULL, at INTEGER NOT NULL,"
        " is_open INTEGER NOT NULL, decisions TEXT NOT NULL, folders TEXT NOT NULL)"
    )
    connection.execute(
        "CREATE TABLE journal_edits (entry INTEGER NOT NULL REFERENCES journal ON DELETE CASCADE,"
        " position INTEGER NOT NULL, path TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (entry, position))"
    )


MIGRATIONS = (journal_m001,)


class Journal:
    """The journal of one working tree, in its state database."""

    def __init__(self, connection: sqlite3.Connection, *, worktree: str) -> None:
        self._connection = connection
        self._worktree = worktree

    def begin(self, edits: Iterable[Edit], *, decisions: Iterable[Decision], folders: Iterable[str], now: int) -> int:
        """Write down what is about to happen; returns the entry's number."""
        with transaction(self._connection):
            row = self._connection.execute(
                "INSERT INTO journal (worktree, at, is_open, decisions, folders) VALUES (?, ?, 1, ?, ?)"
                " RETURNING number",
                (self._worktree, now, _encode(decisions), json.dumps(list(folders))),
            ).fetchone()
            number = int(row[0])
            self._connection.executemany(
                "INSERT INTO journal_edits VALUES (?, ?, ?, ?, ?)",
                [(number, place, edit.path, edit.before, edit.after) for place, edit in enumerate(edits)],
            )
        return number

    def finish(self, number: int) -> None:
        """Mark an entry as done, and let go of the oldest beyond what is kept."""
        with transaction(self._connection):
            self._connection.execute("UPDATE journal SET is_open = 0 WHERE number = ?", (number,))
            self._connection.execute(
                "DELETE FROM journal WHERE worktree = ? AND is_open = 0 AND number NOT IN"
                " (SELECT number FROM journal WHERE worktree = ? ORDER BY number DESC LIMIT ?)",
                (self._worktree, self._worktree, KEPT),
            )

    def reopen(self, number: int) -> None:
        """Mark an entry as begun again: it is being undone."""
        with transaction(self._connection):
            self._connection.execute("UPDATE journal SET is_open = 1 WHERE number = ?", (number,))

    def forget(self, number: int) -> None:
        """Drop an entry that was undone, or whose edits never happened."""
        with transaction(self._connection):
            self._connection.execute("DELETE FROM journal WHERE number = ?", (number,))

    def last(self) -> Entry | None:
        """Return the newest entry, which is what `undo` takes back."""
        return next(iter(self._entries("ORDER BY number DESC LIMIT 1")), None)

    def entry(self, number: int) -> Entry:
        """Return one entry."""
        return self._entries("AND number = ?", number)[0]

    def unfinished(self) -> list[Entry]:
        """Return the entries that a crash left open, newest first."""
        return self._entries("AND is_open = 1 ORDER BY number DESC")

    def _entries(self, condition: str, *values: int) -> list[Entry]:
        rows = self._connection.execute(
            f"SELECT number, at, is_open, decisions, folders FROM journal WHERE worktree = ? {condition}",  # noqa: S608  # nosec
            (self._worktree, *values),
        ).fetchall()
        return [
            Entry(
                number=number,
                at=at,
                is_open=bool(is_open),
                decisions=_decode(decisions),
                folders=tuple(json.loads(folders)),
                edits=self._edits(number),
            )
            for number, at, is_open, decisions, folders in rows
        ]

    def _edits(self, number: int) -> tuple[Edit, ...]:
        rows = self._connection.execute(
            "SELECT path, before, after FROM journal_edits WHERE entry = ? ORDER BY position", (number,)
        ).fetchall()
        return tuple(Edit(path=path, before=before, after=after) for path, before, after in rows)


def _encode(decisions: Iterable[Decision]) -> str:
    return json.dumps([[decision.fact_id, decision.target, decision.status] for decision in decisions])


def _decode(text: str) -> tuple[Decision, ...]:
    return tuple(
        Decision(fact_id=fact, target=target, status=SuggestionStatus(status))
        for fact, target, status in json.loads(text)
    )
