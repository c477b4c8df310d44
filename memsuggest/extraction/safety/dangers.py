"""Dangers: the judgement whether a text weakens safety, by the tables of what is dangerous."""

from __future__ import annotations

import re
from functools import cache

from memsuggest.extraction.safety.dangers_in_code import DANGERS as IN_CODE
from memsuggest.extraction.safety.dangers_in_systems import DANGERS as IN_SYSTEMS
from memsuggest.extraction.safety.dangers_in_work import DANGERS as IN_WORK
from memsuggest.extraction.safety.dangers_in_work import INSTRUCTIONS
from memsuggest.extraction.safety.negations import is_forbidden
from memsuggest.extraction.safety.notation import Danger, compiled, folded

DANGERS: tuple[Danger, ...] = (INSTRUCTIONS, *IN_WORK, *IN_CODE, *IN_SYSTEMS)
_PIECE, _OVERLAP = 1000, 200
"""Characters in which a longer sentence is cut, so that the time stays linear, and by which the pieces overlap."""


def weakens_safety(text: str) -> str:
    """Say how a rule would weaken safety, or nothing; a prohibition of the same is no danger.

    >>> weakens_safety("Push straight to main without a review.")
    'would bring code in without a review'
    >>> weakens_safety("Never push to main without a review.")
    ''
    """
    said = folded(text)
    possible = [danger for danger in DANGERS if _has_cue(danger, said)]
    if not possible:
        return ""
    for sentence in _sentences(said):
        for danger in possible:
            if _has_cue(danger, sentence) and _is_ordered(danger, sentence):
                return danger.why
    return ""


def commands_a_machine(text: str) -> bool:
    """Whether a text tells an assistant to drop its instructions: nothing said in the same breath is the person's."""
    said = folded(text)
    if not _has_cue(INSTRUCTIONS, said):
        return False
    orders = compiled(_patterns(INSTRUCTIONS, "orders"))
    return any(orders.search(sentence) for sentence in _sentences(said))


def _has_cue(danger: Danger, said: str) -> bool:
    return any(cue in said for cue in danger.cues)


def _is_ordered(danger: Danger, sentence: str) -> bool:
    """Whether a sentence asks for a danger and does not forbid it."""
    refusals = _patterns(danger, "refusals")
    if refusals and compiled(refusals).search(sentence):
        return True
    return any(
        not is_forbidden(sentence[: found.start()], found.group(), sentence[found.end() :])
        for found in compiled(_patterns(danger, "orders")).finditer(sentence)
    )


@cache
def _patterns(danger: Danger, field: str) -> tuple[str, ...]:
    """The patterns of all languages: the words of a language tell by themselves which one a sentence is in."""
    by_language = danger.refusals if field == "refusals" else danger.orders
    return tuple(pattern for patterns in (by_language or {}).values() for pattern in patterns)


def _sentences(said: str) -> list[str]:
    """The sentences of a text, long ones in overlapping pieces."""
    return [
        sentence[start : start + _PIECE + _OVERLAP]
        for sentence in _sentence_end().split(said)
        for start in range(0, len(sentence), _PIECE)
    ]


@cache
def _sentence_end() -> re.Pattern[str]:
    return re.compile(r"(?<=[.!?;])\s+")
