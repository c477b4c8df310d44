"""BM25 over small texts."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.suggestions.ranking.bm25 import Bm25, Rarity, relative

_TEXTS = [{"cache": 1, "redis": 2}, {"cache": 1}, {"cache": 3, "http": 1, "route": 1, "json": 1}]


def test_rare_words_weigh_more() -> None:
    """A word that few texts hold tells more than one that all hold; one that none holds tells most."""
    rarity = Rarity(_TEXTS)
    assert rarity.of("unheard") > rarity.of("redis") > rarity.of("cache") > 0


def test_scores_only_holders() -> None:
    """Texts without any of the words have no score at all."""
    assert set(Bm25(_TEXTS).quick_scores({"redis": 1.0, "http": 1.0}, enough=9)) == {0, 2}


def test_common_words_are_left_out() -> None:
    """When rarer words have met enough texts, those that most texts hold are not looked at."""
    assert set(Bm25(_TEXTS).quick_scores({"redis": 1.0, "cache": 1.0}, enough=3)) == {0}


def test_mentions_saturate() -> None:
    """The third mention adds less than the second."""
    index = Bm25([{"a": 1}, {"a": 2}, {"a": 3}])
    scores = index.quick_scores({"a": 1.0}, enough=9)
    assert scores[2] - scores[1] < scores[1] - scores[0]


def test_long_texts_are_discounted() -> None:
    """Of two texts with one mention, the shorter one is more about it."""
    scores = Bm25([{"a": 1}, {"a": 1, "b": 9}], length_matters=0.6).quick_scores({"a": 1.0}, enough=9)
    assert scores[0] > scores[1]


def test_shares() -> None:
    """A share counts a word once, however often it stands there."""
    assert Bm25(_TEXTS).shares({"redis": 0.75, "cache": 0.25}) == {0: 1.0, 1: 0.25, 2: 0.25}


@cases(
    ("scores", "expected"),
    [
        pytest.param({1: 2.0, 4: 1.0}, {1: 1.0, 4: 0.5}, id="of-the-highest"),
        pytest.param({}, {}, id="none"),
        pytest.param({3: 0.0}, {}, id="nothing-but-zero"),
    ],
)
def test_relative(scores: dict[int, float], expected: dict[int, float]) -> None:
    """Scores become shares of the highest one."""
    assert relative(scores) == expected
