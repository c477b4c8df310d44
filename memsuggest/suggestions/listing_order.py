"""The one order in which suggestions are listed and gone through: what is new first, then by the kind of file. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import TargetType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memsuggest.model import MemorySuggestion

_KINDS = tuple(TargetType)


def in_order(suggestions: Iterable[MemorySuggestion], *, seen: Collection[str]) -> list[MemorySuggestion]:
    """Return suggestions, given best first, in the order in which a person meets them; `seen` are ids shown before.

    What files need by themselves comes after what was said.
    """

    def rank(one: MemorySuggestion) -> tuple[bool, bool, int]:
        return one.id in seen, one.fact is None, 0 if one.fact is None else _KINDS.index(one.target_type)

    return sorted(suggestions, key=rank)
