"""`status`: the one workflow that runs in every prompt, so it opens one database and reads two numbers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.core.config import Mode
from memsuggest.core.database import open_to_read, store_errors
from memsuggest.suggestions.marker_files import watcher_of
from memsuggest.suggestions.status_report import Status

if TYPE_CHECKING:
    from memsuggest.core.context import Context


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


def read_status(context: Context) -> Status:
    """Return mode, last run and how many suggestions wait; nothing is written, nothing created."""
    mode = context.settings.mode
    if mode is Mode.OFF:
        return Status(mode=mode, last_run=None, pending=0)
    counted, owner = _read_counts(context), watcher_of(context)
    watcher = f"process {owner.pid}" if owner else None
    return Status(mode=mode, last_run=counted.last_run, pending=counted.pending, watcher=watcher)


def _read_counts(context: Context) -> Counts:
    connection = open_to_read(context.state_path)
    if connection is None:
        return Counts(pending=0, last_run=None)
    with closing(connection), store_errors(context.state_path):
        if not context.state_path.stat().st_size:  # just being made
            return Counts(pending=0, last_run=None)
        return tally(connection, context.place.worktree_key)
