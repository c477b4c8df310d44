"""Two wordings of the same words that mean different things: things or places that have changed. Pure.

Only ever keeps wordings apart.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.memory.rule_meaning import read_wording
from memsuggest.text.words import word_set

_PART = re.compile(r"[,;]\s|\s(?:and|und)\s")
_WORD = re.compile(r"[^\W\d_]+")
_APART = (
    word_set("who what why how where"),
    word_set("within inside across between outside"),
)
"""Small words of which one in the place of another makes another rule."""


def says_otherwise(text: str, rule: str) -> bool:
    """Tell whether a text says something else with a rule's words: "A for x, B for y" is not "B for x, A for y"."""
    return _is_elsewhere(text, rule) or _has_swapped(text, rule)


def _is_elsewhere(text: str, rule: str) -> bool:
    """Tell if a rule says where or what with a small word that a text lacks, and the text has another of its kind."""
    wanted, there = _words(rule), _words(text)
    return any(kind & wanted and kind & there and not kind & wanted <= there for kind in _APART)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _has_swapped(text: str, rule: str) -> bool:
    """Tell whether two names have changed places: each stands beside what the other stood beside."""
    here, there = _beside_names(rule), _beside_names(text)
    both = sorted(here.keys() & there.keys())
    return any(
        here[one] & there[other]
        and here[other] & there[one]
        and not here[one] & there[one]
        and not here[other] & there[other]
        for place, one in enumerate(both)
        for other in both[place + 1 :]
    )


@lru_cache(maxsize=4096)
def _beside_names(text: str) -> dict[str, frozenset[str]]:
    """Map each name that is alone in its part of a text to the words of weight beside it."""
    found: dict[str, frozenset[str]] = {}
    for part in _PART.split(text):
        terms = read_wording(part).terms
        names = {term.stem for term in terms if term.is_name}
        if len(names) == 1:
            name = names.pop()
            others = frozenset(term.stem for term in terms if term.weight >= 1 and not term.is_name)
            found[name] = found.get(name, frozenset()) | others
    return found
