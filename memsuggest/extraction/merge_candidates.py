"""Merging within a session: what says the same is one candidate, its most explicit utterance first."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.memory.duplicates import is_same
from memsuggest.model import SUGGEST_FROM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import Candidate

_LOOSE_ACCENT = re.compile(r"(?<=[^\W\d_])[~\u00b4^\u00a8](?=[^\W\d_])")
"""An accent typed beside its letter: "aç~oes"."""
MENTION = 0.05  # confidence that a further mention in the session adds
CEILING = 0.95


def merged_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
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
    """Tell if one was said in a breath with the other, whose content holds it whole; directives stay as they are."""
    is_one_breath = {citation.turn for citation in small.citations} <= {citation.turn for citation in whole.citations}
    if not is_one_breath or small.explicit or whole.explicit:
        return False
    return len(small.content) < len(whole.content) and small.content.rstrip(".").lower() in whole.content.lower()


def _says_the_same(one: str, two: str) -> bool:
    """Tell whether two contents are the same rule, also when one was typed without accents."""
    return is_same(one, two) or is_same(_without_accents(one), _without_accents(two))


def _without_accents(text: str) -> str:
    joined = _LOOSE_ACCENT.sub("", text)
    return "".join(letter for letter in unicodedata.normalize("NFKD", joined) if not unicodedata.combining(letter))


def _united(one: Candidate, two: Candidate) -> Candidate:
    best, other = (two, one) if (two.explicit, two.confidence) > (one.explicit, one.confidence) else (one, two)
    citations = (*best.citations, *(c for c in other.citations if c not in best.citations))
    turns = {(citation.session_id, citation.turn) for citation in citations}
    raised = min(CEILING, best.confidence + MENTION) if len(turns) > 1 and best.confidence >= SUGGEST_FROM else 0.0
    return replace(
        best,
        citations=citations,
        confidence=max(best.confidence, round(raised, 2)),
        tags=tuple(dict.fromkeys((*best.tags, *other.tags))),
    )
