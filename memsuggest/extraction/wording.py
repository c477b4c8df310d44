"""Wording: what was typed, turned into a rule that stands alone, in as many of the person's own words as possible.

Pure text to text; nothing is added that was not said.
"""

from __future__ import annotations

import re

_RESIDUE = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|nah|sure|right|well|so|and|but|also|then|now|please|pls|hey|hi"
    r"|oh|ah|hm+|uh+|alright|great|cool|good|perfect"
    r"|thanks|thank you|actually|btw|by the way|additionally|furthermore|finally|lastly|again|plus|hence"
    r"|therefore|lol|wait|sorry|just|instead"
    r"|i think(?: that)?(?= (?:we|you|it|the|all|every|each))|i guess|i mean|you know|to be clear|fyi|as i "
    r"said|like i said|i told you(?: to| that)?|note that|remember that|remember to|keep in mind that"
    r"|(?:can|could|would|will) (?:you|we) (?:please |just )?(?=always|never|make|use|keep|not|stop)|i(?:'d| "
    r"would) like you to|i want you to|i need you to|you should|you must|you need to|you have to"
    r"|let'?s|we should(?= \w)|bitte|und|aber|also|nein|ja|por favor|sim|não,|sí,|non,|oui,|s'il te plaît"
    r"|s'il vous plaît)\b[\s,.:!;\u2026-]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    (
        r"(?:[\s,]+(?:please|pls|thanks|thank you|ok\??|okay\??|right\??|alright\??|bitte|danke|por favor|merci"
        r"|obrigad[oa]|though|tho|then|lol|haha|too))*[\s,;:!.\u2026\U0001f300-\U0001faff\u2600-\u27bf)-]*$"
    ),
    re.IGNORECASE,
)
_MAKE_SURE = re.compile(r"^make (?:absolutely )?(?:sure|certain) (?:that )?(?:to |you )?", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
LIMIT = 280  # characters of a content


def word(text: str) -> str:
    """Turn a quote into one line that starts like a rule and ends like a sentence."""
    line = _SPACE.sub(" ", text).strip()
    line = _RESIDUE.sub("", line)
    line = _TAIL.sub("", line).strip(" ,;:-")
    if not line:
        return ""
    return _capitalised(line[:LIMIT].rstrip()) + ("" if line[-1] in ".!?。！？`" else ".")


def _capitalised(line: str) -> str:
    """The first letter as a capital, unless a name or code starts the line."""
    first = line.split(" ", 1)[0]
    if not first[:1].islower() or re.search(r"[\W\d_]", first.strip(",.;:'")) or any(c.isupper() for c in first):
        return line
    return first[:1].upper() + line[1:]
