"""Suggestions that go to the same place as another, to be decided together. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import MemorySuggestion


def similar(suggestion: MemorySuggestion, others: Iterable[MemorySuggestion]) -> list[MemorySuggestion]:
    """Return the other suggestions for the same file and heading; what a file needs by itself goes with its like."""
    return [
        other
        for other in others
        if other.id != suggestion.id
        and other.edit.path == suggestion.edit.path
        and (other.fact is None) is (suggestion.fact is None)
        and (suggestion.heading is None or other.fact is None or other.heading == suggestion.heading)
    ]
