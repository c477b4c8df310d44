"""Forms: whether a sentence begins as an order does, and in how many ways it says that something is to be so.

English by its form, other languages by their verbs. What stands under a heading for rules needs only the form of one:
an order, a prohibition, a duty, a choice, a telling of a whole kind of things. What was decided must say it itself.
"""

from __future__ import annotations

import re
from functools import partial

from memsuggest.core.text.small_words import VERBS
from memsuggest.core.text.words import plain
from memsuggest.judging.offline.cues import cues_in, form

_form = partial(form, "forms")

_WORD = re.compile(r"[^\W\d_][\w'-]*")


def is_order(plain_text: str) -> bool:
    """Tell whether a plain text begins as an order does.

    >>> is_order("from now on use tabs, never spaces"), is_order("the tests use tabs")
    (True, False)
    """
    at = 0
    while opening := _form("before-verb").match(plain_text, at):
        if _is_verb_at(plain_text, at):
            return True
        at = opening.end()
    return _is_verb_at(plain_text, at)


def _is_verb_at(plain_text: str, at: int) -> bool:
    word = _WORD.match(plain_text, at)
    return word is not None and word.group() in VERBS


_NORMS = (
    frozenset(("always", "never", "each-time", "in-general")),
    frozenset(("must", "must-not", "should")),
    frozenset(("do-not", "no-kind")),
    frozenset(("rather", "only")),
    frozenset(("we-do",)),
)
"""Cues by which a sentence says that something is to be so, wherever it stands."""
_OF_ALL = re.compile(r"(?:every|each|all|any|no|jede[rs]?|alle|cada|tod[oa]s|chaque|tou(?:te)?s)\ \S", re.VERBOSE)
_OF_ONE = re.compile(r"(?:please )?\w+ (?:(?:in|out|up|down|off|to|at) )?(?:this|that|these|those|the|it|your|our)\b")
"""An order about one thing: "fill in the template"."""


def has_norm(text: str) -> bool:
    """Tell whether a sentence says that something is to be so, and not only orders it."""
    cues = cues_in(plain(text))
    return any(cues & group for group in _NORMS)


def plainness(text: str, *, is_decided: bool = False) -> int:
    """Count the ways in which a sentence says that something is to be so; 0 for no rule.

    >>> plainness("Foreign keys end in `_id`."), plainness("Foreign keys end in `_id`.", is_decided=True)
    (1, 0)
    """
    said = plain(text)
    cues = cues_in(said)
    norms = sum(bool(cues & group) for group in _NORMS)
    if is_order(said) and not (_OF_ONE.match(said) and not norms):
        norms += 1
    is_telling = _OF_ALL.match(said) or _form("of-many").match(said)
    if is_telling and (norms or not is_decided or _OF_ALL.match(said)):
        norms += 1
    return norms
