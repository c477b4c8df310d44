"""Which facts go when there are too many."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.model import Citation, Decision, FactStatus, MemoryFact, Scope, SuggestionStatus
from memsuggest.facts.pruning import HALF_LIFE, PruningWeights, beyond_limits, worth

NOW = 1_800_000_000_000


def fact(name: str, *, age: int = 0, sessions: int = 1, **given: object) -> MemoryFact:
    at = datetime.fromtimestamp((NOW - age) / 1000, UTC)
    citations = tuple(Citation(session_id=f"s{number}", turn=1, quote=name, at=at) for number in range(sessions))
    fields: dict[str, object] = {"confidence": 0.7, "timestamp": NOW - age, "citations": citations} | given
    return MemoryFact(id=name, content=name, **fields)  # type: ignore[arg-type]


def gone(*facts: MemoryFact, limit: int, decisions: tuple[Decision, ...] = (), **weights: float) -> list[str]:
    found = beyond_limits(
        facts,
        decisions=decisions,
        limits={Scope.WORKSPACE: limit, Scope.USER: limit},
        weights=PruningWeights(**weights),
        now=NOW,
    )
    return [one.id for one in found]


@cases(
    ("worse", "better"),
    [
        pytest.param(fact("a", age=HALF_LIFE), fact("b"), id="older"),
        pytest.param(fact("a", confidence=0.6), fact("b", confidence=0.9), id="less sure"),
        pytest.param(fact("a"), fact("b", sessions=3), id="said once"),
        pytest.param(
            fact("a", confidence=1.0, status=FactStatus.INACTIVE), fact("b", age=9 * HALF_LIFE), id="replaced"
        ),
    ],
)
def test_goes_first(worse: MemoryFact, better: MemoryFact) -> None:
    """Of two facts the older, the less sure, the less often said and the replaced one goes."""
    assert gone(worse, better, limit=1) == gone(better, worse, limit=1) == ["a"]


def test_score() -> None:
    """The score is the sum of the three, each with its weight; a half-life halves the first."""
    one = fact("a", age=HALF_LIFE, confidence=0.8, sessions=2)
    weights = PruningWeights(recency=2, signal=3, relevance=4)
    assert worth(one, is_dismissed=False, weights=weights, now=NOW) == pytest.approx(2 * 0.5 + 3 * 0.8 + 4 * 0.75)
    assert worth(one, is_dismissed=True, weights=weights, now=NOW) == pytest.approx(2 * 0.5 + 3 * 0.8)


def test_applied_facts_count_against_no_limit() -> None:
    """What stands in a file stays remembered, and takes no room."""
    applied = Decision(fact_id="a", target="AGENTS.md", status=SuggestionStatus.APPLIED)
    assert gone(fact("a", age=9 * HALF_LIFE), fact("b"), limit=1, decisions=(applied,)) == []


def test_dismissed_facts_go_before_others() -> None:
    """A fact that was dismissed everywhere is of no use; one dismissed for one file still is."""
    everywhere = Decision(fact_id="b", target=None, status=SuggestionStatus.DISMISSED)
    for_one = Decision(fact_id="a", target="AGENTS.md", status=SuggestionStatus.DISMISSED)
    assert gone(fact("a"), fact("b"), limit=1, decisions=(everywhere, for_one)) == ["b"]


@given(st.lists(st.tuples(st.integers(0, 5 * HALF_LIFE), st.sampled_from(Scope)), max_size=40), st.integers(1, 20))
def test_exactly_the_limit_remains(made: list[tuple[int, Scope]], limit: int) -> None:
    """Each scope has its own limit, and as many go as are too many."""
    facts = [fact(f"f{number}", age=age, scope=scope) for number, (age, scope) in enumerate(made)]
    left = [one for one in facts if one.id not in gone(*facts, limit=limit)]
    for scope in Scope:
        of_scope = sum(one.scope is scope for one in facts)
        assert sum(one.scope is scope for one in left) == min(of_scope, limit)
