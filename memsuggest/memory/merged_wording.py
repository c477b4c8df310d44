"""Wordings that say what several rules say: what a merge may put in their place. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.duplicates import DEFAULT_SIMILARITY, difference, is_said_by, similarity
from memsuggest.memory.rule_meaning import read_wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemoryFact

LIKE = 0.4
"""Similarity from which a fact can be the reason to delete another, or a wording can stand for the one before."""
MOST_NEW_WORDS = 0.25
"""Share of a new wording's weight that may be other words than those of the facts it stands for."""
OTHER_SUBJECT = "they are about different things"
"""What `difference` says last: signs, limits, numbers, names and order are the same."""


def why_no_wording(content: str, whole: Sequence[MemoryFact], *, may_add: bool = False) -> str:
    """Say why a wording does not say what facts say, all of it and (unless it may add) no more; nothing if it does."""
    for fact in whole:
        why = difference_between(content, fact.content)
        is_alike = why in (None, OTHER_SUBJECT) and similarity(content, fact.content) >= LIKE
        if not is_alike and not is_whole_in(content, fact.content):
            return why or f"it does not say “{fact.content}”"
    if may_add:
        return ""
    sources = [text for fact in whole for text in (fact.content, *(cited.quote for cited in fact.citations))]
    weight = sum(term.weight for term in read_wording(content).terms)
    if sum(new_words(content, sources).values()) > MOST_NEW_WORDS * weight:
        return "most of it nobody said"
    return ""


def new_words(content: str, sources: Sequence[str]) -> dict[str, float]:
    """Return the words of weight that a text has and its sources lack, with their weights."""
    known = {term.stem for text in sources for term in read_wording(text).terms}
    return {
        term.stem: term.weight for term in read_wording(content).terms if term.weight >= 1 and term.stem not in known
    }


def is_kept_in(content: str, rule: str) -> bool:
    """Tell whether a wording says what a rule says, as far as code can tell."""
    return is_whole_in(content, rule) or (
        difference_between(content, rule) is None and similarity(content, rule) >= DEFAULT_SIMILARITY
    )


def difference_between(a: str, b: str) -> str | None:
    """Name what keeps two rules apart; here, two negations do not make a plain rule: too much is lost by an error."""
    return "one is negated, the other is not" if _is_doubly_negated(a, b) else difference(a, b)


def is_whole_in(text: str, rule: str) -> bool:
    """Tell whether a text says all of a rule; strict about two negations, as `difference_between` is."""
    return is_said_by(text, rule) and not _is_doubly_negated(text, rule)


def _is_doubly_negated(a: str, b: str) -> bool:
    first, second = read_wording(a).negations, read_wording(b).negations
    return (first == 0) != (second == 0) and max(first, second) > 1
