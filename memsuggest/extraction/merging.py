"""Merging within a session: what says the same is one candidate, its most explicit utterance first."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from memsuggest.extraction.language.trade import TRADE
from memsuggest.memory.duplicates import is_same
from memsuggest.text.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import Candidate

_WORDS = re.compile(r"[^\W_]+(?:[_./-][^\W_]+)*")
_LOOSE_ACCENT = re.compile(r"(?<=[^\W\d_])[~´^¨](?=[^\W\d_])")
"""An accent typed beside its letter: "aç~oes"."""
_LONG_ENOUGH = 6  # words
_LONG_WORD, _ERRORS = 5, 2  # letters
_KNOWN = TRADE | VERBS
"""Two words that both exist are two words."""
MENTION = 0.05  # confidence that each further mention adds
CEILING = 0.95


def merged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Unite candidates that say the same, in the order of their first utterance."""
    kept: list[Candidate] = []
    for candidate in candidates:
        for position, other in enumerate(kept):
            if other.scope is candidate.scope and _says_the_same(other.content, candidate.content):
                kept[position] = _united(other, candidate)
                break
            if _is_part(candidate, other) or _is_part(other, candidate):
                kept[position] = max(other, candidate, key=lambda one: (one.confidence, len(one.content)))
                break
        else:
            kept.append(candidate)
    return kept


def _is_part(small: Candidate, whole: Candidate) -> bool:
    """Whether one was said in a breath with the other, whose content holds it whole; directives stay as they are."""
    is_one_breath = {citation.turn for citation in small.citations} <= {citation.turn for citation in whole.citations}
    if not is_one_breath or small.explicit or whole.explicit:
        return False
    return len(small.content) < len(whole.content) and small.content.rstrip(".").lower() in whole.content.lower()


def _says_the_same(one: str, two: str) -> bool:
    """Whether two contents are the same rule, also when one was typed without accents."""
    plain_one, plain_two = _without_accents(one), _without_accents(two)
    return is_same(one, two) or is_same(plain_one, plain_two) or _is_retyped(plain_one, plain_two)


def _is_retyped(one: str, two: str) -> bool:
    """Whether two texts differ by typing errors alone: long words, few letters of which are others."""
    first, second = _WORDS.findall(one.lower()), _WORDS.findall(two.lower())
    if len(first) != len(second) or len(first) < _LONG_ENOUGH:
        return False
    others = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return len(others) * 3 <= len(first) and all(_is_mistyped(a, b) for a, b in others)


def _is_mistyped(one: str, two: str) -> bool:
    if min(len(one), len(two)) < _LONG_WORD or one[0] != two[0] or not (one + two).isalpha():
        return False
    return OSA.distance(one, two) <= _ERRORS and (one not in _KNOWN or two not in _KNOWN)


def _without_accents(text: str) -> str:
    joined = _LOOSE_ACCENT.sub("", text)
    return "".join(letter for letter in unicodedata.normalize("NFKD", joined) if not unicodedata.combining(letter))


def _united(one: Candidate, two: Candidate) -> Candidate:
    best, other = (two, one) if (two.explicit, two.confidence) > (one.explicit, one.confidence) else (one, two)
    citations = (*best.citations, *(c for c in other.citations if c not in best.citations))
    turns = {(citation.session_id, citation.turn) for citation in citations}
    raised = min(CEILING, best.confidence + MENTION) if len(turns) > 1 else best.confidence
    return replace(
        best,
        citations=citations,
        confidence=max(best.confidence, round(raised, 2)),
        tags=tuple(dict.fromkeys((*best.tags, *other.tags))),
    )
