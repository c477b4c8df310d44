"""Reminders: how one says that something was said before. What stands behind one is what was said. Pure."""

from __future__ import annotations

import re

SAID_BEFORE = re.compile(
    r"""
    \b(?:
        (?:as|like) \s i \s (?:said|told|wrote|mentioned)
      | i \s (?:told|said|asked) \s (?:you|already|before|that)
      | i \s already \s (?:told|said|asked)
      | (?:once|yet) \s (?:again|more)
      | how \s many \s times
      | (?:the|our|your) \s (?:rules?|instructions?|agents\.md|claude\.md) \s (?:say|says|said)
      | wie \s gesagt | schon \s (?:wieder|gesagt) | comme \s (?:je \s l'ai \s dit|déjà \s dit) | ya \s te \s dije
    )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words by which one says anywhere in a message that it was said before."""
_LEAD = re.compile(
    r"""
    \s* (?:
        again (?: \s*[,:;!\u2014]+ | \s+-+(?=\s) ) \s*
      | (?: (?:as|like) \s i (?:'ve|\u2019ve|\s have)? \s (?:already \s)? (?:said|told \s you|mentioned|wrote)
            (?:\s (?:before|above|already|earlier))?
          | (?:once|yet) \s (?:again|more)
          | (?:for \s)? (?:the|now \s the)? \s* (?:second|third|fourth|last|\d+(?:nd|rd|th)) \s time
          | wie \s (?:schon \s)? gesagt | noch \s? (?:ein)?mal | zum \s \w+ \s mal
          | comme \s (?:je \s l'ai \s)? (?:déjà \s)? dit | como \s (?:ya \s)? (?:te \s)? dije
        ) \s* [,:;!\u2014-]+ \s*
      | (?: i (?:'ve|\u2019ve|\s have)? \s (?:already \s)? (?:told|said|asked|mentioned) (?:\s to)? (?:\s you)?
            (?:\s (?:this|that))? (?:\s (?:before|already|again|(?:so \s)? many \s times|\w+ \s times|twice))?
          | ich \s (?:habe?|hab's) (?:\s (?:es|dir|doch|schon|bereits|mehrmals|\w+ \s mal))* \s gesagt
          | je \s (?:te \s)? l'ai \s (?:déjà \s)? dit | ya \s te \s (?:lo \s)? dije
        ) (?: \s* [,:;!\u2014]+ \s* (?:that \s|dass \s)? | \s+-+\s+ | \s+ (?: (?:that|to) \s+ | (?=not\ to\s) ) )
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_TO = re.compile(r"not\s+to\s+(?=\w)", re.IGNORECASE)


def without_reminder(text: str) -> str:
    """Return a sentence without what says that it was said before; all of it where nothing else is there.

    >>> without_reminder("As I said, never mock the database"), without_reminder("I told you not to use npm")
    ('never mock the database', 'do not use npm')
    >>> without_reminder("I told you about the bug")
    'I told you about the bug'
    """
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else ""
    return _NOT_TO.sub("do not ", rest, count=1) if rest and _NOT_TO.match(rest) else rest or text


def opens_with_reminder(text: str) -> bool:
    """Tell whether a sentence begins by saying that it was said before."""
    return without_reminder(text) != text
