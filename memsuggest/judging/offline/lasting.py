"""Lasting: whether a sentence says of itself that it is to last, and stands by itself.

Nothing else is suggested offline. The marks stand in `lasting.txt`, what speaks against them in `stands_alone.txt`:
what has no mark, or leans on what stands around it, is at most a maybe.
"""

from __future__ import annotations

import re
from functools import cache

from memsuggest.core.text.words import plain
from memsuggest.judging.offline.cues import form, has_cue, phrases_of
from memsuggest.judging.offline.forms import is_order
from memsuggest.judging.offline.stands_alone import unclear

_FEWEST = 3
"""Words of a sentence that says what is to be so."""
_MANY = 25
"""Sentences of a message from which "always" and "never" are those of a specification."""
_ORDERED = "next time"
"""Marks that count with an order only: "next time, run the tests", and not "next time it failed"."""
_ALWAYS = "always"
"""Marks that a wish for the product has, too: "always center the map"."""
_NAME = re.compile(r"\S*[./_`]\w\S*")
_ANOTHER = re.compile(r"(?!(?:when|if|in|for|on|after|before|as|wenn|quand|si|cuando|se)\b).+[,:;]\s")
"""What stands before a mark where the sentence is about something else, too."""


def lasting_mark(plain_text: str, *, sentences: int = 1) -> str:
    """Return the words by which a plain sentence says that it is to last; empty where it does not.

    `sentences` is the number of sentences of its message.

    >>> lasting_mark("from now on use tabs"), lasting_mark("the tab bar should always show the title")
    ('from now on', '')
    """
    for name, pattern in _marks().items():
        found = pattern.search(plain_text)
        if found and _counts(name, found, sentences=sentences):
            return " ".join(found.group().strip(" ,.!，。").split()[:4])
    return ""


def _counts(name: str, found: re.Match[str], *, sentences: int) -> bool:
    text = found.string
    if name == _ORDERED:
        return is_order(text)
    return not (name.startswith(_ALWAYS) and (sentences > _MANY or has_cue("on-screen", _NAME.sub("", text))))


@cache
def _marks() -> dict[str, re.Pattern[str]]:
    words = {
        name.upper(): f"(?:{form('lasting_words', name).pattern})"
        for name in ("passive", "shown", "order", "saying", "standing")
    }
    filled = re.compile("|".join(words))
    return {
        name: re.compile(filled.sub(lambda found: words[found.group()], pattern.pattern))
        for name, pattern in phrases_of("lasting").items()
    }


def why_not_alone(text: str, content: str, *, mark: str = "") -> str:
    """Say why a marked sentence is no rule by itself; nothing where it is one."""
    if text.rstrip(" \t)\"'*_\u201d").endswith(("?", "\uff1f", ":", "\uff1a")):
        return "asks a question or introduces something"
    if content.isascii() and len(content.split()) < _FEWEST:
        return "says too little"
    before, _, behind = plain(content).partition(mark) if mark else ("", "", "")
    if behind.strip(" .!") and _ANOTHER.match(before):
        return "starts with something else"
    return unclear(content)
