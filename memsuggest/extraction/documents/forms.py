"""Forms: in how many ways a sentence of a document says that something is to be so.

Pure. What stands under a heading for rules needs only the form of one: an order, a prohibition, a duty, a choice, or a
telling of a whole kind of things. What was decided must say itself that it is to be so: tellings there are a report.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction import grammar
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_NORMS = (
    frozenset(("cue:always", "cue:never", "cue:each-time", "cue:in-general")),
    frozenset(("cue:must", "cue:must-not", "cue:should")),
    frozenset(("cue:do-not", "cue:no-kind", "is:prohibition")),
    frozenset(("cue:rather", "cue:only", "is:tool-choice")),
    frozenset(("cue:we-do", "is:norm-for-a-kind", "is:norm-for-code", "is:keeps-in-step", "is:make-sure-of-all")),
)
"""Features by which a sentence says that something is to be so, wherever it stands."""
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
_IS_NOT = re.compile(r"\b(?:is|are) not \w+ed\b|ない。?\Z")
_CHOSEN = re.compile(r", (?:and )?(?:not|never) \w| (?:instead of|rather than|statt|anstatt) ")


def has_norm(features: AbstractSet[str]) -> bool:
    """Tell whether a sentence with these features says that something is to be so, and not only orders it."""
    return any(not features.isdisjoint(group) for group in _NORMS)


def plainness(text: str, features: AbstractSet[str], *, is_decided: bool) -> int:
    """Count the ways in which a sentence with these features says that something is to be so; 0 for no rule.

    >>> plainness("Foreign keys end in `_id`.", frozenset(), is_decided=False)
    1
    >>> plainness("Foreign keys end in `_id`.", frozenset(), is_decided=True)
    0
    """
    said = plain(text)
    norms = sum(not features.isdisjoint(group) for group in _NORMS) + bool(_CHOSEN.search(said))
    if "is:order" in features and not (grammar.DONE_ONCE.match(said) or (_OF_ONE.match(said) and not norms)):
        norms += 1
    is_telling = _OF_ALL.match(said) or _OF_MANY.match(said) or _IS_NOT.search(said)
    if is_telling and (norms or not is_decided or _OF_ALL.match(said)):
        norms += 1
    return norms
