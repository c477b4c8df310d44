"""The bounds are those of the textbooks, and words are only said of what is more than chance."""

from __future__ import annotations

from math import comb

from memsuggest.held.rule_outcome import ENOUGH, at_most, chance_of_fall, difference_in_words


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


def test_fisher_by_hand() -> None:
    """Three of three before and none of three after: one of the twenty ways to put three into six."""
    assert chance_of_fall(said_before=3, before=3, said_after=0, after=3) == 1 / 20


def test_a_difference_needs_enough_chats() -> None:
    """Few chats tell nothing, many tell; a rise is told like a fall."""
    assert difference_in_words(said_before=1, before=1, said_after=0, after=9) == ""
    assert difference_in_words(said_before=2, before=6, said_after=1, after=6).startswith("no measurable effect")
    assert difference_in_words(said_before=6, before=8, said_after=1, after=12).startswith("less often")
    assert difference_in_words(said_before=1, before=12, said_after=6, after=8).startswith("more often")
    assert difference_in_words(said_before=0, before=9, said_after=0, after=9) == ""
