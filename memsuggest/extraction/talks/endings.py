"""Endings: how people say that a rule holds no more: "needn't", "you can skip those". Free functions over plain text.

Only tells that something is ended; which rule is known by what is in force.
"""

from __future__ import annotations

import re

_POINTS = re.compile(r"\b(?:it|them|those|these|that|this|one|ones)\b")
_ENDS = re.compile(
    r"\b(?:needn't|no need|no longer|any ?(?:more|longer)|(?:can|may|could) (?:\w+ )?"
    r"(?:stop|skip|drop|forget|omit|leave)"
    r"|(?:skip|drop|forget|scrap|ditch|lose|abandon|remove)(?: about)? (?:the|them|those|that|it|all)\b"
    r"|released? from|do(?:ing)? (?:away with|without)|leav(?:e|ing) .{1,30}\bout|lift(?:ed|ing)|stop \w+ing|can go"
    r"|rid of|history|optional"
    r"|(?:is|are) (?:now )?(?:over|done|gone|dead|out)|off the \w+|(?:don't|doesn't|do not) (?:have to|need|bother)"
    r"|not (?:required|necessary|needed)|throw out|let (?:them|it) (?:fall|go|be)"
    r"|(?:fine|ok|okay|allowed|welcome) again"
    r"|n't (?:required|necessary|needed)|retired?|let go of|no more|unnecessary|superfluous|spared|spare you)\b"
)
"""What ends a rule, where one is known."""
_MAY_END = re.compile(
    r"\b(?:without|goodbye|gone|over|done with|enough of|skip\w*|drop\w*|forget|stop\w*|undo|scratch)\b"
)
"""The same, where the other one says so too."""
_REACH = 7
"""Words from an end in which a pronoun is what is ended: "needn't write those"."""
_NO_MORE = re.compile(r"\b(?:no|no more|goodbye|without|bye|farewell)\b")
"""How one repeats that something is ended."""


def ending_of(plain: str, *, is_repeated: bool = False) -> str:
    """Return what a sentence says from where it ends something; empty for one that ends nothing."""
    found = _ENDS.search(plain) or (_MAY_END.search(plain) if is_repeated else None)
    return plain[found.start() :] if found else ""


def points_back(ending: str) -> bool:
    """Whether what is ended was named before: "skip those"."""
    return bool(_POINTS.search(" ".join(ending.split()[:_REACH])))


def calls_off(clause: str) -> bool:
    """Whether an answer understands that something is ended."""
    return bool(_NO_MORE.search(clause.lower()))
