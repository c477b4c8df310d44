"""Constructs that code has or lacks by a rule: docstrings, comments, type hints, assertions. Pure.

Owns which of them a rule asks for, and which it asks for no more. Reads only rules that say little else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.memory.parts import without_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONSTRUCTS = {
    "docstring": r"doc ?-?strings?|documentation strings?",
    "comment": r"comments?",
    "type hint": r"type[- ]?(?:hints?|annotations?|hinting)|annotations?|annotat(?:e|es|ed|ing)",
    "try": (
        r"try(?:[ /-]+(?:and[ /-]+|or[ /-]+)?(?:except|catch|finally))?(?:[ -](?:blocks?|statements?|clauses?))?"
        r"(?= |[.,;!?]|$)"
    ),
    "assert": r"assert(?:ion)?s?(?: statements?| checks?)?",
    "decorator": r"decorators?",
    "prefix": r"prefix(?:es)?",
    "suffix": r"suffix(?:es)?",
    "early return": r"early returns?",
    "comprehension": r"(?:list |dict )?comprehensions?",
    "unit test": r"unit[ -]?tests?",
}
_CONSTRUCT = re.compile(
    "|".join(rf"(?P<c{number}>\b(?:{words})(?!\w))" for number, words in enumerate(_CONSTRUCTS.values()))
)
_ANY = "|".join(_CONSTRUCTS.values())
_NAMES = tuple(_CONSTRUCTS)
_AFTER_ALL = re.compile(
    r"\b(?:never|don't|do not|not|no one|nobody|mustn't) (?:\w+ )?(?:forgets?|skips?|omits?|leaves?|optional|drops?)\b"
    r"|\bno (?:excuses?|exceptions?|matter)\b|\bno \w+ (?:without|may lack)\b|\bwithout exceptions?\b"
)
"""A negation of a negation: it asks for it."""
_WITHOUT = re.compile(
    r"\b(?:no|not|never|without|avoid|stop|stopped|skip|skipping|drop|dropp(?:ed|ing)|omit|omitted|omitting|optional"
    r"|unnecessary|needn't|forget|history|gone|ditch|ditching|lose|scrap|scratch|abandon|retired?|unneeded|superfluous"
    r"|rid of|leave\b.{1,40}\bout|don't|doesn't|won't|isn't|aren't|can go|may go|off the (?:list|table|hook)|undo"
    r"|free of|remove|lift(?:ed)?)\b"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SMALL = _words(
    """
    a an the all any every each of to in on at for with your our my its their this that these those and
    or you we i it they them be is are was should must shall have has had need needs want wants like
    please also always now from today onwards going forward here just too as well make sure ensure
    remember let's let put add added adding include includes including write writes writing written use
    uses using used provide give gets get carry come comes contain contains attach require required
    requires new when whenever define defining create creating code function names name there would
    expect see no not never without avoid stop stopped skip skipping drop dropped dropping omit omitted
    omitting optional unnecessary needn't forget history gone ditch lose scrap scratch abandon retire
    retired rid leave out don't doesn't won't isn't aren't can go may off list table longer anymore more
    again mandatory compulsory obligatory necessary needed bother feel free do does only least one some
    inside body wrap wrapped up starting begin statement statements block blocks so but then own if
    possible after good proper short brief part hook will you'll i'd we'll that's it's requiring
    asserting docs everything bodies whole
    """
)
"""Words that say no more than that something is to be there, or need not be."""
_OTHERS = 1
"""Words of weight that a rule about what code has may say besides."""
_CLAUSE = re.compile(r"(?:(?! (?:because|so that|since|as|so|which|otherwise|after which) )[^,;:.!?])+")
"""What stands between marks and reasons: a rule about what code has may go on about something else."""
_WORD = re.compile(r"[a-z][a-z'-]*")
_QUOTED = re.compile(r"(?<!\w)[`'\"\u2018\u201c@][\w.@#/:-]{1,32}[`'\"\u2019\u201d]?|\d")


def presence_in(text: str) -> Iterator[tuple[str, bool, int]]:
    """Yield the constructs that a rule asks for (True) or does without (False), and where it names them."""
    lowered = text.lower().replace("\u2019", "'")
    for clause in _CLAUSE.finditer(lowered):
        said = clause[0]
        if not _CONSTRUCT.search(said) or _QUOTED.search(said):
            continue
        is_there = bool(_AFTER_ALL.search(said)) or not _WITHOUT.search(said)
        if _says_more(said, is_there=is_there):
            continue
        for one in _CONSTRUCT.finditer(said):
            yield _NAMES[int(str(one.lastgroup)[1:])], is_there, clause.start() + one.start()


def constructs_in(text: str) -> frozenset[str]:
    """Return the constructs that a text names."""
    lowered = text.lower().replace("\u2019", "'")
    return frozenset(_NAMES[int(str(one.lastgroup)[1:])] for one in _CONSTRUCT.finditer(lowered))


def _says_more(lowered: str, *, is_there: bool) -> bool:
    rest = [word for word in _WORD.findall(without_parts(_CONSTRUCT.sub(" ", lowered))) if word not in _SMALL]
    kinds = {word for word in rest if re.search(rf"\b{re.escape(word)} (?:{_ANY})", lowered)}
    return len(rest) > _OTHERS + is_there or (not is_there and bool(kinds))
