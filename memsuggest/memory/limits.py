"""Limits that rules set: how long lines are, how many lines a function has, how many letters a name. Pure.

Owns the reading of small numbers, in digits and in words.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.memory.parts import parts_in, subject_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.memory.parts import Subject

_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_UNITS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "fifteen": 15, "hundred": 100,
}  # fmt: skip
_WORD = re.compile(r"[a-z]+")
_DIGITS = re.compile(r"(?<![\w.,:/-])[1-9]\d{0,2}(?![\w/:-]|[.,]\d)")
_COUNT = rf"(?P<number>\d{{1,4}}|(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS)}))?|{'|'.join(_UNITS)})"
_LIMIT = re.compile(rf"\b{_COUNT}[ -](?P<unit>char(?:acter)?s?|columns?|letters?|lines?)\b")
_LINE_LIMIT = re.compile(
    r"\b(?:lines?|columns) (?:\w+ ){0,3}(?:under|below|to|at|within|over|than|beyond) (?:\w+ ){0,2}"
    r"(?P<number>\d{2,3})\b(?! (?:lines|files))"
)
_LIMITS = re.compile(
    r"\b(?:at (?:most|least)|more than|less than|fewer than|longer|shorter|under|below|within|up to|max(?:imum)?"
    r"|limit\w*|min(?:imum)?|over|exceed\w*|beyond|keep|stay\w*|fit|allow(?:ed)?|long|short|nothing over|say|make it"
    r"|(?:a|per|each|every) (?:line|function|method)|not one more|or more|or fewer|or less)\b"
)
"""What tells that a number is a limit."""
_LINE = re.compile(r"\blines?\b")


def limits_in(text: str) -> Iterator[tuple[Subject, str, str]]:
    """Yield the limits of a text: the part of code, `lines` or `length` (in characters), and the number."""
    lowered = text.lower()
    for found in _LIMIT.finditer(lowered) if _LIMITS.search(lowered) else ():
        is_of_lines = found["unit"].startswith("line")
        is_line = not is_of_lines and bool(_LINE.search(lowered))
        subject = ("line", frozenset[str]()) if is_line else _subject(text, found.start())
        yield subject, "lines" if is_of_lines else "length", _in_digits(found["number"])
    line = None if _LIMIT.search(lowered) else _LINE_LIMIT.search(lowered)
    if line:
        yield ("line", frozenset()), "length", line["number"]


def _subject(text: str, at: int) -> Subject:
    """Return the part that a limit is for, or the only part that a text names."""
    subject = subject_at(text, at)
    parts = parts_in(text)
    return subject if subject[0] or len(parts) != 1 else (next(iter(parts)), frozenset())


def numbers_in(text: str) -> frozenset[str]:
    """Return the small numbers of a text, in digits."""
    words = ["", *_WORD.findall(text.lower()), ""]
    found = set(_DIGITS.findall(text))
    for before, word in pairwise(words):
        if before in _TENS:
            found.add(
                str(_TENS[before] + (_UNITS.get(word, 0) if _UNITS.get(word, 10) < min(_TENS.values()) // 2 else 0))
            )
        elif word in _UNITS:
            found.add(str(_UNITS[word]))
    return frozenset(found)


def _in_digits(number: str) -> str:
    return number if number.isdigit() else max(numbers_in(number), key=int)
