"""Looking at what is remembered as a whole: how full it is, and what could go. Changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.consolidation import by_rule, disposed, size_of, tier_of
from memsuggest.reports.models import Consolidated, Needless
from memsuggest.workflows.stores import all_facts

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def consolidate(desk: Desk) -> Consolidated:
    """Return which facts could go and for the sake of which others, by rule."""
    facts = all_facts(desk.dry())
    budget = int(desk.settings.number("consolidationBudget"))
    operations, refused = disposed(by_rule(facts), {fact.id: fact for fact in facts})
    return Consolidated(
        facts=len(facts),
        tokens=size_of(facts),
        budget=budget,
        tier=tier_of(facts, budget=budget),
        operations=tuple(Needless(verb=one.verb, fact=one.fact, because=one.because) for one in operations),
        refused=tuple(refused),
    )
