"""What a rule fixes and to which value: how function names begin, in which case, which decorator methods carry.

Pure. Two rules that fix the same thing to different values cannot both hold, however differently they are worded. Reads
only what is plain: names of parts of code, and what stands in the text as code (`marks`), what code has or lacks
(`constructs`), and how long it may be (`limits`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.memory.constructs import presence_in
from memsuggest.memory.limits import limits_in
from memsuggest.memory.marks import LENGTH_LIMIT, cases_in, plain_marks
from memsuggest.memory.parts import subject_at
from memsuggest.memory.stems import stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a rule fixes."""

    subject: str
    """The part of code: `function`, `variable`, `test file`; empty where the rule does not say."""
    aspect: str
    """What about it: `start`, `end`, `contain`, `case`, `decorator`, `import`, or what it has: `has docstring`."""
    value: str
    narrowed: frozenset[str] = frozenset()
    """Stems of what narrows the subject down: "private", "that talk to the network"."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TALK = frozenset(
    stem_of(word)
    for word in _words(
        "start begin starting beginning end ending prefix suffix front name names letter character sign word new define"
        " create add write declare make give carry have introduce code case style form always each open close contain"
        " include append prepend somewhere tail lead"
    )
)
_DIGIT = re.compile(r"\b(?:digits?|numerals?)\b|\bnumbers?\b(?= (?:somewhere |anywhere )?in )")
_NO_DIGIT = re.compile(r"\b(?:no|without|never|not|avoid|don't|free of|mustn't|shouldn't|stop)\b")
_CONTAIN = re.compile(r"\b(?:contain|include)\w*\b")
_OF_NAMES = re.compile(r"\bnames?\b|\bnam(?:ed|ing)\b|\bcall(?:ed)?\b")


@lru_cache(maxsize=4096)
def claims_of(text: str) -> tuple[Claim, ...]:
    """Return what a rule fixes; nothing where it is not plain."""
    said = text[:LENGTH_LIMIT]
    named = tuple(dict.fromkeys((*_marked(said), *_cased(said), *_with_digits(said), *_limited(said))))
    return named or tuple(_present(said))


def is_same_thing(one: Claim, other: Claim, *, loosely: bool = False) -> bool:
    """Whether two claims are about the same thing; loosely, one of them may leave out what it is about."""
    if one.aspect != other.aspect:
        return False
    if one.subject == other.subject and one.narrowed == other.narrowed:
        return bool(one.subject) or loosely or one.aspect.startswith("has ")
    is_open = not (one.subject and other.subject) or one.subject == other.subject
    return loosely and is_open and not (one.narrowed and other.narrowed)


def fixes_other(a: str, b: str) -> bool:
    """Whether two rules fix the same aspect of different parts of code, or to different values."""
    one, other = claims_of(a), claims_of(b)
    return any(
        mine.aspect == theirs.aspect
        and (mine.value != theirs.value or mine.narrowed != theirs.narrowed or _are_other_parts(mine, theirs))
        for mine in one
        for theirs in other
        if mine not in other and theirs not in one
    )


def _are_other_parts(one: Claim, other: Claim) -> bool:
    return bool(one.subject and other.subject) and one.subject != other.subject


def is_about_claims(stems: Iterable[str]) -> bool:
    """Whether words say no more than that names, their letters and their beginnings are spoken of."""
    return all(stem in _TALK for stem in stems)


def _marked(said: str) -> Iterator[Claim]:
    """What names begin and end with, which decorator is used, what is imported."""
    for mark in plain_marks(said):
        if mark.aspect and not mark.is_out:
            subject, narrowed = subject_at(said, mark.start)
            yield Claim(subject=subject, aspect=mark.aspect, value=mark.value.lower(), narrowed=narrowed)


def _cased(said: str) -> Iterator[Claim]:
    for value, at, is_out, _ in cases_in(said):
        if not is_out:
            subject, narrowed = subject_at(said, at)
            yield Claim(subject=subject, aspect="case", value=value, narrowed=narrowed)


def _with_digits(said: str) -> Iterator[Claim]:
    """Whether names have digits."""
    lowered = said.lower()
    found = _DIGIT.search(lowered)
    subject, narrowed = subject_at(said, found.start()) if found else ("", frozenset[str]())
    if found and (_OF_NAMES.search(lowered) or (subject and _CONTAIN.search(lowered))):
        value = "no digit" if _NO_DIGIT.search(lowered[: found.start()]) else "digit"
        yield Claim(subject=subject, aspect="contain", value=value, narrowed=narrowed)


def _limited(said: str) -> Iterator[Claim]:
    """How long lines, names and parts of code may be."""
    for (subject, narrowed), aspect, number in limits_in(said):
        yield Claim(subject=subject, aspect=aspect, value=number, narrowed=narrowed)


def _present(said: str) -> Iterator[Claim]:
    """What code has, or must not have."""
    for construct, is_there, at in presence_in(said):
        subject, narrowed = subject_at(said, at)
        yield Claim(subject=subject, aspect=f"has {construct}", value="yes" if is_there else "no", narrowed=narrowed)
