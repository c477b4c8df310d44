"""Checks of a wording against the facts that it stands for, by numbers, names, limits and negations. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.text.likeness import details_of, keys_of, language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemoryFact

MOST_NEW_WORDS = 0.25
"""Share of a new wording's words that nobody said."""


def may_be_the_same(one: str, other: str) -> bool:
    """Tell whether two facts may say the same in other words: a person looks, so only what is plain speaks against."""
    first, second = details_of(one), details_of(other)
    if first.exact != second.exact or _is_turned(one, other):
        return False
    if first.limits and second.limits and first.limits != second.limits:
        return False
    is_foreign = language_of(one) != language_of(other)
    is_negated_alike = bool(first.negated) == bool(second.negated)
    return is_negated_alike if is_foreign else bool(keys_of(one) & keys_of(other))


def _is_turned(one: str, other: str) -> bool:
    """Tell whether one negates what the other asserts."""
    first, second = details_of(one).negated, details_of(other).negated
    return bool((first & keys_of(other) - second) | (second & keys_of(one) - first))


def why_no_wording(content: str, whole: Sequence[MemoryFact], sources: Sequence[str]) -> str:
    """Say why a wording does not say what facts say, all of it and no more; nothing if it may."""
    for fact in whole:
        if why := why_not_whole(content, fact):
            return why
    added = details_of(content).exact - frozenset[str]().union(*(details_of(text).exact for text in sources))
    if added:
        return "it has a number, name or limit that nobody said"  # a model's own words are not repeated
    words = keys_of(content)
    new = words - frozenset[str]().union(*map(keys_of, sources))
    return "most of it nobody said" if len(new) > MOST_NEW_WORDS * len(words) else ""


def why_not_whole(content: str, fact: MemoryFact) -> str:
    """Say what of a fact a text drops or turns round; nothing if it says all of it, as far as code can tell."""
    now, before = details_of(content), details_of(fact.content)
    lost = (before.exact - now.exact) | (before.limits - now.limits) | (before.negated - now.negated)
    if lost:
        return f"it drops “{min(lost)}”"
    if _is_turned(content, fact.content):
        return f"it turns “{fact.content}” round"
    keys = keys_of(fact.content)
    return "" if 2 * len(keys & keys_of(content)) > len(keys) else f"it does not say “{fact.content}”"
