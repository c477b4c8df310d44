"""Forms: in how many ways a sentence of a document says that something is to be so.

Pure. What stands under a heading for rules needs only the form of one: an order, a prohibition, a duty, a choice, or a
telling of a whole kind of things. What was decided must say itself that it is to be so: tellings there are a report.
"""

from __future__ import annotations

import re

from memsuggest.extraction.cues import cues_in
from memsuggest.extraction.orders import is_order
from memsuggest.text.words import plain

_NORMS = (
    frozenset(("always", "never", "each-time", "in-general")),
    frozenset(("must", "must-not", "should")),
    frozenset(("do-not", "no-kind")),
    frozenset(("rather", "only")),
    frozenset(("we-do",)),
)
"""Cues by which a sentence says that something is to be so, wherever it stands."""
_OF_ALL = re.compile(r"(?:every|each|all|any|no|jede[rs]?|alle|cada|tod[oa]s|chaque|tou(?:te)?s)\ \S", re.VERBOSE)
_OF_MANY = re.compile(
    r"""
    (?!(?:the|this|that|these|those|it|there|we|they|you|he|she|i|his|her|their|thanks|is|was|yes)\b)
    (?:[\w`'/-]+\ ){0,3}?
    [\w-]{2,}(?:[^\Ws']s|ses|sses|data|code|css|html|copy)
    \ (?: are | have | go(?:es)? | live | belong | come | stay | sit | stand | end | start | begin | use | return
        | carry | follow | take | hold | get | need | contain | include | keep | pass | say )(?![\w-])
    """,
    re.VERBOSE,
)
"""A subject that is a kind of things, and what is so with it: "foreign keys end in …"."""
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
    is_telling = _OF_ALL.match(said) or _OF_MANY.match(said)
    if is_telling and (norms or not is_decided or _OF_ALL.match(said)):
        norms += 1
    return norms
