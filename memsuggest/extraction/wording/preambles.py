"""Preambles: a few first words that only speak of speaking: "sorry to be picky, but", "let me be clear:".

Owns the words that such a preamble is made of; one with any other word says something.
"""

from __future__ import annotations

import re

from memsuggest.text.words import plain, word_list, word_set

_PREAMBLE = re.compile(r"(?P<said>[^,.:;()`\"\d]{3,48}?)(?:,? but |[:,] )(?=\S+ \S)", re.IGNORECASE)
_TALK = word_set(
    "third fourth hundredth avoid misunderstanding misunderstandings simple correction context background confusion"
    " clarity golden honest fair clear say said saying mean meant mention mentioned mentioning repeat repeating tell"
    " told ask asked sorry pedantic picky annoying boring crazy weird silly stupid school rude pain record nit"
    " nitpick nitpicky strict short summary summarize summarise sum usual word words final answer verdict decided"
    " remind reminder question story dunno idk ngl bottom used continue hear heard listen guess obvious harsh blunt"
    " paranoid petty fussy"
)
"""Words of which one at least is in a preamble that only speaks of speaking."""
_SMALL = word_set(
    "small minor tiny wasn't isn't weren't time times main real a an the i i'm i'll i've me my myself you you're"
    " your we us it it's this that so is am are was be been being to of for in on at as if or and not do does did"
    " don't have has had may might can could will would should just really very quite maybe bit little let make get"
    " go before after what who which how old broken like sound know knew think again here there thing things point"
    " line last long one two some more too all both call he they wrote start remember"
)
_WHERE = re.compile(
    r"(?:for|in|on|at|of|as|if)\b(?! (?:short|summary|(?:some )?(?:context|background|clarity)|the \w+ time\b"
    r"|other words|a word|you ask)\b)",
    re.IGNORECASE,
)
"""What may say where a rule holds: "for simple things, …"."""


def without_preamble(line: str) -> str:
    """Take off a few first words that only speak of speaking."""
    found = _PREAMBLE.match(line)
    if not found or _WHERE.match(line):
        return line
    words = word_list(plain(found["said"]))
    is_talk = all(word in _TALK or word in _SMALL for word in words) and any(word in _TALK for word in words)
    return line[found.end() :] if is_talk else line
