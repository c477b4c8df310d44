"""What is remembered of contradictions is what comparing all facts anew would find."""

from __future__ import annotations

from dataclasses import replace

from memsuggest.core.identity import fact_id
from memsuggest.core.model import FactStatus, MemoryFact, Scope
from memsuggest.facts.contradictions import KnownPairs, find_contradictions

RULES = (
    "Always use pnpm.",
    "Never use pnpm.",
    "Indent with tabs.",
    "Indent with spaces.",
    "Wait 30 seconds for the queue.",
    "Wait 60 seconds for the queue.",
    "Log in UTC.",
)


def said(text: str, at: int) -> MemoryFact:
    return MemoryFact(id=fact_id(Scope.WORKSPACE, text), content=text, confidence=0.9, timestamp=at)


def test_losers_are_those_of_comparing_all_anew() -> None:
    """Whatever is added, dropped, reworded, retired or said again later, the same facts lose."""
    facts = [said(text, at) for at, text in enumerate(RULES)]
    retired = [replace(facts[0], status=FactStatus.INACTIVE), *facts[1:]]
    later = [replace(facts[0], timestamp=99), *facts[1:]]
    reworded = [*facts[:5], replace(facts[5], content="Wait 30 seconds for the queue."), facts[6]]
    known = KnownPairs()
    for now in ([], facts, facts[:5], facts, retired, facts, later, reworded, facts[1:], [*facts[2:], facts[0]], facts):
        assert known.losers(now) == {pair.loser.id for pair in find_contradictions(now)}, now
    assert len(known.losers(facts)) >= 2
