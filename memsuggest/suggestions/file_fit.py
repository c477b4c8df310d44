"""How well a file fits a rule: the kinds of evidence, what each is worth, and how it is said. Pure.

The weights were fitted to public commits in which maintainers put a rule into one of many files (a conditional logit,
`tests/quality/placement_training.py`); they are few on purpose, so that they hold for repositories never seen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional
from memsuggest.suggestions.shelf import Sort

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memsuggest.suggestions.evidence import Evidence

_ALL = 0.93
"""Share of the cited paths' weight from which a folder holds "all" of them: a changelog may lie elsewhere."""


def _title(evidence: Evidence, number: int) -> float:
    title = evidence.shelf.files[number].title
    return sum(weight for word, weight in evidence.question.words.items() if word in title) / (1.5 + len(title))


def _path_name(evidence: Evidence, number: int) -> float:
    names, path_words = evidence.shelf.by_name, evidence.question.path_words
    if not path_words:
        return 0.0
    weights = {word: names.rarity.of(word) for word in evidence.shelf.files[number].name}
    return sum(weight * path_words.get(word, 0.0) for word, weight in weights.items()) / (1 + sum(weights.values()))


def shared_pairs(evidence: Evidence, number: int) -> float:
    """Say how many of the rule's phrases, two words each, stand in a file: too rare to rank by, but a proof."""
    wanted = evidence.question.pairs
    return len(wanted & evidence.shelf.files[number].pairs) / math.sqrt(len(wanted) + 1)


def _is_for_others(evidence: Evidence, number: int) -> float:
    file = evidence.shelf.files[number]
    is_bound = file.sort in {Sort.INSTRUCTIONS, Sort.RULES} and bool(file.target.applies_to)
    if not is_bound or not evidence.question.path_words or number in evidence.question.cover.applies:
        return 0.0
    return float(not is_unconditional(file.target.applies_to))


def _opening(evidence: Evidence, number: int) -> float:
    return math.log1p(evidence.shelf.files[number].manner.openings[evidence.question.opening])


def _size(evidence: Evidence, number: int) -> float:
    index = evidence.shelf.by_file.discounts
    return math.log1p(index.lengths[number] / index.mean)


FILE_EVIDENCE: Mapping[str, Callable[[Evidence, int], float]] = {
    "section": lambda evidence, number: evidence.best_sections.get(number, 0.0),
    "file": lambda evidence, number: evidence.files.get(number, 0.0),
    "title": _title,
    "description": lambda evidence, number: evidence.descriptions.get(number, 0.0),
    "path words": lambda evidence, number: evidence.by_paths.get(number, 0.0),
    "path name": _path_name,
    "near": lambda evidence, number: evidence.question.cover.near.get(number, 0.0),
    "whole": lambda evidence, number: float(evidence.question.cover.under.get(number, 0.0) > _ALL),
    "applies": lambda evidence, number: evidence.question.cover.applies.get(number, 0.0),
    "for others": _is_for_others,
    "pointed": lambda evidence, number: float(number in evidence.pointed_to),
    "this": lambda evidence, number: float(evidence.shelf.files[number].sort == evidence.own_sort),
    "likeness": lambda evidence, number: evidence.shelf.files[number].manner.likeness(evidence.question.traits),
    "twins": lambda evidence, number: math.log1p(evidence.shelf.files[number].manner.twins(evidence.question.traits)),
    "opening": _opening,
    "size": _size,
}
"""Each kind of evidence as one number, for a file of the shelf; its sort counts besides (`SORT_WEIGHTS`)."""
