"""Consolidation: which facts go since another one says the same, or took their place. Pure.

Only what has nearly the same words goes by itself; what says the same in other words is for question two
(`judging`), which sees the rules beside each other.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from memsuggest.core.model import FactStatus, MemoryFact, Trust
from memsuggest.facts.contradictions import KnownFacts
from memsuggest.judging.model_reports import Merge

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_DELETED = 0.2
"""Share of the facts that may go in one run without a look at each."""
_BYTES_PER_TOKEN = 4


class Tier(StrEnum):
    """A tier of fullness; what was replaced goes where room is short."""

    GENEROUS = "generous"
    SELECTIVE = "selective"
    HEAVY_CUT = "heavy cut"


def size_of(facts: Sequence[MemoryFact]) -> int:
    """Return about how many tokens facts take: `ceil(json length / 4)`."""
    rows = [{"id": fact.id, "content": fact.content, "kind": fact.kind, "scope": fact.scope} for fact in facts]
    return -(-len(json.dumps(rows, ensure_ascii=False)) // _BYTES_PER_TOKEN)


def tier_of(facts: Sequence[MemoryFact], *, budget: int | None) -> Tier:
    """Return the tier of a store; of one whose capacity is not known, the generous one."""
    share = size_of(facts) / budget if budget else 0.0
    if share < 0.3:
        return Tier.GENEROUS
    return Tier.SELECTIVE if share <= 0.5 else Tier.HEAVY_CUT


def find_merges(facts: Sequence[MemoryFact], *, tier: Tier = Tier.GENEROUS) -> list[Merge]:
    """Return which facts could go: of two with nearly the same words the later; what was replaced, when room is short.

    What a person said goes for nothing that nobody said; beyond the share that may go at once, each needs a look.
    """
    ordered = sorted(facts, key=lambda fact: (not is_own(fact), fact.timestamp, fact.id))
    found, staying = list[Merge](), KnownFacts()
    for fact in (fact for fact in ordered if fact.status is FactStatus.ACTIVE):
        if same := staying.same_as(fact.content, fact.scope):
            found.append(Merge(fact=fact, because=same, why="says the same as"))
        else:
            staying.add(fact)
    if tier is not Tier.GENEROUS:  # there, what was replaced is kept to be looked at
        gone = {one.fact.id for one in found}
        active = {fact.id: fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.id not in gone}
        found += [
            Merge(fact=fact, because=heir, why="replaced by", is_replacement=True)
            for fact in ordered
            if fact.status is FactStatus.INACTIVE and (heir := active.get(fact.superseded_by or ""))
            if heir.scope is fact.scope and (is_own(heir) or not is_own(fact))
        ]
    room = max(1, int(len(facts) * MOST_DELETED))
    return [one if number < room else one.to_look_at for number, one in enumerate(found)]


def is_own(fact: MemoryFact) -> bool:
    """Tell whether a person typed or confirmed it."""
    return any(citation.trust in (Trust.TYPED, Trust.CONFIRMED) for citation in fact.citations)
