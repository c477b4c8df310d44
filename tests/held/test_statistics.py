"""The bounds are those of the textbooks, and words are only said of what is more than chance."""

from __future__ import annotations

from math import comb

from memsuggest.held.rule_outcome import ENOUGH, at_most


def test_the_bound_is_exact() -> None:
    """At the bound, so few would come in just one of twenty cases."""
    for said, chats in ((0, 5), (0, 40), (1, 9), (3, 20)):
        share = at_most(said, chats)
        chance = sum(comb(chats, one) * share**one * (1 - share) ** (chats - one) for one in range(said + 1))
        assert abs(chance - 0.05) < 1e-6
    assert at_most(4, 4) == 1.0


def test_five_are_the_fewest_that_tell() -> None:
    """With so many one can be sure of less than half; with one fewer, not."""
    assert at_most(0, ENOUGH) < 0.5 <= at_most(0, ENOUGH - 1)
