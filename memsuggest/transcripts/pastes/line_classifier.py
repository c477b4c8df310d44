"""The fitted line model: how likely each line of a message was pasted.

Two steps. The first weighs what is seen of a line and of its neighbours; the second looks at what the first said of
the lines around it, since pastes are blocks. The weights lie in `line_weights.json`, written by
`tests/evaluation/line_training.py`, and are loaded when the first line is asked for.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.transcripts.pastes.line_features import blocks_of, features, seen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memsuggest.transcripts.pastes.paste_evidence import PasteEvidence

WEIGHTS_FILE = Path(__file__).with_name("line_weights.json")
_FAR = 4.0
"""Beyond this a first judgement says no more."""


class LineWeights(NamedTuple):
    """The fitted weights."""

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


_JUDGED = 150  # lines at each end of a message; nobody writes in the middle of what is longer, and it has to be fast


class MessageView(NamedTuple):
    """The lines that the model looks at, none of them blank."""

    places: Sequence[int]
    """Their numbers in the message, from 0."""
    named: Sequence[Sequence[str]]
    """The features of each."""
    blocks: Sequence[int]
    """Which lines stand together, without a blank one between them."""


def view(found: PasteEvidence) -> MessageView:
    """Look at a message: at all of a short one, at both ends of a long one."""
    filled = [place for place, line in enumerate(found.lines) if line.text.strip()]
    chosen: Sequence[int] = range(len(found.lines))
    if len(filled) > 2 * _JUDGED:
        chosen = [*range(filled[_JUDGED]), *range(filled[-_JUDGED], len(found.lines))]
    texts = [found.lines[place].text for place in chosen]
    lines = [seen(text) if text.strip() else None for text in texts]
    named = features(lines, [found.hints[place] for place in chosen])
    blocks = blocks_of(lines)
    kept = [order for order, line in enumerate(lines) if line is not None]
    return MessageView(
        [chosen[order] for order in kept], [named[order] for order in kept], [blocks[order][0] for order in kept]
    )


def judged(looked_at: MessageView, weights: LineWeights) -> dict[int, float]:
    """Score the lines of a message by their numbers: above 0 more likely pasted than not."""
    first = first_scores(looked_at.named, weights.lines)
    second = second_scores(surroundings(first, looked_at.blocks), weights.around)
    return dict(zip(looked_at.places, second, strict=True))
