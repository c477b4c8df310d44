"""Repeats: which sentence the other one acknowledges: "Got it, `x_` for functions", "No docstrings, then".

In a talk between people, what is repeated in such a way was an instruction, and what was passed over was talk. Only
tells which of the person's own sentences count; nothing that the other one says becomes part of a rule. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.language.trade import TRADE, content_words
from memsuggest.extraction.talks.colleagues import tells_a_story
from memsuggest.extraction.talks.voices import is_voiced
from memsuggest.memory.limits import numbers_in
from memsuggest.memory.marks import marks_of
from memsuggest.text.verbs import word_set
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.extraction.remarks import Remark

_CLAUSE = re.compile(r"(?<=[.!?;])\s+|,\s+(?=(?:and|but|so|then)\b)")
_AGREES = re.compile(
    r"\b(?:instead of|rather than|in place of|not? (?:\w+ )?any ?more|no longer|from (?:now|today)|noted|understood"
    r"|got it|gotcha|it is|will do|i'll|i will|i shall|we'll|okay|ok|alright|all right|fine|sure|then|so|right|yes"
    r"|done|agreed|clear|of course|no problem|as you (?:wish|like|say)|goodbye|back to|no more|easy|perfect|great"
    r"|makes sense|fair enough|at most|at least|understand|remember|promise|check|copy|roger)\b"
)
_TELLS = re.compile(
    r"^(?:so |and |okay,? |ok,? |alright,? |fine,? |sure,? |right,? |got it,? |then )*"
    r"(?:['\"\u2018\u201c`@]?[\w@.-]+['\"\u2019\u201d`]?(?: [\w@.'-]+){0,3}"
    r" (?:for|on|in|at|before|above|around|with|as)|no \w+|\w+ case)\b"
)
"""The short form in which a rule is repeated: "docstrings for all functions"."""
_SHORT = 14
"""Words of a clause that repeats."""
_PAST = re.compile(r"\b(?:i|we|he|she|they) (?:saw|had|was|were|did|thought|wondered|noticed|read|heard|used|once)\b")
"""What tells of something instead."""
_FEW = 4
"""Words that answer by saying again."""
_INSTEAD = re.compile(r"(?P<new>(?:[\w@.'-]{1,30} ){0,3}[\w@.'`\"-]{1,30}) (?:instead of|rather than|in place of)\b")
_EVERYDAY = word_set(
    "go try catch raise rest let black fish pull push note notes form forms key keys page pages user users issue"
    " issues job jobs host hosts port ports data service services linear output outputs input inputs project projects"
    " feature features team teams version versions app apps code coding button buttons model models answer answers"
    " question questions first name names named german english french spanish portuguese language space cache release"
    " releases review build task tasks branch"
)
"""Words of the trade that are said of other things."""
_COUNTS = re.compile(
    r"\b(?:lines?|characters?|columns?|letters?|spaces|digits?|parameters?|arguments?|levels|back (?:up |down )?to"
    r"|limit|at most|up to|maximum|functions?|methods?)\b"
)
"""What numbers in rules count."""
_SEVERAL = 2
_VALUE, _NUMBERED, _VOICE, _STORY = 2.0, 1.5, 1.5, -1.0
_LEAST = 1.0


def repeated_in(turn: Sequence[Remark]) -> frozenset[int]:
    """Return the places, within the remarks of one turn, of those that the reply acknowledges."""
    if not turn or not turn[0].reply:
        return frozenset()
    return frozenset(place for clause in _acknowledging(turn[0].reply) for place in _meant_by(clause, turn))


def _acknowledging(reply: str) -> Iterator[str]:
    """Yield the clauses of a reply in which something is acknowledged; a question acknowledges nothing."""
    for clause in _CLAUSE.split(reply):
        said = plain(clause)
        is_short = len(said.split()) <= _SHORT
        if _PAST.search(said):
            continue
        is_echo = _AGREES.search(said) or _TELLS.match(said) or len(said.split()) <= _FEW
        if not clause.rstrip().endswith("?") and is_short and is_echo:
            yield clause


def _meant_by(clause: str, turn: Sequence[Remark]) -> Iterator[int]:
    """Yield the remark that a clause repeats, if one stands out."""
    scores = [_score(remark, clause) for remark in turn]
    exact = [score if _names_the_same(remark, clause) else 0.0 for score, remark in zip(scores, turn, strict=True)]
    scores = exact if any(exact) else scores
    best = max(scores)
    if best > _LEAST:
        yield len(scores) - 1 - scores[::-1].index(best)


def _names_the_same(remark: Remark, clause: str) -> bool:
    """Whether a value or a number of a clause stands in a remark."""
    values = {mark.value.lower() for mark in marks_of(clause)} & {
        mark.value.lower() for mark in marks_of(remark.statement.text)
    }
    return bool(values or numbers_in(remark.statement.text) & numbers_in(clause))


def _score(remark: Remark, clause: str) -> float:
    """How much a remark has in common with a clause that acknowledges."""
    said = remark.statement.text
    shared = _stems(remark.plain) & _stems(clause)
    values = {mark.value.lower() for mark in marks_of(said)} & {mark.value.lower() for mark in marks_of(clause)}
    numbers = numbers_in(said) & numbers_in(clause) if _COUNTS.search(f"{remark.plain} {plain(clause)}") else set()
    chosen = _INSTEAD.search(clause)
    is_chosen = bool(chosen and _stems(chosen["new"]) & _stems(remark.plain))
    is_of_work = bool(shared & _TRADE or numbers or values or is_chosen)
    is_of_work = is_of_work or (len(shared) >= _SEVERAL and is_voiced(remark))
    if not (shared or values or numbers) or not is_of_work or said.rstrip().endswith("?"):
        return 0.0
    voice = _VOICE if is_voiced(remark) else _STORY if tells_a_story(remark) else 0.0
    return len(shared) + _VALUE * (len(values) + is_chosen) + _NUMBERED * len(numbers) + voice


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.rstrip("s") for word in content_words(text))


_TRADE = frozenset(word[:6].rstrip("s") for word in TRADE - _EVERYDAY)
