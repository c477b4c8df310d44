"""The stems of words, the same for synonyms, and the groups of alternatives that they belong to. Pure."""

from __future__ import annotations

from functools import cache, lru_cache

from memsuggest.memory import meaning_words
from memsuggest.memory.alternatives import ALTERNATIVES, TOPICS
from memsuggest.text.stems import stem


@lru_cache(maxsize=16384)
def stem_of(word: str) -> str:
    """Return the stem of a case-folded word, the same for its synonyms."""
    known = meaning_words.SYNONYMS.get(word)
    found = stem(known or word)
    return meaning_words.SYNONYMS.get(found, found)


@cache
def _groups() -> dict[str, str]:
    groups = ALTERNATIVES.items()
    return {form: group for group, members in groups for word in members.split() for form in (word, stem_of(word))}


@cache
def topic_of(group: str) -> frozenset[str]:
    """Return the stems that say no more than which group is meant: "indent" beside tabs and spaces."""
    return frozenset(stem_of(word) for word in TOPICS.get(group, "").split())


def group_of(stem: str) -> str | None:
    """Return the group of alternatives that a stem belongs to: what one chooses one of."""
    return _groups().get(stem)
