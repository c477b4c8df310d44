"""Confirmations: what the assistant put into words and the person then said again, or asked to be remembered.

"Shall we pin all versions?" – "yes, pin all versions" is the person's rule, with the trust `confirmed`. "Yes, remember
that" points at the one rule that the assistant had proposed. A bare "ok" or "yes, do that" confirms nothing that lasts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.text.content import content_words
from memsuggest.text.sentences import sentences_of
from memsuggest.text.words import plain

_AGREES = re.compile(
    r"""
    (?: yes | yeah | yep | yup | ok(?:ay)? | sure | right | correct | exactly | agreed | true | good | great | perfect
      | absolutely | definitely | indeed | sounds\ good | that's\ right | makes\ sense | i\ agree | please\ do
      | ja | genau | richtig | oui | exact | d'accord | sí | si | claro | vale | sim | isso | certo
      | はい | そう | 是的? | 对 | 好的?
    )
    (?![\w']) [\s,.:!;\u2014-]*
    """,
    re.VERBOSE,
)
_NORMATIVE = re.compile(
    r"""
    \b(?:always|never|should|must|prefer|avoid|use|keep|don't|do\ not|instead|only|from\ now\ on|convention|rule|policy
      |standard|every|each|all|recommend|suggest|propose|best|ensure|make\ sure|by\ default)\b
    """,
    re.VERBOSE,
)
_REMEMBER = re.compile(
    r"""
    (?: please\ | do\ | also\ )?
    (?: (?:remember|note|save|store|record|keep)\ (?:that|this|it)
      | (?:write|note|put|add)\ (?:that|this|it)\ down
      | merk\ dir\ das | retiens\ (?:ça|cela) | recuerda\ (?:eso|esto) | lembre(?:-se)?\ disso
    )
    (?:\ for\ (?:next\ time|the\ future|later|all\ sessions)|\ please|,\ please|\ bitte)? [\s.!]* \Z
    """,
    re.VERBOSE,
)
_OFFER = re.compile(
    r"\A(?:(?:shall|should) (?:we|i)|i suggest|i(?:'ll| will| would|'d) (?:suggest|propose|recommend))\b",
    re.IGNORECASE,
)
_LAST = 1500  # characters at the end of what the assistant said
_LEAST = 3  # content words of the person that make a restatement; two where these are nearly all of the proposal
_PART = 0.6  # share of them that the proposal has, too
_LONGEST = 200  # characters of a proposal that may be taken as it stands


def restates(text: str, heard: str) -> bool:
    """Tell whether a plain text agrees and says again what the assistant proposed as a rule."""
    agreed = _AGREES.match(text)
    if not agreed or not heard:
        return False
    words = content_words(text[agreed.end() :])
    if len(words) < _LEAST - 1:
        return False
    proposed = (content_words(plain(sentence)) for sentence in _proposals(heard[-_LAST:]))
    return any(len(words & one) >= max(_LEAST - 1, _PART * len(words)) for one in proposed)


def proposal_to_remember(text: str, heard: str) -> str:
    """Return the one rule that the assistant had proposed, where a plain text only asks to remember it; else nothing.

    >>> proposal_to_remember("yes, remember that", "Done. Always run the linter before committing.")
    'Always run the linter before committing.'
    """
    agreed = _AGREES.match(text)
    if not heard or not _REMEMBER.fullmatch(text[agreed.end() :] if agreed else text):
        return ""
    proposals = [one for one in _proposals(heard[-_LAST:]) if len(one) <= _LONGEST and not one.endswith((":", "?"))]
    is_one = len(proposals) == 1 and not _OFFER.match(proposals[0])
    return " ".join(proposals[0].split()) if is_one else ""


@lru_cache(maxsize=64)
def _proposals(heard: str) -> tuple[str, ...]:
    """Return the sentences that propose a rule."""
    return tuple(one.text for one in sentences_of(heard) if _NORMATIVE.search(plain(one.text)))
