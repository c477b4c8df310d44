"""The texts that share most words with a rule: plain BM25 over stems. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memsuggest.core.text.stems import stem
from memsuggest.core.text.stop_words import ASKING_WORDS, STOP_WORDS

SATURATION = 1.2
"""BM25's k1."""
LENGTH = 0.5
"""BM25's b: how much a long text counts for less."""
_TOKEN = re.compile(r"[\w.-]*/[\w./-]*|\w+")
"""A path counts as a whole, beside its parts."""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_EMPTY = frozenset().union(*STOP_WORDS.values(), *ASKING_WORDS.values())


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words; an identifier and a path give themselves and their parts.

    >>> stems_of("Never mock the OrderStore in src/")
    ['mock', 'orderstor', 'order', 'store', 'src/', 'src']
    """
    return [one for token in _TOKEN.findall(text) for one in _stems_of_token(token)]


@lru_cache(maxsize=1 << 15)
def _stems_of_token(token: str) -> tuple[str, ...]:
    parts = _PART.findall(token) if token.isascii() else []
    words = [token, *parts] if len(parts) > 1 else [token]
    lowered = (word.lower().strip("_.") for word in words)
    return tuple(dict.fromkeys(stem(word) for word in lowered if len(word) > 1 and word not in _EMPTY))


class Nearest:
    """Some texts, to be asked which of them are nearest to a rule."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts = [Counter(stems_of(text)) for text in texts]
        lengths = [count.total() for count in self._counts]
        mean = max(1.0, sum(lengths) / max(1, len(lengths)))
        self._discounts = [SATURATION * (1 - LENGTH + LENGTH * length / mean) for length in lengths]
        self._holding: dict[str, list[int]] = {}
        for number, count in enumerate(self._counts):
            for word in count:
                self._holding.setdefault(word, []).append(number)

    def to(self, rule: str) -> list[int]:
        """Return the numbers of the texts that share a word with a rule, the nearest first."""
        scores: dict[int, float] = {}
        for word in set(stems_of(rule)):
            holding = self._holding.get(word, ())
            rarity = math.log(1 + (len(self._counts) - len(holding) + 0.5) / (len(holding) + 0.5))
            for number in holding:
                times = self._counts[number][word]
                worth = times * (SATURATION + 1) / (times + self._discounts[number])
                scores[number] = scores.get(number, 0.0) + rarity * worth
        return sorted(scores, key=lambda number: (-scores[number], number))


def first_of_each(numbers: Iterable[int], groups: Sequence[object], *, most: int) -> list[int]:
    """Return the first numbers of a list, one of each group."""
    found: dict[object, int] = {}
    for number in numbers:
        found.setdefault(groups[number], number)
        if len(found) == most:
            break
    return list(found.values())
