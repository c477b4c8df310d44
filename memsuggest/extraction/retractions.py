"""Retractions: what the person took back later in the session.

"actually no, forget that" takes back what was said just before; "scrap the prefix thing" takes back what shares its
words. Pure: remarks in, which of them no longer hold out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.language.trade import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.extraction.remarks import Remark

_TAKES_BACK = re.compile(
    r"\b(?:(?:forget|ignore|disregard|scrap|scratch|drop|cancel|undo|revert|strike) (?:that|this|it|what i "
    r"(?:just )?said|the (?:rule|idea|part|thing|last))"
    r"|never ?mind|nvm|i take (?:it|that) back|(?:on )?second thoughts?|i changed my mind|changed my mind|i "
    r"concede"
    r"|stuff it|that was (?:wrong|a mistake|nonsense|a bad idea)|let's (?:go back|not do that|keep it as it "
    r"(?:is|was)|leave it)"
    r"|no longer (?:want|need)|actually (?:no|not|nah|don't|never mind|let's not|scratch|keep|leave|we don't)"
    r"|vergiss (?:das|es)|doch nicht|oublie (?:ça|cela)|laisse tomber|olvida (?:eso|lo)|olvídalo|esqueça "
    r"(?:isso|o)|deixa pra lá)\b"
    r"|やっぱり(?:やめ|なし)|忘れてください|算了|不用了|当我没说"
)
_OWNS_UP = re.compile(r"\b(?:i was wrong|my (?:mistake|bad)|mea culpa)\b")
"""Takes back only what it names: with "my bad", people mostly mean what they did."""
_OF_THINGS = re.compile(r"\b(?:drop|cancel|undo|revert|strike) (?:that|this|it)\b(?! rule)")
"""Said of code as often as of words."""
_NEAR = 2  # turns of the person behind a statement within which "forget that" means it
_SHARED = 2  # content words by which a later retraction points at an earlier statement


def takes_back(remark: Remark) -> bool:
    """Whether it takes something back."""
    return bool(_TAKES_BACK.search(remark.plain) or _OWNS_UP.search(remark.plain))


def taken_back(remarks: Sequence[Remark]) -> dict[int, int]:
    """Map the positions of remarks that were taken back to the turn in which that happened."""
    order = {number: place for place, number in enumerate(dict.fromkeys(remark.turn.number for remark in remarks))}
    found: dict[int, int] = {}
    for later, retraction in enumerate(remarks):
        if not takes_back(retraction):
            continue
        words = content_words(retraction.plain) | content_words(retraction.statement.after)
        for position, remark in enumerate(remarks[:later]):
            distance = order[retraction.turn.number] - order[remark.turn.number]
            shared = _shared(content_words(remark.plain), words)
            is_of_things = bool(_OF_THINGS.search(retraction.plain))
            is_bare = len(words) < _SHARED and not _OWNS_UP.search(retraction.plain)
            is_bare = is_bare and not (is_of_things and retraction.statement.position)
            if len(shared) >= _SHARED or (0 < distance < _NEAR and ((shared and not is_of_things) or is_bare)):
                found.setdefault(position, retraction.turn.number)
    return found


def _shared(one: frozenset[str], other: frozenset[str]) -> set[str]:
    """Return the words that two remarks share, "class" and "classes" too."""
    return {word for word in one if any(word.startswith(known) or known.startswith(word) for known in other)}
