"""The fit of a rule to a section of a file: the kinds of evidence, and what each is worth. Pure.

Fitted like `file_fit`, to the headings that maintainers chose.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from memsuggest.suggestions.ranking.bm25 import rarity, relative
from memsuggest.suggestions.ranking.weights import SECTION_WEIGHTS

if TYPE_CHECKING:
    from collections import Counter

    from memsuggest.suggestions.ranking.overlap import Overlap
    from memsuggest.suggestions.ranking.target_index import Part

_GENERAL = re.compile(
    r"\b(?:conventions?|rules?|guidelines?|general|best practices?|notes?|standards?|requirements?|principles?|key"
    r"|important|tips|common|pitfalls?|gotchas?|learnings?|style)\b",
    re.IGNORECASE,
)
"""Headings under which rules of all sorts are collected."""
_SMOOTHING = 30.0
"""Words of a section that are taken from the whole file, for what a short section does not say (Dirichlet's mu)."""
_SHORT = 20.0  # words; among shorter sections length says nothing
_SATURATION = 3.0
"""Mentions of a word count on for long: a section that keeps coming back to it is about it."""
_DEEP = 3
"""Level of headings from which on a section is about a detail."""


def section_evidence(evidence: Overlap, number: int) -> list[dict[str, float]]:
    """Return the evidence for each section of a file, in order, by name."""
    target_index = evidence.target_index
    parts = [target_index.parts[part] for part in target_index.files[number].sections]
    scores = relative(dict(enumerate(_scores(evidence, parts))))
    above = _above(evidence, number, parts)
    odds = _odds(evidence, number, parts)
    headings = [sum(share for word, share in evidence.shares.items() if word in part.own) for part in parts]
    best = max(headings, default=0.0) or 1.0
    traits, opening = evidence.question.traits, evidence.question.opening
    return [
        {
            "words": scores.get(place, 0.0),
            "odds": odds[place] - max(odds),
            "heading": headings[place] / best,
            "likeness": part.line_style.likeness(traits),
            "twins": math.log1p(part.line_style.twins(traits)),
            "above": above[place],
            "opening": math.log1p(part.line_style.openings[opening]),
            "deep": float(part.section.level >= _DEEP),
            "general": float(bool(_GENERAL.search(part.section.heading))),
            "numbered": float(part.has_steps),
        }
        for place, part in enumerate(parts)
    ]


def _scores(evidence: Overlap, parts: list[Part]) -> list[float]:
    return _weighed(evidence, parts, [part.count for part in parts])


def _above(evidence: Overlap, number: int, parts: list[Part]) -> list[float]:
    """Say for each section how well the one around it fits with all that stands in it, of the best; 0 for none."""
    wholes = evidence.target_index.with_below(number)
    scores = _weighed(evidence, parts, wholes)
    best = max(scores, default=0.0) or 1.0
    of_path = {part.section.path: score / best for part, score in zip(parts, scores, strict=True) if part.section.path}
    return [of_path.get(part.section.path[:-1], 0.0) for part in parts]


def _weighed(evidence: Overlap, parts: list[Part], counts: list[Counter[str]]) -> list[float]:
    """Score counts of words by the rule's words, rare both among all sections and among those of the file."""
    everywhere = evidence.target_index.section_rarity
    weights = {}
    for word, weight in evidence.question.words.items():
        holding = sum(word in part.count for part in parts)
        weights[word] = weight * (everywhere.of(word) + rarity(holding, len(parts))) / 2
    mean = max(_SHORT, sum(sum(part.count.values()) for part in parts) / max(1, len(parts)))
    return [
        sum(
            weight * count[word] / (count[word] + _SATURATION * (0.6 + 0.4 * length / mean))
            for word, weight in weights.items()
            if word in count
        )
        for count in counts
        for length in [count.total()]
    ]


def _odds(evidence: Overlap, number: int, parts: list[Part]) -> list[float]:
    """Say for each section how much likelier its words make the rule than the whole file's do (logarithm)."""
    count = evidence.target_index.counts[number]
    base = sum(count.values()) + 0.5 * len(count) + 51
    usual = {word: _SMOOTHING * (count[word] + 0.5) / base for word in evidence.question.words}
    scale = math.sqrt(len(usual) + 1)
    found = []
    for part in parts:
        length = sum(part.count.values()) + 2 * len(part.own) + _SMOOTHING
        own = 0.0
        for word, expected in usual.items():
            times = part.count[word] + (2 if word in part.own else 0)
            own += math.log((times + expected) * _SMOOTHING / (length * expected))
        found.append(own / scale)
    return found


def section_scores(evidence: Overlap, number: int) -> list[float]:
    """Weigh the sections of a file, in order; higher fits better."""
    return [
        sum(SECTION_WEIGHTS[name] * value for name, value in row.items()) for row in section_evidence(evidence, number)
    ]
