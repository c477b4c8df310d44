"""Merging within a session: what says the same is one candidate, its most explicit utterance first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.identity import normalised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import Candidate


def merged_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Unite candidates that say the same in the same words, in the order of their first utterance."""
    kept: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        key = (candidate.scope, normalised(candidate.content))
        kept[key] = _united(kept[key], candidate) if key in kept else candidate
    return list(kept.values())


def _united(one: Candidate, two: Candidate) -> Candidate:
    best, other = (two, one) if (two.explicit, two.confidence) > (one.explicit, one.confidence) else (one, two)
    return replace(
        best,
        citations=tuple(dict.fromkeys((*best.citations, *other.citations))),
        tags=tuple(dict.fromkeys((*best.tags, *other.tags))),
    )
