"""How well a file fits a rule: the kinds of evidence, what each is worth, and how it is said. Pure.

The weights were fitted to public commits in which maintainers put a rule into one of many files (a conditional logit,
`tests/quality/placement_training.py`); they are few on purpose, so that they hold for repositories never seen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memsuggest.suggestions.evidence import Evidence

_ALL = 0.93
"""Share of the cited paths' weight from which a folder holds "all" of them: a changelog may lie elsewhere."""


def _title(evidence: Evidence) -> Mapping[int, float]:
    files = evidence.shelf.files
    shares = evidence.shelf.by_title.shares(evidence.question.words)
    return {number: share / (1.5 + len(files[number].title)) for number, share in shares.items()}


def _path_name(evidence: Evidence) -> Mapping[int, float]:
    names, path_words = evidence.shelf.by_name, evidence.question.path_words
    shares = names.shares({word: names.rarity.of(word) * share for word, share in path_words.items()})
    return {number: share / evidence.shelf.name_weights[number] for number, share in shares.items()}


def shared_pairs(evidence: Evidence, number: int) -> float:
    """Say how many of the rule's phrases, two words each, stand in a file: too rare to rank by, but a proof."""
    wanted = evidence.question.pairs
    return len(wanted & evidence.shelf.files[number].pairs) / math.sqrt(len(wanted) + 1)


def _whole(evidence: Evidence) -> Mapping[int, float]:
    return {number: 1.0 for number, share in evidence.question.cover.under.items() if share > _ALL}


def _is_for_others(evidence: Evidence) -> Mapping[int, float]:
    if not evidence.question.path_words:
        return {}
    return dict.fromkeys(evidence.shelf.bound.difference(evidence.question.cover.applies), 1.0)


def _this(evidence: Evidence) -> Mapping[int, float]:
    files, own = evidence.shelf.files, evidence.own_sort
    return {number: 1.0 for number in evidence.considered if files[number].sort == own} if own else {}


def _likeness(evidence: Evidence) -> Mapping[int, float]:
    files, traits = evidence.shelf.files, evidence.question.traits
    return {number: files[number].manner.likeness(traits) for number in evidence.considered}


def _twins(evidence: Evidence) -> Mapping[int, float]:
    files, traits = evidence.shelf.files, evidence.question.traits
    return {number: math.log1p(files[number].manner.twins(traits)) for number in evidence.considered}


def _opening(evidence: Evidence) -> Mapping[int, float]:
    files, opening = evidence.shelf.files, evidence.question.opening
    return {number: math.log1p(files[number].manner.openings[opening]) for number in evidence.considered}


def _size(evidence: Evidence) -> Mapping[int, float]:
    sizes = evidence.shelf.sizes
    return {number: sizes[number] for number in evidence.considered}


FILE_EVIDENCE: Mapping[str, Callable[[Evidence], Mapping[int, float]]] = {
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
"""Each kind of evidence as one number for each file of the shelf that has some; its sort counts besides
(`SORT_WEIGHTS`)."""
