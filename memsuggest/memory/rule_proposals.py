"""Proposals without a model: of what says the same, one stays. Pure; `consolidation` decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.consolidation import Proposal, Verb, is_own
from memsuggest.memory.duplicates import DEFAULT_SIMILARITY, KnownRules
from memsuggest.memory.merged_wording import difference_between
from memsuggest.memory.tiers import Tier
from memsuggest.model import FactStatus, MemoryFact, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

RULE_SIMILARITY = {Tier.GENEROUS: DEFAULT_SIMILARITY, Tier.SELECTIVE: 0.75, Tier.HEAVY_CUT: 0.65}
"""Similarity from which two facts say the same, without a model."""


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
    least = RULE_SIMILARITY[tier]
    staying: dict[Scope, list[MemoryFact]] = {scope: [] for scope in Scope}
    known = {scope: KnownRules((), threshold=least) for scope in Scope}
    for fact in active:
        alike = (staying[fact.scope][match.position] for match in known[fact.scope].matches(fact.content, least=least))
        first = next((one for one in alike if difference_between(one.content, fact.content) is None), None)
        if first:
            found.append(Proposal(verb=Verb.DELETE, id=fact.id, because=first.id))
        else:
            staying[fact.scope].append(fact)
            known[fact.scope].add(fact.content)
    return found
