"""Content words: those of a text that carry a subject, cut so that endings do not matter. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.text.stop_words import ASKING_WORDS, STOP_WORDS
from memsuggest.text.words import word_list

_STEM = 6  # letters; a stemmer would need to know the language
_NAMES = re.compile(r"[\w-]*[\d_][\w-]*")
_DENSE_PAIRS = re.compile(r"[\u4e00-\u9fff\u30a0-\u30ff]{2}")
_EMPTY = frozenset(word for table in (STOP_WORDS, ASKING_WORDS) for words in table.values() for word in words)


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that carry a subject, in lower case.

    >>> sorted(content_words("the migrations of the app"))
    ['app', 'migrat']
    """
    words = {word for word in word_list(text.lower()) if word not in _EMPTY and len(word) > 2}
    return frozenset({word[:_STEM] for word in words}.union(_NAMES.findall(text), _DENSE_PAIRS.findall(text)))
