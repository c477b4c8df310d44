"""The facts that are to be suggested, and which of them give way to others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.model import Decision, FactStatus, MemoryFact, SuggestionStatus
from memsuggest.facts.contradictions import find_contradictions
from memsuggest.facts.stores import all_decisions, all_facts


class Known(NamedTuple):
    """All that planning rests on beside the files: what is known, and what was decided."""

    facts: Sequence[MemoryFact]
    decisions: Sequence[Decision]
    open: Mapping[str, MemoryFact]
    """By their ids, the facts that are to be suggested unless a file says them already."""
    closed: Mapping[str, frozenset[str]]
    """By their ids, the files for which open facts were decided."""


def read_known(context: Context) -> Known:
    """Return what the stores have."""
    return known_of(context, all_facts(context), all_decisions(context))


def known_of(context: Context, facts: Sequence[MemoryFact], decisions: Sequence[Decision]) -> Known:
    """Say of facts and decisions which facts are open, and for which files they are closed."""
    found = open_among(facts, decisions, threshold=context.settings.threshold)
    losers = context.known_pairs.losers(found) | overruled(found, taken_in(facts, decisions))
    is_open = {fact.id: fact for fact in found if fact.id not in losers}
    return Known(facts, decisions, is_open, {fact.id: closed_targets(fact, decisions) for fact in is_open.values()})


def open_among(facts: Iterable[MemoryFact], decisions: Iterable[Decision], *, threshold: float) -> list[MemoryFact]:
    """Return the facts that are active, sure enough, and neither applied nor dismissed everywhere."""
    settled = {
        decision.fact_id
        for decision in decisions
        if decision.status is SuggestionStatus.APPLIED or decision.target is None
    }
    return [
        fact
        for fact in facts
        if fact.status is FactStatus.ACTIVE and fact.confidence >= threshold and fact.id not in settled
    ]


def closed_targets(fact: MemoryFact, decisions: Iterable[Decision]) -> frozenset[str]:
    """Return the files for which a fact was decided."""
    return frozenset(
        decision.target for decision in decisions if decision.fact_id == fact.id and decision.target is not None
    )


def taken_in(facts: Iterable[MemoryFact], decisions: Iterable[Decision]) -> list[MemoryFact]:
    """Return the facts that the person took into a file."""
    applied = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
    return [fact for fact in facts if fact.id in applied]


def overruled(found: Sequence[MemoryFact], applied: Sequence[MemoryFact]) -> set[str]:
    """Return the ids of facts that would replace what the person said later and applied."""
    chosen = {fact.id for fact in applied}
    pairs = find_contradictions(found, among=applied)
    return {pair.loser.id for pair in pairs if pair.winner.id in chosen}
