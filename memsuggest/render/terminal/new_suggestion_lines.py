"""Suggestions that are new since the last look, and one line for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.terminal.page import FAINT, HEAD, Page, count

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memsuggest.model import MemorySuggestion


def unseen(suggestions: Sequence[MemorySuggestion], seen: Collection[str]) -> tuple[MemorySuggestion, ...]:
    """Return the suggestions that were not shown at the last look, in their order."""
    return tuple(one for one in suggestions if one.id not in seen)


def show_news(page: Page, news: Sequence[MemorySuggestion], *, seen: Collection[str]) -> None:
    """Print how much is new, where something is not; what is only new needs no word of it."""
    if seen:
        page.line((f"{len(news)} new since your last look" if news else "Nothing new since your last look", HEAD))


def show_rest(
    page: Page,
    suggestions: Sequence[MemorySuggestion],
    maintenance: Sequence[MemorySuggestion],
    *,
    seen: Collection[str],
) -> None:
    """Print one line for what was shown before."""
    said, cared = (sum(one.id in seen for one in group) for group in (suggestions, maintenance))
    if said or cared:
        parts = [count(said, "suggestion", "suggestions")] if said else []
        parts += [f"{cared} in care of your files"] if cared else []
        page.line()
        page.line((f"{' and '.join(parts)} seen before: `memsuggest list --all` shows all", FAINT))
