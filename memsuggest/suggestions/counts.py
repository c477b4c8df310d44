"""Counting what is pending, for `status`: apart from the suggestions themselves, because it must load fast."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The counts of `status`: cheap to read."""

    pending: int
    last_run: int | None
    """Milliseconds since the epoch; None before the first run."""


def tally(connection: sqlite3.Connection, worktree: str) -> Counts:
    """Count what is pending; nothing is in a database that is just being made."""
    if _is_being_made(connection):
        return Counts(pending=0, last_run=None)
    count = connection.execute("SELECT COUNT(*) FROM pending WHERE worktree = ?", (worktree,)).fetchone()[0]
    run = connection.execute("SELECT at FROM runs WHERE worktree = ?", (worktree,)).fetchone()
    return Counts(pending=count, last_run=run[0] if run else None)


def _is_being_made(connection: sqlite3.Connection) -> bool:
    """Tell whether a database has its first page, and no tables yet; a few damaged bytes have no page."""
    made = "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('pending', 'runs')"
    if connection.execute(made).fetchone()[0] == 2:
        return False
    return bool(connection.execute("PRAGMA page_count").fetchone()[0] >= 1)
