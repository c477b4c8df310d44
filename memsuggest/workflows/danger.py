"""Rules that weaken safety, whoever wrote them: never applied in bulk, and only after a warning."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.deciding import Shown


def danger_of(suggestion: MemorySuggestion) -> str:
    """Say how a suggestion's rule would weaken safety, or nothing."""
    return danger_in(suggestion.content) if suggestion.fact else ""


def dangerous_among(suggestions: Iterable[MemorySuggestion]) -> frozenset[str]:
    """Return the ids of the suggestions whose rules weaken safety."""
    return frozenset(one.id for one in suggestions if danger_of(one))


def danger_in(content: str) -> str:
    """Say how a rule would weaken safety, or nothing."""
    from memsuggest.extraction.safety import weakens_safety  # noqa: PLC0415  (slow to load)

    return weakens_safety(content)


def with_danger(shown: Shown) -> Shown:
    """Return a suggestion, as it is shown, with what is dangerous about it."""
    return replace(shown, danger=danger_of(shown.suggestion))
