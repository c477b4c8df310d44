"""The stems of a text's words, by which a rule is compared with lines and with other rules. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.core.text.stems import stem
from memsuggest.core.text.stop_words import ASKING_WORDS, STOP_WORDS

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
