"""What is said again on another day: one rule, another one, or the end of the first."""

from __future__ import annotations

from cases import cases
from evaluation.pairs import RIGHT, outcome, pairs_of

PAIRS = [*pairs_of("made"), *pairs_of("fresh"), *pairs_of("later")]
LEAST = {"same": 0.8, "turned": 0.8, "update": 0.8, "clash": 0.8, "apart": 0.9, "scope": 1.0}
"""The share of each sort of pair that has to come out right."""


@cases("relation", LEAST)
def test_shares(relation: str) -> None:
    """Most pairs become what they are."""
    came = [outcome(pair) in RIGHT[relation] for pair in PAIRS if pair.relation == relation]
    assert sum(came) >= LEAST[relation] * len(came)


def test_nothing_else_is_merged() -> None:
    """Only what says the same is kept as one: no negation, other value or other thing ever is."""
    assert [pair for pair in PAIRS if pair.relation != "same" and outcome(pair) == "merged"] == []


NOES = ("Never {}", "Do not {}", "Nobody should {}", "It's wrong to {}", "Under no circumstances {}", "Better not {}")


@cases("frame", NOES)
def test_no_rule_merges_with_its_negation(frame: str) -> None:
    """However a rule is turned round, it stays apart from itself."""
    rules = {pair.old for pair in PAIRS if pair.relation in ("same", "apart", "clash")}
    turned = [(rule, frame.format(rule[0].lower() + rule[1:])) for rule in sorted(rules)]
    merged = [
        pair for pair in turned if outcome(PAIRS[0]._replace(relation="turned", old=pair[0], new=pair[1])) == "merged"
    ]
    assert merged == []
