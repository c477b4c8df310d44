"""`status`: the one workflow that runs in every prompt, so it opens one database and reads two numbers."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.database import open_to_read, store_errors
from memsuggest.reports.status import Status
from memsuggest.suggestions.tally import Tally, tally
from memsuggest.workflows.marks import watcher_of

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def read_status(desk: Desk) -> Status:
    """Return mode, last run and how many suggestions wait; nothing is written, nothing created."""
    mode = desk.settings.mode
    if mode is Mode.OFF:
        return Status(mode=mode, last_run=None, pending=0)
    counted, owner = _read_tally(desk), watcher_of(desk)
    watcher = f"process {owner.pid}" if owner else None
    return Status(mode=mode, last_run=counted.last_run, pending=counted.pending, watcher=watcher)


def _read_tally(desk: Desk) -> Tally:
    connection = open_to_read(desk.state_path)
    if connection is None:
        return Tally(pending=0, last_run=None)
    with closing(connection), store_errors(desk.state_path):
        if not desk.state_path.stat().st_size:  # just being made
            return Tally(pending=0, last_run=None)
        return tally(connection, desk.place.worktree_key)
