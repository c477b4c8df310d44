"""Rules in the plainest words for what they say, so that two people's wordings of one rule meet. Pure.

Only for comparing a rule with a line, and only both at once: what comes out is never shown, and may read badly.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

from memsuggest.memory.stem_groups import stem_of

_TURNS = (
    # "must not exceed 80", "never longer than 80" → "at most 80"
    (
        r"(?:not|n't|never)\s+(?:exceed|(?:be\s+)?(?:longer|larger|bigger|more)\s+than|go\s+(?:over|beyond))\b",
        " at most",
    ),
    # "no function longer than 40 lines" → "function at most 40 lines"
    (
        r"\bno\s+(?P<thing>[\w`-]+(?:\s[\w`-]+)?)\s+(?:(?:is|are)\s+)?(?:longer|larger|bigger|more)\s+than\b",
        r"\g<thing> at most",
    ),
    # "one or two, not more" → "at most one or two"
    (r",?\s+(?:and\s+)?(?:not|no|never)\s+more[.!]?$|\s+(?:maximum|max|tops)[.!]?$", " at most"),
    (r"≤|<=", " at most "),
    (r"≥|>=", " at least "),
    (r"\b(?P<number>\d+)\+(?=\s|$)", r"at least \g<number>"),
    # "is not shipped until every run is green" → "is shipped only when every run is green"
    (
        r"(?:\bnot|n't)\s+(?P<what>[^,;.]{2,60}?)\s+until\b",
        r" \g<what> only when",
    ),
    # "macOS/Linux" is two things
    (r"(?<![\w./`\\-])(?P<one>[^\W\d_]{2,})/(?P<other>[^\W\d_]{2,})(?![\w/.\\-])", r"\g<one> and \g<other>"),
    (r"\s-\s", " \u2014 "),
)
_FORMS = tuple((re.compile(form, re.IGNORECASE), plain) for form, plain in _TURNS)
_CODE = re.compile(r"(`[^`\n]*`)")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_ANY_CALL = re.compile(r"\((?:\.\.\.|…)\)$")
_NOTHING = "-"


@cache
def _rows() -> list[tuple[str, list[str]]]:
    table = files(__package__).joinpath("paraphrases.txt").read_text(encoding="utf-8")
    rows = (row.partition(": ") for row in table.strip().split("\n"))
    return [("" if plain == _NOTHING else plain, variants.split(", ")) for plain, _, variants in rows]


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for all turns of several words, and what each is in plain words."""
    known = {variant: plain for plain, variants in _rows() for variant in variants if not variant.isalpha()}
    longest_first = sorted(known, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE), known


@cache
def _plain_words() -> dict[str, str]:
    return {
        form: plain
        for plain, variants in _rows()
        for variant in variants
        if variant.isalpha()
        for form in _forms_of(variant)
    }


def _forms_of(word: str) -> list[str]:
    """Return a word and its inflections, by letters: a stem would take "description" for "descriptive"."""
    base = word.removesuffix("e")
    return [word, f"{word}s", f"{base}es", f"{base}ed", f"{base}ing"]


@cache
def _stems_of_stems() -> dict[str, str]:
    words = _plain_words().items()
    return {stem_of(word): stem_of(plain) for word, plain in words if plain and " " not in plain}


def plain_stem(stem: str) -> str:
    """Return the stem of the plainest word for what a stem says."""
    return _stems_of_stems().get(stem, stem)


@lru_cache(maxsize=8192)
def in_plain_words(text: str) -> str:
    """Return a rule or a line in plain words; code stays code, without the marks around its name.

    >>> in_plain_words("Investigate multiple entire files prior to proposing anything")
    'inspect several whole files before suggest anything'
    """
    return "".join(
        _plain_code(part) if place % 2 else _plain_prose(part) for place, part in enumerate(_CODE.split(text))
    )


def _plain_code(span: str) -> str:
    return f"`{_ANY_CALL.sub('', span.strip('`').removeprefix('@'))}`"


def _plain_prose(text: str) -> str:
    for form, plain in _FORMS:
        text = form.sub(plain, text)
    pattern, known = _phrases()
    text = pattern.sub(lambda found: known[found.group().lower()], text)
    words = _plain_words()
    return _WORD.sub(lambda found: words.get(found.group().lower(), found.group()), text)
