"""The wish of a prompt: whether it asks for what was said before, for something else, or for work. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

_LONGEST = 25
"""Words of a prompt that is only a question."""
_LEADS_IN = re.compile(
    r"""
    \W*(?:(?:and|so|ok|hey|wait|hm+|remind[ ]me|und|also|sag[ ]mal|last[ ]week|letzte[ ]woche|yesterday|gestern
      |on[ ]the[ ]\w+|am[ ]\d+\.?(?:[ ]\w+)?|in|on|at|for|from|to|of|by|with|since|until|till|ab|bis|seit|von|mit
      |an|bei|auf|nach)\b[\s,:;–-]*)*
    (?:what|which|who|whom|whose|where|when|why|how|did|do[ ]we|does[ ]our|was|were|have[ ]we|had[ ]we|are[ ]we
      |is[ ]our|what's|who's|where's|whats|welche[rsnm]?|wer|wen|wem|wessen|wo|woher|wohin|wann|warum|wieso|weshalb|wie
      |womit|wofür|woran|worin|worauf|wodurch|hatten[ ]wir|haben[ ]wir)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How a question begins."""
_WANTS_HELP = re.compile(
    r"\b(?:can|could|should|shall|would|will|please|let'?s|how (?:do|does|to|can) (?:i|you|one|\w+ing)|how to"
    r"|going to|best way|what about|we need|is it|difference|means?|könn\w*|kann\w*|soll\w*|würde\w*|bitte|möchte"
    r"|unterschied|bedeutet?|wie (?:\w+ ){1,2}(?:ich|man))\b",
    re.IGNORECASE,
)
"""What asks for something to be done or explained, not for what was said."""
_BEFORE = re.compile(
    r"(?<!^)(?<!wer )(?<!who )(?<!wann )(?<!when )(?<!wo )(?<!where )"
    r"\b(?:did|was|were|wasn't|weren't|didn't|had|we|us|our|ours|again|last (?:time|week|month|year)"
    r"|yesterday|earlier|by now|these days|decided|agreed|settled|chose|chosen|picked|hatte\w*|war|waren|wurde\w*"
    r"|wir|uns|unser\w*|noch ?mal|gestern|letzte\w*|vorige\w*|vorletzte\w*|damals|inzwischen|mittlerweile"
    r"|entschieden)\b",
    re.IGNORECASE,
)
"""What a question has that asks of what was said or settled."""


class Asks(StrEnum):
    """The wish of a prompt."""

    MEMORY = "memory"
    """What was said or settled before: "which port did we choose for the proxy?"."""
    ANSWER = "answer"
    """Something else, in a question."""
    WORK = "work"
    """Something to be done or explained; or nobody can tell."""


def asks_for(prompt: str) -> Asks:
    """Return what a prompt asks for.

    >>> asks_for("which port did we choose?"), asks_for("who signs the build?"), asks_for("rename the port")
    (<Asks.MEMORY: 'memory'>, <Asks.ANSWER: 'answer'>, <Asks.WORK: 'work'>)
    """
    text = prompt.strip()
    if "\n" in text or len(text.split()) > _LONGEST or _WANTS_HELP.search(text) or not _LEADS_IN.match(text):
        return Asks.WORK
    return Asks.MEMORY if _BEFORE.search(text) else Asks.ANSWER
