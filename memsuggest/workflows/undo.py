"""Taking the last apply back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.reports.deciding import Undone
from memsuggest.workflows.paths import HOST
from memsuggest.workflows.stores import all_facts
from memsuggest.workflows.waiting import pending_care
from memsuggest.workflows.writing import carry_back, settle

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def undo(desk: Desk) -> Undone:
    """Take back the last apply or consolidation of this working tree; raises EditConflict when that no longer fits.

    What nobody else has changed since is the same again, byte for byte.
    """
    with desk.alone():
        settle(desk)
        entry = desk.journal.last()
        if entry is None:
            raise MemsuggestError(
                "there is nothing to undo", hint="`memsuggest list --status applied` shows what was applied"
            )
        known = _contents(desk)
        refreshed = carry_back(desk, entry)
        again: set[str] = set()
        with suppress(MemsuggestError):  # it is done, whether or not it can be told
            again = _contents(desk) - known
    back = {decision.fact_id for decision in entry.decisions}
    waiting = (*refreshed.suggestions, *pending_care(desk))
    contents = [one.content for one in waiting if one.about in back]
    return Undone(
        paths=tuple(edit.path.removeprefix(HOST) for edit in entry.edits),
        contents=tuple(contents),
        facts=tuple(sorted(again)),
    )


def _contents(desk: Desk) -> set[str]:
    return {fact.content for fact in all_facts(desk)}
