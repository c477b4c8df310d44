"""Dismissing: silence a fact, everywhere or for one target, until new evidence arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import Decision, SuggestionStatus
from memsuggest.reports.deciding import Dismissed
from memsuggest.workflows.care import refresh_care
from memsuggest.workflows.pending import refresh_pending
from memsuggest.workflows.stores import open_stores, store_decisions
from memsuggest.workflows.waiting import find_pending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemorySuggestion
    from memsuggest.workflows.desk import Desk


def dismiss(desk: Desk, prefixes: Sequence[str], *, only_here: bool) -> Dismissed:
    """Dismiss suggestions; raises UnknownId before anything is stored."""
    with desk.alone():
        open_stores(desk)
        chosen = [find_pending(desk, prefix) for prefix in dict.fromkeys(prefixes)]
        store_decisions(desk, [_dismissal(suggestion, only_here=only_here) for suggestion in chosen])
        refresh_pending(desk)
        refresh_care(desk)
    return Dismissed(suggestions=tuple(chosen), only_here=only_here)


def _dismissal(suggestion: MemorySuggestion, *, only_here: bool) -> Decision:
    target = suggestion.edit.path if only_here else None
    return Decision(fact_id=suggestion.about, target=target, status=SuggestionStatus.DISMISSED)
