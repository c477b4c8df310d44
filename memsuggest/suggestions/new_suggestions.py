"""Suggestions since the person last looked at what waits, and the memory of that look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from memsuggest.core.config import Mode
from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import StoreError
from memsuggest.core.model import MemorySuggestion
from memsuggest.suggestions.decision_reports import Listing
from memsuggest.suggestions.pending_suggestions import looked_at, note_look


class Look(Protocol):
    """A report of what is pending."""

    @property
    def mode(self) -> Mode: ...
    @property
    def is_of_all(self) -> bool:
        """Tell whether it shows all that is pending, and a person may have seen it."""
        ...

    @property
    def suggestions(self) -> Sequence[MemorySuggestion]: ...
    @property
    def maintenance(self) -> Sequence[MemorySuggestion]: ...


def seen_of(context: Context, report: Look) -> frozenset[str]:
    """Return the ids of what a report shows that were shown at the last look.

    A part of what is pending is shown whole, and so is a list in which nothing is new.
    """
    if not report.is_of_all:
        return frozenset()
    with store_errors(context.state):
        before = looked_at(context.state, context.place.worktree_key)
    ids = {suggestion.id for suggestion in (*report.suggestions, *report.maintenance)}
    is_asked_again = isinstance(report, Listing) and ids <= before  # who lists what they know wants to see it
    return frozenset() if is_asked_again else frozenset(before & ids)


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


def note_shown(context: Context, report: Look) -> None:
    """Remember what a report of what waits put on the screen."""
    if report.mode is not Mode.OFF and (report.is_of_all or (isinstance(report, Listing) and report.is_narrowed)):
        note_met(context, {suggestion.id for suggestion in (*report.suggestions, *report.maintenance)})
