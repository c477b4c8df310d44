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
    (r"\bmax(?:imum|imal(?:ly)?)?\.?\s+(?=\d)", "at most "),
    (r"~(?=\d)", ""),
    # "has more than 600 lines" → "exceeds 600 lines"
    (r"\b(?:has|have|having|is|are|with)\s+(?:more|longer|larger|bigger)\s+than\b", " exceed"),
    # "A is better than B" → "prefer A over B"
    (
        r"^(?P<one>[^,;.]{3,80}?)\s+(?:is|are)\s+(?:better|preferred|preferable)\s+(?:than|over|to)\s+(?P<other>[^,;.]{3,80})",
        r"prefer \g<one> over \g<other>",
    ),
    # "only create it after she agreed" → "never create it without she agreed"
    (r"^only\s+(?P<what>[^,;.]{3,80}?)\s+after\b", r"never \g<what> without"),
    # "failures like timeouts or crashes" → "failures (timeouts or crashes"
    (r"\s(?:such\s+as|like|for\s+(?:example|instance)|e\.g\.)\s", " ("),
    # "the one in the index", "mutable ones": no number
    (r"\b(?:that\s+of\s+the|the\s+ones?)\b|\bones\b", " "),
    (r"\bone\s+(?=(?:that|which|from|in|of)\b)", " "),
    (r"≤|<=", " at most "),
    (r"≥|>=", " at least "),
    (r"\b(?P<number>\d+)\+(?=\s|$)", r"at least \g<number>"),
    # "is not shipped until every run is green" → "is shipped only when every run is green"
    (
        r"(?:\bnot|n't)\s+(?P<what>[^,;.]{2,60}?)\s+until\b",
        r" \g<what> only when",
    ),
    # "macOS/Linux" is two things
    (
        r"(?<![\w./`\\-])(?P<one>[^\W\d_]{2,})/(?P<other>[^\W\d_]{2,}(?:-[^\W\d_]+)?)(?![\w/.\\-])",
        r"\g<one> and \g<other>",
    ),
    (r"\s-\s", " \u2014 "),
)
_FORMS = tuple((re.compile(form, re.IGNORECASE), plain) for form, plain in _TURNS)
_CODE = re.compile(r"`[^`\n]*`")
_MARK = "\x02{}\x03"
"""What stands for a code span while the words around it are put plainly."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_ANY_CALL = re.compile(r"\((?:\.\.\.|…)\)$")
_ELEMENT = re.compile(r"<(?P<name>[a-z][\w-]*)(?:\s*/)?>", re.IGNORECASE)
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
    spans: list[str] = []

    def set_aside(found: re.Match[str]) -> str:
        spans.append(_plain_code(found.group()))
        return _MARK.format(len(spans) - 1)

    plain = _plain_prose(_CODE.sub(set_aside, text))
    for number, span in enumerate(spans):
        plain = plain.replace(_MARK.format(number), span)
    return plain


def _plain_code(span: str) -> str:
    name = _ANY_CALL.sub("", span.strip("`").removeprefix("@"))
    return "`" + _ELEMENT.sub(r"\g<name>", name) + "`"


def _plain_prose(text: str) -> str:
    for form, plain in _FORMS:
        text = form.sub(plain, text)
    pattern, known = _phrases()
    text = pattern.sub(lambda found: known[found.group().lower()], text)
    words = _plain_words()
    return _WORD.sub(lambda found: words.get(found.group().lower(), found.group()), text)
