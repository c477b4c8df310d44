"""Taking the last apply back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.reports.deciding import Undone
from memsuggest.workflows.pending import refresh_pending
from memsuggest.workflows.stores import store_decisions
from memsuggest.workflows.writing import backwards, close, settle, turned_round, write_all

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def undo(desk: Desk) -> Undone:
    """Take the last apply of this working tree back, byte for byte; raises EditConflict when it no longer fits."""
    with desk.alone():
        return _undone(desk)


def _undone(desk: Desk) -> Undone:
    settle(desk)
    entry = desk.journal.last()
    if entry is None:
        raise MemsuggestError(
            "there is nothing to undo", hint="`memsuggest list --status applied` shows what was applied"
        )
    edits = [backwards(desk, edit) for edit in reversed(entry.edits)]
    desk.journal.reopen(entry.number)  # killed from here on, the next run goes on
    try:
        write_all(desk, edits)
        close(desk, entry)
    except MemsuggestError:
        with suppress(MemsuggestError):
            write_all(desk, [turned_round(edit) for edit in reversed(edits)])
            store_decisions(desk, entry.decisions)
            desk.journal.finish(entry.number)
        raise
    desk.forget_targets()
    refreshed = refresh_pending(desk)
    back = {decision.fact_id for decision in entry.decisions}
    contents = [one.fact.content for one in refreshed.suggestions if one.fact.id in back]
    return Undone(paths=tuple(edit.path for edit in entry.edits), contents=tuple(contents))
