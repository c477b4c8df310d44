"""Retractions: what the person took back later in the session.

"actually no, forget that" takes back what was said just before; "scrap the prefix thing" takes back what shares its
words. Pure: statements in, which of them no longer hold out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.text.content import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.extraction.statements import Statement

_TAKES_BACK = re.compile(
    r"""
    \b(?:
        (?:forget|ignore|disregard|scrap|scratch|drop|cancel|strike)
        \ (?:that|this|it|what\ i\ (?:just\ )?said|the\ (?:rule|idea|part|thing|last))
      | never\ ?mind | nvm | i\ take\ (?:it|that)\ back | (?:on\ )?second\ thoughts? | (?:i\ )?changed\ my\ mind
      | that\ was\ (?:wrong|a\ mistake|nonsense|a\ bad\ idea)
      | let's\ (?:go\ back|not\ do\ that|keep\ it\ as\ it\ (?:is|was)|leave\ it)
      | actually\ (?:no|not|nah|don't|never\ mind|let's\ not|scratch)
      | vergiss\ (?:das|es) | doch\ nicht | oublie\ (?:ça|cela) | laisse\ tomber | olvida\ (?:eso|lo) | olvídalo
      | esqueça\ (?:isso|o) | deixa\ pra\ lá
    )\b
    | やっぱり(?:やめ|なし) | 忘れてください | 算了 | 不用了 | 当我没说
    """,
    re.VERBOSE,
)
_NEAR = 2  # prompts behind a statement within which "forget that" means it
_SHARED = 2  # content words by which a later retraction points at an earlier statement


def is_retraction(statement: Statement) -> bool:
    """Tell if a statement takes something back; "… for actions there, drop it there" speaks of what it names itself."""
    found = _TAKES_BACK.search(statement.plain)
    return found is not None and len(content_words(statement.plain[: found.start()])) < _SHARED


def taken_back(statements: Sequence[Statement]) -> dict[int, int]:
    """Map the places of statements that were taken back to the turn in which that happened."""
    found: dict[int, int] = {}
    for later, retraction in enumerate(statements):
        if not is_retraction(retraction):
            continue
        rest = _TAKES_BACK.sub(" ", retraction.plain)
        words = content_words(rest) | content_words(retraction.sentence.after)
        for place, statement in enumerate(statements[:later]):
            distance = retraction.prompt - statement.prompt
            shared = _named_in(words, content_words(statement.plain))
            is_meant = 0 < distance < _NEAR and (bool(shared) or len(words) < _SHARED)
            if len(shared) >= _SHARED or is_meant:
                found.setdefault(place, retraction.turn.number)
    return found


def _named_in(words: frozenset[str], others: frozenset[str]) -> set[str]:
    """Return the words that others name too, in the singular or the plural."""
    return {word for word in words if any(word.startswith(one) or one.startswith(word) for one in others)}
