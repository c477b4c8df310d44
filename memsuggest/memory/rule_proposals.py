"""Proposals without a model: of nearly the same words, one fact stays. Pure; `consolidation` decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.consolidation import Proposal, Verb, is_own
from memsuggest.memory.contradictions import KnownFacts
from memsuggest.memory.tiers import Tier
from memsuggest.model import FactStatus, MemoryFact

if TYPE_CHECKING:
    from collections.abc import Sequence


def by_rule(facts: Sequence[MemoryFact], *, tier: Tier = Tier.GENEROUS) -> list[Proposal]:
    """Propose without a model: of what says the same the later one goes, and what was replaced when room is short."""
    ordered = sorted(facts, key=lambda fact: (not is_own(fact), fact.timestamp, fact.id))
    active = [fact for fact in ordered if fact.status is FactStatus.ACTIVE]
    replaced = [fact for fact in ordered if fact.status is FactStatus.INACTIVE and fact.superseded_by]
    found = [
        Proposal(verb=Verb.DELETE, id=fact.id, because=fact.superseded_by or "")
        for fact in replaced
        if tier is not Tier.GENEROUS  # there, they are kept to be looked at
    ]
    staying = KnownFacts()
    for fact in active:
        first = staying.same_as(fact.content, fact.scope)
        if first:
            found.append(Proposal(verb=Verb.DELETE, id=fact.id, because=first.id))
        else:
            staying.add(fact)
    return found
