"""Taking the last apply back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.reports.deciding import Undone
from memsuggest.workflows.care import pending_care
from memsuggest.workflows.paths import HOST
from memsuggest.workflows.writing import carry_back, settle

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def undo(desk: Desk) -> Undone:
    """Take the last apply of this working tree back, byte for byte; raises EditConflict when it no longer fits."""
    with desk.alone():
        settle(desk)
        entry = desk.journal.last()
        if entry is None:
            raise MemsuggestError(
                "there is nothing to undo", hint="`memsuggest list --status applied` shows what was applied"
            )
        refreshed = carry_back(desk, entry)
    back = {decision.fact_id for decision in entry.decisions}
    waiting = (*refreshed.suggestions, *pending_care(desk))
    contents = [one.content for one in waiting if one.about in back]
    return Undone(paths=tuple(edit.path.removeprefix(HOST) for edit in entry.edits), contents=tuple(contents))
