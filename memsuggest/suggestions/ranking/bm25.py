"""An index of many texts: which hold a word, and how much it speaks for each (BM25). Pure."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SATURATION = 1.3
"""BM25's k1: from here on, further mentions of a word count little."""


class Rarity:
    """The rarity of words among some texts."""

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        """Count in how many texts each word stands."""
        self._total = 0
        self._holding: Counter[str] = Counter()
        for words in texts:
            self._total += 1
            self._holding.update(set(words))

    def of(self, word: str) -> float:
        """Say how rare a word is: near 0 when all texts have it, highest when none has."""
        return rarity(self._holding[word], self._total)


def rarity(holding: int, total: int) -> float:
    """Say how much a word tells that stands in so many of so many texts."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


class Discounts:
    """Discounts of mentions in texts that are longer than the others."""

    def __init__(self, counts: Sequence[Mapping[str, int]], *, length_matters: float) -> None:
        """Measure the texts; `length_matters` from 0 to 1."""
        self.lengths = [sum(count.values()) for count in counts]
        self.mean = max(1.0, sum(self.lengths) / max(1, len(counts)))
        flat = 1 - length_matters
        self._of_text = [SATURATION * (flat + length_matters * length / self.mean) for length in self.lengths]

    def value(self, number: int, times: int) -> float:
        """Return what that many mentions in a text are worth."""
        return times * (SATURATION + 1) / (times + self._of_text[number])

    def score(self, number: int, count: Mapping[str, int], weights: Mapping[str, float]) -> float:
        """Return what the mentions of some weighted words in a text are worth."""
        total, discount = 0.0, self._of_text[number]
        for word, weight in weights.items():
            if times := count.get(word, 0):
                total += weight * times / (times + discount)
        return total * (SATURATION + 1)


class Bm25:
    """An index of texts, asked for all that share a word with a query."""

    def __init__(self, counts: Sequence[Mapping[str, int]], *, length_matters: float = 0.0) -> None:
        """Index texts given as counts of their words."""
        self.rarity = Rarity(counts)
        self.discounts = Discounts(counts, length_matters=length_matters)
        self._of_word: dict[str, list[tuple[int, float]]] = {}
        for number, count in enumerate(counts):
            for word, times in count.items():
                self._of_word.setdefault(word, []).append((number, self.discounts.value(number, times)))

    def quick_scores(self, weights: Mapping[str, float], *, enough: int) -> dict[int, float]:
        """Return BM25 scores from the rarest words on, until `enough` texts were met; the common rest tells little."""
        found: dict[int, float] = {}
        met = 0
        for word in sorted(weights, key=lambda word: len(self._of_word.get(word, ()))):
            holders = self._of_word.get(word, ())
            if found and met + len(holders) > enough:
                break
            met += len(holders)
            weight = weights[word]
            for number, value in holders:
                found[number] = found.get(number, 0.0) + weight * value
        return found

    def shares(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Return for every text the weight of the words that it holds at all."""
        found: dict[int, float] = {}
        for word, weight in weights.items():
            for number, _ in self._of_word.get(word, ()):
                found[number] = found.get(number, 0.0) + weight
        return found


def relative(scores: Mapping[int, float], *, least: float = 0.0) -> dict[int, float]:
    """Return scores as shares of the highest of all, or of the least that counts as a high one."""
    highest = max(scores.values(), default=0.0)
    highest = max(highest, least) if highest > 0 else highest
    return {number: score / highest for number, score in scores.items()} if highest > 0 else {}
