"""Tests generated from the examples in the rulebook."""

from __future__ import annotations

import pytest

from memsuggest.extraction.remarks import Remark
from memsuggest.extraction.rulebook import RULES
from memsuggest.extraction.weights import WEIGHTS
from memsuggest.text.sentences import Statement


def remark(text: str) -> Remark:
    return Remark(statement=Statement(text=text, start=0, end=len(text), sentence=text))


@pytest.mark.parametrize(
    ("rule", "text"),
    [pytest.param(rule, text, id=f"{rule.name}: {text[:40]}") for rule in RULES for text in rule.remembers],
)
def test_a_rule_fires_on_what_it_remembers(rule, text):
    """Every sentence under `remembers` makes its rule fire."""
    assert rule.fires(remark(text))


@pytest.mark.parametrize(
    ("rule", "text"),
    [pytest.param(rule, text, id=f"{rule.name}: {text[:40]}") for rule in RULES for text in rule.ignores],
)
def test_a_rule_is_silent_on_what_it_ignores(rule, text):
    """No sentence under `ignores` makes its rule fire."""
    assert not rule.fires(remark(text))


def test_every_rule_has_one_weight_and_every_weight_a_rule():
    """The table of weights and the rulebook name the same rules."""
    assert sorted(rule.name for rule in RULES) == sorted(WEIGHTS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_carries_examples(rule):
    """A rule says what it looks for and shows what it leaves alone."""
    assert rule.looks_for
    assert rule.ignores
