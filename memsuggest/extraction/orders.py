"""Orders: whether a sentence begins as an order does. English by its form, other languages by their verbs."""

from __future__ import annotations

import re

from memsuggest.text.verbs import VERBS

_BEFORE_VERB = re.compile(
    r"""
    (?: always | never | automatically | please | just | also | only | not | let's | let\ us | bitte
      | do\ not | don't | stop | avoid | (?:be\ sure|remember|try|don't\ forget)\ to
      | (?:make\ sure|ensure)(?:\ that)?(?:\ to|\ you|\ we)?
      | (?:you|we)\ (?:should|must|need\ to|have\ to)
      | i\ (?:want|need|'d\ like|would\ like)\ you\ to
      | (?:next\ time|from\ now\ on|going\ forward|in\ (?:the\ )?future|in\ general|by\ default|so),?
      | (?:before|after)\ (?:every|each|any)\ [\w-]+,?
      | (?:next\ time|when|whenever|any\ ?time|every\ time|each\ time|if|before|after|for|in|from\ now)\ [^,]{0,100},
    )\s+
    """,
    re.VERBOSE,
)
"""What may stand before the verb of an order, as often as it likes."""
_WORD = re.compile(r"[^\W\d_][\w'-]*")


def is_order(plain_text: str) -> bool:
    """Tell whether a plain text begins as an order does.

    >>> is_order("from now on use tabs, never spaces"), is_order("the tests use tabs")
    (True, False)
    """
    at = 0
    while opening := _BEFORE_VERB.match(plain_text, at):
        if _is_verb_at(plain_text, at):
            return True
        at = opening.end()
    return _is_verb_at(plain_text, at)


def _is_verb_at(plain_text: str, at: int) -> bool:
    word = _WORD.match(plain_text, at)
    return word is not None and word.group() in VERBS
