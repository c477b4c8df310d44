"""The notices and their words. Pure.

The words are the feature's own: eager tells each fact, occasional counts. A suggestion is told of once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.reports.watch_reports import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemorySuggestion

BATCH = 5
"""New suggestions that are worth a notice by themselves in the mode `occasional`."""
MANY = 5
"""New suggestions of one moment above which even `eager` counts them instead of telling each."""
_SHORT = 7


def notices_of(mode: Mode, fresh: Sequence[MemorySuggestion], *, is_end: bool) -> list[Notice]:
    """Return what to tell about suggestions that nobody was told of; `is_end`: a session ended."""
    if mode is Mode.EAGER and len(fresh) <= MANY:
        return [_learned(suggestion) for suggestion in fresh]
    is_due = mode is Mode.EAGER or (mode is Mode.OCCASIONAL and (is_end or len(fresh) >= BATCH))
    return [_counted(fresh)] if fresh and is_due else []


def _learned(suggestion: MemorySuggestion) -> Notice:
    return Notice(
        text=f"Learned: '{suggestion.content}'",
        review=f"memsuggest show {suggestion.id[:_SHORT]}",
        suggestions=(suggestion.id,),
    )


def _counted(fresh: Sequence[MemorySuggestion]) -> Notice:
    return Notice(
        text=waiting(len(fresh)), review="memsuggest review", suggestions=tuple(suggestion.id for suggestion in fresh)
    )


def waiting(count: int) -> str:
    """Say that so many suggestions wait.

    >>> waiting(5)
    '5 suggestions to improve your customizations'
    """
    return f"{count} suggestion{'' if count == 1 else 's'} to improve your customizations"
