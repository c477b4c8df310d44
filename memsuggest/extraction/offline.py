"""The offline engine: typed text to candidates by rules alone. Deterministic, no network, no model.

Reads like the job: directives first, then every statement is weighed, worded, routed; what says the same is one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.extraction import safety
from memsuggest.extraction.directives import find_directives
from memsuggest.extraction.judgement import judge
from memsuggest.extraction.merging import CEILING, MENTION, merged
from memsuggest.extraction.rejections import Edited, edited_in
from memsuggest.extraction.retractions import taken_back
from memsuggest.extraction.session import remarks_of
from memsuggest.extraction.verdicts import (
    Verdict,
    dropped,
    of_directive,
    of_memory,
    of_rejection,
    of_remark,
)
from memsuggest.model import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.model import Candidate, MemoryFact, Transcript, Turn

NAME = "offline"
_LINKED = "stands beside a page to read in the first prompt, which a link may have written; say it again to keep it"


def extract(transcript: Transcript, known: Sequence[MemoryFact] = ()) -> list[Candidate]:
    """Find what is worth remembering in a session."""
    found = merged([verdict.candidate for verdict in _verdicts(transcript) if verdict.candidate])
    edits = [edited for turn in transcript.turns if (edited := edited_in(turn))]
    return [_backed(candidate, edits) for candidate in found] if edits else found


def _backed(candidate: Candidate, edits: Sequence[Edited]) -> Candidate:
    """Believe a rule more that the person followed themselves, when they changed a command before it ran."""
    if candidate.explicit or not any(edited.agrees(candidate.content) for edited in edits):
        return candidate
    return replace(
        candidate, confidence=max(candidate.confidence, round(min(CEILING, candidate.confidence + MENTION), 2))
    )


def explain(transcript: Transcript) -> list[Verdict]:
    """Say of every statement of a session why it was kept or dropped."""
    return list(_verdicts(transcript))


def held_back(transcript: Transcript) -> list[Skipped]:
    """List what was said but is held back because it would weaken safety, or cannot be stored."""
    return [
        Skipped(what=f"turn {verdict.turn} of {transcript.origin}: {verdict.text[:80]!r}", why=verdict.held)
        for verdict in _verdicts(transcript)
        if verdict.held
    ]


@lru_cache(maxsize=1)
def _verdicts(transcript: Transcript) -> tuple[Verdict, ...]:
    """Weigh a session, once for all that is asked about it in a row."""
    return tuple(_ruled(transcript))


def _ruled(transcript: Transcript) -> Iterator[Verdict]:
    """Weigh a session; what stands in its first prompt beside a page to read may come from a link that wrote it."""
    first = next((turn for turn in transcript.turns if turn.typed), None)
    is_opened = not transcript.context  # no link opens the end of a chat
    linked = first.number if first and is_opened and safety.has_read_order(_said(first)) else 0
    for verdict in _weighed(transcript):
        is_held = verdict.candidate is not None and verdict.turn == linked
        yield replace(verdict, kept=False, candidate=None, why=_LINKED, held=_LINKED) if is_held else verdict


def _said(turn: Turn) -> str:
    """What the person typed in a turn, without what they quoted or pasted."""
    ends = [0, *(end for _, end in turn.quoted)]
    starts = [*(start for start, _ in turn.quoted), len(turn.typed)]
    return "\n".join(turn.typed[end:start] for end, start in zip(ends, starts, strict=True))


def _weighed(transcript: Transcript) -> Iterator[Verdict]:
    edited: Edited | None = None
    for turn in transcript.turns:
        for directive in find_directives(turn.typed, turn.quoted):
            yield of_directive(transcript, turn, directive)
        if turn.signals.remember:
            yield of_memory(transcript, turn)
        if verdict := of_rejection(transcript, turn, edited):
            yield verdict
        edited = edited_in(turn)
    remarks = [remark for remark in remarks_of(transcript) if not remark.turn.signals.remember]
    back = taken_back(remarks)
    for position, remark in enumerate(remarks):
        if position in back:
            yield dropped(remark, judge(remark), f"taken back in turn {back[position]}")
        else:
            yield of_remark(transcript, remark)
