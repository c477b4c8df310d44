"""Shares: how much of a text is said in others, by its words with content, whatever these end in. Pure."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.core.text.words import content_words, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST_WORDS = 2
"""Words with content that a quote must have, or one that is the content's too: "ok" is no evidence of anything."""
_ROOT = 4
"""Letters from which a word may be the beginning of another form of it."""
_UNSPACED = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]+")
"""Words that no spaces part."""


def share(text: str, sources: Sequence[str]) -> float:
    """Return which share of a text's words is somebody's own.

    >>> share("Mock no clock in tests.", ["why are clocks mocked again?"])
    0.6666666666666666
    """
    words, own = _words(text), _words(" ".join(sources))
    return sum(any(_is_one_word(word, other) for other in own) for word in words) / len(words) if words else 0.0


def carries_words(quote: str) -> bool:
    """Tell whether a quote has words enough to be evidence of something."""
    return len(_words(quote)) >= _LEAST_WORDS


def says_something(quote: str, content: str) -> bool:
    """Tell whether a quote can be evidence of a content."""
    return carries_words(quote) or not _words(quote).isdisjoint(_words(content))


def _words(text: str) -> frozenset[str]:
    """Return the words with content; where no spaces part words, each two letters that stand together."""
    pairs = {one + two for run in _UNSPACED.findall(text) for one, two in pairwise(run)}
    return content_words(plain(_UNSPACED.sub(" ", text))) | pairs


def _is_one_word(one: str, other: str) -> bool:
    """Tell whether two words are forms of one: "mock" and "mocking"."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _ROOT and short.isalpha() and long.startswith(short))
