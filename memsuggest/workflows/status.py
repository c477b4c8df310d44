"""`status`: the one workflow that runs in every prompt, so it opens one database and reads two numbers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.errors import StoreError
from memsuggest.reports.status import Status
from memsuggest.suggestions.tally import Tally, tally

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def read_status(desk: Desk) -> Status:
    """Return mode, last run and how many suggestions wait; nothing is written, nothing created."""
    mode = desk.settings.mode
    counted = Tally(pending=0, last_run=None) if mode is Mode.OFF else _read_tally(desk)
    return Status(mode=mode, last_run=counted.last_run, pending=counted.pending)


def _read_tally(desk: Desk) -> Tally:
    path = desk.state_path
    if not path.exists():
        return Tally(pending=0, last_run=None)
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return tally(connection, desk.place.worktree_key)
    except sqlite3.Error as error:
        hint = "move the file away: it holds only what `memsuggest reconcile` can make again"
        raise StoreError(f"{path} cannot be read: {error}", hint=hint) from None
