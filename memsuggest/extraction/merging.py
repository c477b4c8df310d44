"""Merging within a session: what says the same is one candidate, its most explicit utterance first."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.memory.duplicates import is_same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import Candidate

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
            if _is_part(candidate, other):
                kept[position] = other
                break
            if _is_part(other, candidate):
                kept[position] = candidate
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
    return is_same(one, two) or is_same(_without_accents(one), _without_accents(two))


def _without_accents(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


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
