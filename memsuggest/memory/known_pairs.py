"""Pairs of facts that contradict each other, remembered from one decision to the next. Pure.

Comparing thousands of rules takes seconds, and a decision changes one of them: only what is new is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.contradictions import find_contradictions, newest_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemoryFact

_Judged = tuple[str, str, str]
"""All of a fact that decides whether it contradicts another one."""


class KnownPairs:
    """The pairs among the facts that were asked about last."""

    def __init__(self) -> None:
        self._judged: dict[str, _Judged] = {}
        self._pairs: set[frozenset[str]] = set()

    @property
    def size(self) -> int:
        """The number of facts that were asked about last."""
        return len(self._judged)

    def losers(self, facts: Sequence[MemoryFact]) -> set[str]:
        """Return the ids of the facts that do not count beside a newer one, as `find_contradictions` pairs them."""
        by_id = {fact.id: fact for fact in facts}
        judged = {fact.id: _judged(fact) for fact in facts}
        changed = {name for name, now in judged.items() if self._judged.get(name) != now}
        kept = {pair for pair in self._pairs if pair <= by_id.keys() and not pair & changed}
        found = find_contradictions([fact for fact in facts if fact.id in changed], among=facts)
        self._judged, self._pairs = judged, kept | {frozenset((one.winner.id, one.loser.id)) for one in found}
        return {newest_first(*(by_id[name] for name in pair))[1].id for pair in self._pairs}


def _judged(fact: MemoryFact) -> _Judged:
    return fact.content, fact.scope, fact.status
