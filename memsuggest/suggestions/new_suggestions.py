"""Suggestions since the person last looked at what waits, and the memory of that look."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from memsuggest.core.config import Mode
from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import StoreError
from memsuggest.core.model import SuggestionStatus
from memsuggest.learning.learning_reports import Reconciled
from memsuggest.suggestions.decision_reports import Listing
from memsuggest.suggestions.pending_suggestions import looked_at, note_look


def with_seen(context: Context, report: Listing | Reconciled) -> Listing | Reconciled:
    """Say in a report which of its suggestions were shown at the last look.

    A part of what waits is shown whole, and so is a list in which nothing is new.
    """
    if not _is_of_all(report):
        return report
    with store_errors(context.state):
        before = looked_at(context.state, context.place.worktree_key)
    ids = {suggestion.id for suggestion in (*report.suggestions, *report.maintenance)}
    is_asked_again = isinstance(report, Listing) and ids <= before  # who lists what they know wants to see it
    return report if is_asked_again else replace(report, seen=before & ids)


def seen_before(context: Context) -> frozenset[str]:
    """Return the ids of what was shown at the last look; nothing where that cannot be read."""
    with suppress(StoreError), store_errors(context.state):
        return frozenset(looked_at(context.state, context.place.worktree_key))
    return frozenset()


def note_met(context: Context, ids: Iterable[str]) -> None:
    """Remember that suggestions were on the screen; where that cannot be kept, they are new once more the next time."""
    if not context.is_dry:
        with suppress(StoreError), store_errors(context.state):
            note_look(context.state, context.place.worktree_key, frozenset(ids))


def note_shown(context: Context, report: Listing | Reconciled) -> None:
    """Remember what a report of what waits put on the screen."""
    if report.mode is not Mode.OFF and (_is_of_all(report) or (isinstance(report, Listing) and report.is_narrowed)):
        note_met(context, {suggestion.id for suggestion in (*report.suggestions, *report.maintenance)})


def _is_of_all(report: Listing | Reconciled) -> bool:
    if isinstance(report, Reconciled):
        return not report.is_dry
    return report.status is SuggestionStatus.PENDING and not report.is_narrowed
