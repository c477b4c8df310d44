"""The fitted line model: how likely each line of a message was pasted.

Two steps. The first weighs what is seen of a line and of its neighbours; the second looks at what the first said of
the lines around it, since pastes are blocks. The weights lie in `line_weights.json`, written by
`tests/evaluation/line_training.py`, and are loaded when the first line is asked for.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WEIGHTS_FILE = Path(__file__).with_name("line_weights.json")
_FAR = 4.0
"""Beyond this a first judgement says no more."""


class LineWeights(NamedTuple):
    """What was fitted."""

    lines: Mapping[str, float]
    """Of the names of features, for the first step."""
    around: Sequence[float]
    """Of what the first step said of a line and around it."""


@cache
def fitted() -> LineWeights:
    """Load the weights, once."""
    told = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return LineWeights(told["lines"], told["around"])


def first_scores(named: Sequence[Sequence[str]], weights: Mapping[str, float]) -> list[float]:
    """Add up the weights of each line's features."""
    base = weights.get("", 0.0)
    return [base + sum(weights.get(name, 0.0) for name in names) for names in named]


def surroundings(first: Sequence[float], blocks: Sequence[int]) -> list[list[float]]:
    """Describe each line by what the first step said of it, its neighbours, its block and the whole message.

    `first` and `blocks` have the lines that are not blank only.
    """
    near = [max(-_FAR, min(_FAR, score)) for score in first]
    count = len(near)
    total = sum(near)
    sums: dict[int, tuple[float, int]] = {}
    for score, block in zip(near, blocks, strict=True):
        before, size = sums.get(block, (0.0, 0))
        sums[block] = (before + score, size + 1)
    found = []
    for place, score in enumerate(near):
        said, size = sums[blocks[place]]
        above = near[place - 1] if place else 0.0
        below = near[place + 1] if place + 1 < count else 0.0
        found.append(
            [
                1.0,
                score,
                above,
                below,
                near[place - 2] if place > 1 else above,
                near[place + 2] if place + 2 < count else below,
                (said - score) / (size - 1) if size > 1 else 0.0,
                (total - score) / (count - 1) if count > 1 else 0.0,
                min(above, below) if 0 < place < count - 1 else 0.0,
                1.0 if size == 1 else 0.0,
                1.0 if count == 1 else 0.0,
            ]
        )
    return found


def second_scores(around: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """Weigh what was said around each line."""
    return [sum(value * weight for value, weight in zip(row, weights, strict=True)) for row in around]


def likelihood(score: float) -> float:
    """Turn a sum of weights into a likelihood."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))
