"""Looking around: transcripts, targets, and where a bare rule would go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.reports.looking import (
    RankedPlace,
    Ranking,
    TranscriptShown,
)
from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.suggest import rank, rule_of
from memsuggest.transcripts.reading import read_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memsuggest.workflows.desk import Desk

PLACES = 10
"""How many places `suggest` offers."""


def show_transcript(path: Path, *, person: str | None) -> TranscriptShown:
    """Return one transcript as we understand it; raises TranscriptError."""

    return TranscriptShown(transcript=read_transcript(path, person=person))


def rank_places(desk: Desk, content: str, *, paths: Sequence[str]) -> Ranking:
    """Return the best places for a bare rule, each with its diff."""

    ranked = rank(rule_of(content, paths=tuple(paths)), desk.shelf, limit=PLACES)
    return Ranking(
        content=content,
        places=tuple(
            RankedPlace(
                target_type=one.target_type,
                path=one.uri,
                heading=one.heading,
                score=one.score,
                why=one.why,
                diff=unified(one.edit) if one.edit else "",
            )
            for one in ranked
        ),
    )
