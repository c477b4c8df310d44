"""Confirmations: a rule that the assistant put into words and the person then said again in their own.

"Shall we pin all versions?" – "yes, pin all versions" is the person's rule, with the trust `confirmed`. A bare "ok" or
"yes, do that" confirms nothing that lasts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.extraction.language.trade import content_words
from memsuggest.text.sentences import statements
from memsuggest.text.words import plain

_AGREES = re.compile(
    r"^(?:yes|yeah|yep|yup|ok(?:ay)?|sure|right|correct|exactly|agreed|true|good|great|perfect|absolutely"
    r"|definitely|indeed|sounds good|that's right|makes sense"
    r"|i agree|please do|ja|genau|richtig|oui|exact|d'accord|sí|si|claro|vale|sim|isso|certo|はい|そう|是的?|对"
    r"|好的?)(?![\w'])[\s,.:!;\u2014-]*"
)
_NORMATIVE = re.compile(
    r"\b(?:always|never|should|must|prefer|avoid|use|keep|don't|do not|instead|only|from now on|convention"
    r"|rule|policy|standard|every|each|all|recommend"
    r"|suggest|propose|best|ensure|make sure|by default)\b"
)
_LAST = 1500  # characters at the end of what the assistant said
_LEAST = 3  # content words of the person that make a restatement; two where these are nearly all of the proposal
_PART = 0.6  # share of them that the proposal has, too


def restates(text: str, answered: str) -> bool:
    """Whether a plain text agrees and says again what the assistant proposed as a rule."""
    agreed = _AGREES.match(text)
    if not agreed or not answered:
        return False
    words = content_words(text[agreed.end() :])
    if len(words) < _LEAST - 1:
        return False
    return any(
        len(words & proposed) >= max(_LEAST - 1, _PART * len(words)) for proposed in _proposals(answered[-_LAST:])
    )


@lru_cache(maxsize=64)
def _proposals(answered: str) -> list[frozenset[str]]:
    """The content words of each sentence that proposes a rule."""
    sentences = {statement.sentence for statement in statements(answered)}
    return [content_words(plain(sentence)) for sentence in sentences if _NORMATIVE.search(plain(sentence))]
