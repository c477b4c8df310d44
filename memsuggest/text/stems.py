"""Stems: what the forms of one word have in common, in any language that Snowball knows.

Owns the choice of the stemmer. A stemmer is built when its language first comes up, and remembers what it was asked.
"""

from __future__ import annotations

from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_STEMMERS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "pt": "portuguese",
    "it": "italian",
    "nl": "dutch",
    "sv": "swedish",
    "ru": "russian",
}
_KEPT = 1 << 16  # words kept by language; a big repo's instructions have about 20,000


def stem(word: str, language: str = "en") -> str:
    """Return the stem of a word in lower case.

    >>> stem("migrations"), stem("Häuser".lower(), "de")
    ('migrat', 'haus')
    """
    return stemmer_of(language)(word)


@cache
def stemmer_of(language: str) -> Callable[[str], str]:
    """Return the function that stems the words of a language."""
    from snowballstemmer import stemmer  # noqa: PLC0415  (thirty languages, which most commands need none of)

    found, lock = stemmer(_STEMMERS[language]), Lock()

    def stemmed(word: str) -> str:
        """Stem a word; a stemmer keeps the word in itself meanwhile, so that two threads cannot ask at once."""
        with lock:
            return str(found.stemWord(word))

    return lru_cache(maxsize=_KEPT)(stemmed)
