"""Suggestions about the same matter as another, to be decided together. Pure.

About the same matter are rules that say nearly the same, and rules about the same topic (tests, commits, …) or
with the same name in them (`pnpm`, `src/api`). Where they go does not count: one heading holds rules of all sorts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.duplicates import similarity
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.suggestions.placement.topics import sure_topic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import MemorySuggestion

ALIKE = 0.5
"""Similarity from which two rules are about the same matter, whatever words they have."""


def similar(suggestion: MemorySuggestion, others: Iterable[MemorySuggestion]) -> list[MemorySuggestion]:
    """Return the other suggestions about the same matter; care goes with care for the same file."""
    return [other for other in others if other.id != suggestion.id and _go_together(suggestion, other)]


def _go_together(one: MemorySuggestion, other: MemorySuggestion) -> bool:
    if one.fact is None or other.fact is None:
        return one.fact is other.fact and one.edit.path == other.edit.path
    return one.fact.scope is other.fact.scope and is_same_matter(one.content, other.content)


def is_same_matter(a: str, b: str) -> bool:
    """Tell whether two rules are about the same matter."""
    topic = sure_topic(a)
    if topic is not None and topic is sure_topic(b):
        return True
    return bool(_names(a) & _names(b)) or similarity(a, b) >= ALIKE


def _names(rule: str) -> set[str]:
    """Return the tools, paths and identifiers that a rule names."""
    return {term.stem for term in read_wording(rule).terms if term.is_name}
