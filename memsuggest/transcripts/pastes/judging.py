"""The line model's view of a message: which of its lines it looks at, and what it says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.transcripts.pastes.line_features import blocks_of, features, seen
from memsuggest.transcripts.pastes.line_model import first_scores, second_scores, surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.transcripts.pastes.line_model import LineWeights
    from memsuggest.transcripts.pastes.paste_evidence import PasteEvidence

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
