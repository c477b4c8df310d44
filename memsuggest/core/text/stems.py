"""Stems: what the forms of one word have in common, in any language that Snowball knows.

Owns the choice of the stemmer. A stemmer is built when its language first comes up, and remembers what it was asked.
The words of our own tables are stemmed beforehand (`known_stems.txt`): a thousand of them at each start would be most
of what a prompt waits for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import ModuleType

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
_PACKAGE = "memsuggest_snowball"


def stem(word: str, language: str = "en") -> str:
    """Return the stem of a word in lower case.

    >>> stem("migrations"), stem("Häuser".lower(), "de")
    ('migrat', 'haus')
    """
    known = known_stems().get(f"{language} {word}")
    return stemmer_of(language)(word) if known is None else known


@cache
def known_stems() -> Mapping[str, str]:
    rows = Path(__file__).with_name("known_stems.txt").read_text(encoding="utf-8").split("\n")
    return dict(row.split("=") for row in rows if row)


@cache
def stemmer_of(language: str) -> Callable[[str], str]:
    """Return the function that stems the words of a language."""
    name = _STEMMERS[language]
    if _PACKAGE not in sys.modules:  # its own package would load the stemmers of all languages
        package, spec = ModuleType(_PACKAGE), find_spec("snowballstemmer")
        package.__path__ = list(spec.submodule_search_locations or ()) if spec else []
        sys.modules[_PACKAGE] = package
    found = getattr(import_module(f"{_PACKAGE}.{name}_stemmer"), f"{name.capitalize()}Stemmer")()
    lock = Lock()

    def stemmed(word: str) -> str:
        with lock:  # it keeps the word in itself meanwhile, so that two threads cannot ask at once
            return str(found.stemWord(word))

    return lru_cache(maxsize=_KEPT)(stemmed)
