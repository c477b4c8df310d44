"""`status`: the one workflow that runs in every prompt, so it opens one database and reads two numbers."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from memsuggest.core.config import Mode
from memsuggest.core.database import open_to_read, store_errors
from memsuggest.suggestions.counts import Counts, tally
from memsuggest.suggestions.marker_files import watcher_of
from memsuggest.suggestions.status_report import Status

if TYPE_CHECKING:
    from memsuggest.core.context import Context


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
