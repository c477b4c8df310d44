"""The fit of a rule to a file: kinds of evidence, what each is worth, and how it is said. Pure.

The weights were fitted to public commits in which maintainers put a rule into one of many files (a conditional logit,
`tests/evaluation/placement_training.py`); they are few on purpose, so that they hold for repositories never seen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memsuggest.suggestions.ranking.overlap import Overlap

_ALL = 0.93
"""Share of the cited paths' weight from which a folder holds "all" of them: a changelog may lie elsewhere."""


def _title(evidence: Overlap) -> Mapping[int, float]:
    files = evidence.target_index.files
    shares = evidence.target_index.by_title.shares(evidence.question.words)
    return {number: share / (1.5 + len(files[number].title)) for number, share in shares.items()}


def _path_name(evidence: Overlap) -> Mapping[int, float]:
    names, path_words = evidence.target_index.by_name, evidence.question.path_words
    shares = names.shares({word: names.rarity.of(word) * share for word, share in path_words.items()})
    return {number: share / evidence.target_index.name_weights[number] for number, share in shares.items()}


def shared_pairs(evidence: Overlap, number: int) -> float:
    """Say how many of the rule's phrases, two words each, stand in a file: too rare to rank by, but a proof."""
    wanted = evidence.question.pairs
    return len(wanted & evidence.target_index.files[number].pairs) / math.sqrt(len(wanted) + 1)


def _whole(evidence: Overlap) -> Mapping[int, float]:
    return {number: 1.0 for number, share in evidence.question.cover.under.items() if share > _ALL}


def _is_for_others(evidence: Overlap) -> Mapping[int, float]:
    if not evidence.question.path_words:
        return {}
    return dict.fromkeys(evidence.target_index.bound.difference(evidence.question.cover.applies), 1.0)


def _this(evidence: Overlap) -> Mapping[int, float]:
    files, own = evidence.target_index.files, evidence.own_kind
    return {number: 1.0 for number in evidence.considered if files[number].target_kind == own} if own else {}


def _likeness(evidence: Overlap) -> Mapping[int, float]:
    files, traits = evidence.target_index.files, evidence.question.traits
    return {number: files[number].line_style.likeness(traits) for number in evidence.considered}


def _twins(evidence: Overlap) -> Mapping[int, float]:
    files, traits = evidence.target_index.files, evidence.question.traits
    return {number: math.log1p(files[number].line_style.twins(traits)) for number in evidence.considered}


def _opening(evidence: Overlap) -> Mapping[int, float]:
    files, opening = evidence.target_index.files, evidence.question.opening
    return {number: math.log1p(files[number].line_style.openings[opening]) for number in evidence.considered}


def _size(evidence: Overlap) -> Mapping[int, float]:
    sizes = evidence.target_index.sizes
    return {number: sizes[number] for number in evidence.considered}


FILE_EVIDENCE: Mapping[str, Callable[[Overlap], Mapping[int, float]]] = {
    "section": lambda evidence: evidence.best_sections,
    "file": lambda evidence: evidence.files,
    "title": _title,
    "description": lambda evidence: evidence.descriptions,
    "path words": lambda evidence: evidence.by_paths,
    "path name": _path_name,
    "near": lambda evidence: evidence.question.cover.near,
    "whole": _whole,
    "applies": lambda evidence: evidence.question.cover.applies,
    "for others": _is_for_others,
    "pointed": lambda evidence: dict.fromkeys(evidence.pointed_to, 1.0),
    "this": _this,
    "likeness": _likeness,
    "twins": _twins,
    "opening": _opening,
    "size": _size,
}
"""Each kind of evidence as one number for each file of the index that has some; its sort counts besides
(`SORT_WEIGHTS`)."""
