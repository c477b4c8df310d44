"""What the kind of a statement, and what was in use for it, say about the file that it belongs to. Pure: tables.

Weak on purpose, in log-odds like `weights`: words and paths speak louder. The public commits say nothing of kinds, so
these are by judgement: a procedure is a skill's, a manner of reviewing an agent's, a request that is made again and
again a prompt's.
"""

from __future__ import annotations

import re

from memsuggest.model import Kind
from memsuggest.suggestions.sorts import Sort

_OF_KIND = {
    (Kind.PROCEDURE, Sort.SKILL): 0.7,
    (Kind.SKILL, Sort.SKILL): 0.9,
    (Kind.PROCEDURE, Sort.PROMPT): 0.3,
    (Kind.TERMINOLOGY, Sort.ROOT): 0.4,
}
_OF_WORDS: tuple[tuple[re.Pattern[str], Sort, float], ...] = (
    (
        re.compile(
            r"\b(?:when (?:you )?review|in (?:code )?reviews?|reviewers?|act as|you are an?|persona)\b", re.IGNORECASE
        ),
        Sort.AGENT,
        0.6,
    ),
    (re.compile(r"\b(?:when(?:ever)? i (?:ask|say|type|write)|if i (?:ask|say))\b", re.IGNORECASE), Sort.PROMPT, 0.6),
)

OF_USE = {
    Sort.SKILL: 4.0,
    Sort.AGENT: 4.0,
    Sort.PROMPT: 5.0,
    Sort.INSTRUCTIONS: 0.7,
    Sort.RULES: 0.7,
    Sort.NESTED: 0.7,
    Sort.ROOT: 0.0,
}
"""For a file that was in use when the thing was said: what one chooses to use tells more than what hosts attach."""


def leaning(content: str, kind: Kind, sort: Sort) -> float:
    """Say how much more a statement of a kind belongs to files of a sort than its words and paths tell."""
    by_words = sum(value for form, of, value in _OF_WORDS if of is sort and form.search(content))
    return _OF_KIND.get((kind, sort), 0.0) + by_words
