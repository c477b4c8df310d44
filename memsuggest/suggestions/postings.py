"""Which of many texts hold a word, and how much each word speaks for a text (BM25). Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Postings:
    """An index of texts, asked for the score of all that share a word with a query."""

    def __init__(self, counts: Sequence[Mapping[str, int]], *, length_matters: float) -> None:
        """Index texts given as counts of their words; `length_matters` from 0 to 1 discounts long texts."""
        self.lengths = [sum(count.values()) for count in counts]
        self.mean = max(1.0, sum(self.lengths) / max(1, len(counts)))
        self._of_word: dict[str, list[tuple[int, float]]] = {}
        for number, count in enumerate(counts):
            discount = _SATURATION * (1 - length_matters + length_matters * self.lengths[number] / self.mean)
            for word, times in count.items():
                value = times * (_SATURATION + 1) / (times + discount)
                self._of_word.setdefault(word, []).append((number, value))

    def __len__(self) -> int:
        return len(self.lengths)

    def holders(self, word: str) -> Sequence[tuple[int, float]]:
        """Return the texts that hold a word, by number, with how much it stands out in each."""
        return self._of_word.get(word, ())

    def rarity(self, word: str) -> float:
        """Say how rare a word is among the texts: near 0 when all have it."""
        holding = len(self._of_word.get(word, ()))
        return math.log(1 + (len(self) - holding + 0.5) / (holding + 0.5))

    def scores(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Return the BM25 score of every text that holds one of the weighted words."""
        found: dict[int, float] = {}
        for word, weight in weights.items():
            for number, value in self._of_word.get(word, ()):
                found[number] = found.get(number, 0.0) + weight * value
        return found

    def shares(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Return for every text the weight of the words that it holds at all."""
        found: dict[int, float] = {}
        for word, weight in weights.items():
            for number, _ in self._of_word.get(word, ()):
                found[number] = found.get(number, 0.0) + weight
        return found


_SATURATION = 1.3
"""BM25's k1: from here on, further mentions of a word count little."""


def relative(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores as shares of the highest of all."""
    highest = max(scores.values(), default=0.0)
    return {number: score / highest for number, score in scores.items()} if highest > 0 else {}
