"""Expectations of a fact's file from the statement's kind and from what was in use. Pure: tables.

Weak on purpose, in log-odds like `weights`: words and paths speak louder. The public commits say nothing of kinds, so
these are by judgement: a procedure is a skill's, a manner of reviewing an agent's, a request that is made again and
again a prompt's.
"""

from __future__ import annotations

import re

from memsuggest.model import Kind
from memsuggest.suggestions.ranking.target_kinds import TargetKind

_OF_KIND = {
    (Kind.PROCEDURE, TargetKind.SKILL): 0.7,
    (Kind.SKILL, TargetKind.SKILL): 0.9,
    (Kind.PROCEDURE, TargetKind.PROMPT): 0.3,
    (Kind.TERMINOLOGY, TargetKind.ROOT): 0.4,
}
_OF_WORDS: tuple[tuple[re.Pattern[str], TargetKind, float], ...] = (
    (
        re.compile(
            r"\b(?:when (?:you )?review|in (?:code )?reviews?|reviewers?|act as|you are an?|persona)\b", re.IGNORECASE
        ),
        TargetKind.AGENT,
        0.6,
    ),
    (
        re.compile(r"\b(?:when(?:ever)? i (?:ask|say|type|write)|if i (?:ask|say))\b", re.IGNORECASE),
        TargetKind.PROMPT,
        0.6,
    ),
)

OF_USE = {
    TargetKind.SKILL: 4.0,
    TargetKind.AGENT: 4.0,
    TargetKind.PROMPT: 5.0,
    TargetKind.INSTRUCTIONS: 0.7,
    TargetKind.RULES: 0.7,
    TargetKind.NESTED: 0.7,
    TargetKind.ROOT: 0.0,
}
"""For a file that was in use when the thing was said: what one chooses to use tells more than what hosts attach."""


def kind_prior(content: str, kind: Kind, target_kind: TargetKind) -> float:
    """Say how much more a statement of a kind belongs to files of a sort than its words and paths tell."""
    by_words = sum(value for form, of, value in _OF_WORDS if of is target_kind and form.search(content))
    return _OF_KIND.get((kind, target_kind), 0.0) + by_words
