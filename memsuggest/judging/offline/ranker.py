"""Ranker: how likely a sentence without a mark is to be worth remembering, so that the likeliest are kept as maybes.

A linear model over the words of a sentence and the cues in it; its weights stand in `weights.json`, which
`tests/evaluation/maybes.py` writes and measures on repositories left out.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.judging.offline.cues import cues_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memsuggest.judging.offline.statements import Statement

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?!:`]")
_LENGTHS = (4, 7, 12, 20, 35)
_MESSAGES = (2, 4, 9, 21)


class Weights(NamedTuple):
    """The weights that training found, in logits."""

    bias: float
    least: float
    """The sum from which a sentence is a maybe."""
    weights: Mapping[str, float]
    """By the name of a feature; one that is not there counts nothing."""


def likelihood(statement: Statement) -> float:
    """Return the probability that a sentence is worth remembering."""
    table = weights()
    total = table.bias + sum(table.weights.get(name, 0.0) for name in features_of(statement))
    return 1 / (1 + math.exp(-total))


def is_maybe_at(probability: float) -> bool:
    """Tell whether a sentence of this likelihood is kept."""
    return probability >= 1 / (1 + math.exp(-weights().least))


def features_of(statement: Statement) -> list[str]:
    """Return the names of what a sentence has: cues, words, its length and that of its message."""
    return sorted(set(_features(statement)))


def _features(statement: Statement) -> Iterator[str]:
    yield from (f"cue:{name}" for name in cues_in(statement.plain))
    words = ["#" if word.isdigit() else word for word in _WORD.findall(statement.plain)]
    yield from (f"word:{word}" for word in words)
    yield f"words:{sum(len(words) >= step for step in _LENGTHS)}"
    yield f"sentences:{sum(statement.sentence.count >= step for step in _MESSAGES)}"
    if statement.sentence.in_list:
        yield "list"
    if statement.heard:
        yield "answer"


@cache
def weights() -> Weights:
    """Load the weights when the first sentence is judged."""
    raw = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return Weights(bias=raw["bias"], least=raw["least"], weights=raw["weights"])
