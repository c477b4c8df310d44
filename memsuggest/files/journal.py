"""The journal for `undo` and for a run after a crash: every edit with its texts, written down first.

An entry is one decision: an `apply`, however many files it touches, or what was dismissed, forgotten, reworded or
confirmed (`memory.store_journal` has what that changes in the stores). It is `open` until all its files are written and
its decisions are stored; whatever kills the process in between, the next run settles it (`workflows.apply`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from memsuggest.core.database import transaction
from memsuggest.core.model import Decision, Edit, SuggestionStatus

KEPT = 200  # finished entries that are kept for undo


APPLIED, DISMISSED, CONSOLIDATED = "applied", "dismissed", "consolidated"
FORGOT, EDITED, CONFIRMED, ADDED = "forgot", "edited", "confirmed", "added"
MOVED, SILENCED, HOOKS = "moved", "dismissed a chat", "changed hooks"
SERVERS, SETUP = "changed MCP servers", "set up"
DEACTIVATED, IMPORTED, IDENTITY = "deactivated", "imported", "edited the identity"
"""What an entry did, as `undo --list` says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A fact, or care, that was decided about."""

    id: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One decision."""

    number: int
    at: int  # milliseconds since the epoch
    edits: tuple[Edit, ...]
    folders: tuple[str, ...]  # folders that were missing before, absolute, outermost first
    decisions: tuple[Decision, ...]
    is_open: bool  # begun, and not known to be finished
    verb: str = APPLIED
    about: tuple[About, ...] = ()


def journal_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE journal (number INTEGER PRIMARY KEY AUTOINCREMENT, worktree TEXT NOT NULL, at INTEGER NOT NULL,"
        " is_open INTEGER NOT NULL, decisions TEXT NOT NULL, folders TEXT NOT NULL)"
    )
    connection.execute(
        "CREATE TABLE journal_edits (entry INTEGER NOT NULL REFERENCES journal ON DELETE CASCADE,"
        " position INTEGER NOT NULL, path TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (entry, position))"
    )


def journal_m002(connection: sqlite3.Connection) -> None:
    connection.execute(f"ALTER TABLE journal ADD COLUMN verb TEXT NOT NULL DEFAULT '{APPLIED}'")
    connection.execute("ALTER TABLE journal ADD COLUMN about TEXT NOT NULL DEFAULT '[]'")
    connection.execute("ALTER TABLE journal ADD COLUMN waited TEXT NOT NULL DEFAULT '[]'")


MIGRATIONS = (journal_m001, journal_m002)


class Journal:
    """The journal of one working tree, in its state database."""

    def __init__(self, connection: sqlite3.Connection, *, worktree: str) -> None:
        self._connection = connection
        self._worktree = worktree

    def begin(
        self,
        edits: Iterable[Edit],
        *,
        now: int,
        decisions: Iterable[Decision] = (),
        folders: Iterable[str] = (),
        verb: str = APPLIED,
        about: Iterable[About] = (),
    ) -> int:
        subjects = json.dumps([[named.id, named.content] for named in about], ensure_ascii=False)
        decided = json.dumps([[decision.fact_id, decision.target, decision.status] for decision in decisions])
        with transaction(self._connection):
            row = self._connection.execute(
                "INSERT INTO journal (worktree, at, is_open, decisions, folders, verb, about)"
                " VALUES (?, ?, 1, ?, ?, ?, ?) RETURNING number",
                (self._worktree, now, decided, json.dumps(list(folders)), verb, subjects),
            ).fetchone()
            number = int(row[0])
            self._connection.executemany(
                "INSERT INTO journal_edits VALUES (?, ?, ?, ?, ?)",
                [(number, place, edit.path, edit.before, edit.after) for place, edit in enumerate(edits)],
            )
        return number

    def _change(self, statement: str, *values: object) -> None:
        with transaction(self._connection):
            self._connection.execute(statement, values)

    def note_waited(self, number: int, rows: str) -> None:
        """Remember the suggestions that an entry took away, so that `undo` brings back the very same."""
        self._change("UPDATE journal SET waited = ? WHERE number = ?", rows, number)

    def waited(self, number: int) -> str:
        row = self._connection.execute("SELECT waited FROM journal WHERE number = ?", (number,)).fetchone()
        return str(row[0]) if row else "[]"

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
        self._change("UPDATE journal SET is_open = 1 WHERE number = ?", number)

    def forget(self, number: int) -> None:
        """Drop an entry that was undone, or whose edits never happened."""
        self._change("DELETE FROM journal WHERE number = ?", number)

    def forget_old(self, verb: str, *, before: int) -> None:
        """Drop entries of a kind from before a time: what they keep is not to be kept for ever."""
        statement = "DELETE FROM journal WHERE worktree = ? AND verb = ? AND at < ? AND is_open = 0"
        self._change(statement, self._worktree, verb, before)

    def last(self) -> Entry | None:
        return next(iter(self._entries("ORDER BY number DESC LIMIT 1")), None)

    def newest(self, limit: int) -> list[Entry]:
        return self._entries(f"ORDER BY number DESC LIMIT {limit:d}")

    def entry(self, number: int) -> Entry:
        return self._entries("AND number = ?", number)[0]

    def unfinished(self) -> list[Entry]:
        """Return the entries that a crash left open, newest first."""
        return self._entries("AND is_open = 1 ORDER BY number DESC")

    def _entries(self, condition: str, *values: int) -> list[Entry]:
        rows = self._connection.execute(
            f"SELECT number, at, is_open, decisions, folders, verb, about FROM journal WHERE worktree = ? {condition}",  # noqa: S608  # nosec
            (self._worktree, *values),
        ).fetchall()
        return [
            Entry(
                number=number,
                at=at,
                is_open=bool(is_open),
                decisions=tuple(
                    Decision(fact_id=fact, target=target, status=SuggestionStatus(status))
                    for fact, target, status in json.loads(decisions)
                ),
                folders=tuple(json.loads(folders)),
                edits=tuple(
                    Edit(path=path, before=before, after=after)
                    for path, before, after in self._connection.execute(
                        "SELECT path, before, after FROM journal_edits WHERE entry = ? ORDER BY position", (number,)
                    )
                ),
                verb=verb,
                about=tuple(About(id=name, content=content) for name, content in json.loads(about)),
            )
            for number, at, is_open, decisions, folders, verb, about in rows
        ]
