"""Values that stand in a rule as code: parts of names, decorators, cases of letters. Pure.

Owns what each is for, as far as the words around it say so, and whether it is named only as what no longer holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LENGTH_LIMIT = 600
"""Characters of a rule that are looked at."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN = re.compile(
    r"['\"\u2018\u201c`](?P<quoted>[@\w.#/:-]{1,32})['\"\u2019\u201d`](?!\w)|(?<![\w@])(?P<at>@[A-Za-z_][\w.]{0,40})"
    r"|(?<!\w)(?P<affix>_\w{1,20}|\w{1,20}_)(?!\w)|(?P<word>[\w'/.-]*[\w])|(?P<stop>[.;:!?])|(?P<comma>,)"
)
_STARTS = _words(
    "start starts starting begin begins beginning prefix prefixed prefixes front before precede preceded leading open"
    " opens prepend prepended lead leads"
)
_ENDS = _words(
    "end ends ending endings suffix suffixed suffixes finish finishing finishes append appended trailing close tail"
)
_CONTAINS = _words("contain contains containing substring somewhere middle inside appear appears appearing")
_CUES = {
    word: aspect
    for aspect, words in (("start", _STARTS), ("end", _ENDS), ("contain", _CONTAINS))
    for word in words
}  # fmt: skip
_NAMING = _words("name names named naming call calls called")
_CHOICE = _words("now instead use switch switched change changed go going moving move make it's its replace swap trade")
"""Words beside which a part of a name may stand without a word for names."""
_NO = _words(
    "instead rather longer not more from than over replaces replacing was drop dropping ditch ditching forget goodbye"
    " bye retire retiring retired scrap scrapping lose losing old former previous had formerly previously"
)
_OVER_TO = re.compile(r"(?:over|from now|more) (?:to|on|\w+ly)\b", re.IGNORECASE)
"""What says no to nothing: "let's go over to", "from now on"."""
_OUT = _words("out gone history dead retired dropped obsolete passé done over")
_GIVES_WAY = _words("was were becomes became turns gives goes no")
"""What a value that no longer holds does."""
_RENAMED = _words("renamed replaced superseded changed retired")
"""What happened to a value that no longer holds."""
_EXCHANGE = _words(
    "replace replaces swap swaps trade exchange switch change changing switching swapping trading rename"
)
_BACK = 9  # words before a value in which it is said what the value is for
_AHEAD = 7
_CASES = (
    (re.compile(r"\b(?:upper )?camel[ _-]?case\b"), "camelcase"),
    (re.compile(r"\bsnake[ _-]?case\b"), "snake_case"),
    (re.compile(r"\bpascal[ _-]?case\b"), "pascalcase"),
    (re.compile(r"\bkebab[ _-]?case\b"), "kebab-case"),
    (re.compile(r"\b(?:all )?(?:in )?(?:capitals|caps|capital letters|upper[ -]?case(?: letters)?)\b"), "capitals"),
    (re.compile(r"\b(?:all )?lower[ -]?case(?: letters)?\b"), "lowercase"),
)


@lru_cache(maxsize=4096)
def no_longer(text: str) -> frozenset[str]:
    """Return the values that a rule names only to say that they hold no more: "no longer `x_`"."""
    tokens = list(_TOKEN.finditer(text[:LENGTH_LIMIT]))
    return frozenset(
        _value(token).lower()
        for place, token in enumerate(tokens)
        if _is_value(tokens, place) and _is_out(tokens, place)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A value that stands in a text as code."""

    value: str
    """As it is written, without quotation marks."""
    start: int
    aspect: str
    """What of a thing it fixes; empty where the text does not say."""
    is_out: bool
    """It is named as what does not hold."""
    said: str = ""
    """The very words, where the value is a reading of them: "snake case"."""


@lru_cache(maxsize=4096)
def marks_of(text: str) -> tuple[Mark, ...]:
    """Return the values that a text names as code: parts of names, decorators, cases of letters."""
    said = text[:LENGTH_LIMIT]
    is_part = any(_form_of(mark.value) for mark in plain_marks(said))  # "`a_`, in lower case": no case for all letters
    cases = (
        ()
        if is_part
        else (
            Mark(value=value, start=at, aspect="case", is_out=is_out, said=words)
            for value, at, is_out, words in cases_in(said)
        )
    )
    return (*plain_marks(said), *cases)


def plain_marks(said: str) -> Iterator[Mark]:
    """Yield the values of a text but for cases of letters."""
    tokens = list(_TOKEN.finditer(said))
    for place, token in enumerate(tokens):
        if _is_value(tokens, place):
            is_out = _is_out(tokens, place)
            aspect = "" if is_out else _aspect(tokens, place)
            yield Mark(value=_value(token), start=token.start(), aspect=aspect, is_out=is_out)


def cases_in(said: str) -> Iterator[tuple[str, int, bool, str]]:
    """Yield the cases of letters that are named, where, whether as what does not hold, in which words; each once."""
    lowered = said.lower()
    for pattern, value in _CASES:
        spans = [found.span() for found in pattern.finditer(lowered)]
        places = [start for start, _ in spans]
        out = [_follows_no(said, at) for at in places]
        if places:
            first = out.index(False) if False in out else 0
            yield value, places[first], all(out), said[slice(*spans[first])]


def _follows_no(said: str, at: int) -> bool:
    before = list(_TOKEN.finditer(said, 0, at))[-4:]
    return any(_word(one) in _NO and not _OVER_TO.match(said, one.start()) for one in before)


def _word(token: re.Match[str]) -> str:
    return (token["word"] or "").lower()


def _value(token: re.Match[str]) -> str:
    return (token["quoted"] or token["at"] or token["affix"] or token["word"] or "").removeprefix("@").rstrip(".")


def _is_value(tokens: Sequence[re.Match[str]], place: int) -> bool:
    """Whether a token stands as code, or as a capitalised word where a name's beginning or end is due."""
    token = tokens[place]
    if not token["word"]:
        return not (token["stop"] or token["comma"])
    before = [_word(one) for one in tokens[max(0, place - 2) : place]]
    is_due = len(before) == 2 and before[0] in _STARTS | _ENDS and before[1] in ("with", "in", "by")
    return is_due and token["word"][0].isupper()


def _is_out(tokens: Sequence[re.Match[str]], place: int) -> bool:
    """Whether a value is named as what does not hold."""
    just_before = [_word(one) for one in tokens[max(0, place - 3) : place]]
    if just_before[-1:] == ["to"] and (_RENAMED | {"switched", "moved", "updated", "renamed"}).intersection(
        just_before
    ):
        return False
    for token in reversed(tokens[max(0, place - 4) : place]):
        if not token["word"]:
            break
        if _word(token) in _NO and not _OVER_TO.match(tokens[0].string, token.start()):
            return True
        if _word(token) in _STARTS | _ENDS and _word(token) != "with":
            return any(_word(one) in ("longer", "not", "stop") for one in tokens[max(0, place - 6) : place])
    return _gives_way(tokens, place) or _is_exchanged(tokens, place)


def _gives_way(tokens: Sequence[re.Match[str]], place: int) -> bool:
    behind = [_word(one) for one in tokens[place + 1 : place + 6] if not one["stop"]]
    if _RENAMED.intersection(behind) and {"was", "were", "is", "are", "has", "have", "got"}.intersection(behind):
        return True
    behind = behind[:3]
    if behind[:1] and behind[0] in _GIVES_WAY:
        return True
    return len(behind) > 1 and behind[0] in ("is", "are", "has") and bool(_OUT.intersection(behind[1:]))


def _is_exchanged(tokens: Sequence[re.Match[str]], place: int) -> bool:
    """Whether another value takes its place: "swap 'a_' for 'b_'"."""
    before = [_word(one) for one in tokens[max(0, place - 7) : place] if not one["stop"]]
    is_first = not any(_is_value(tokens, at) for at in range(max(0, place - 7), place))
    if not is_first or not _EXCHANGE.intersection(before):
        return False
    ahead = tokens[place + 1 : place + 9]
    new = next((at for at, one in enumerate(ahead) if _is_value(tokens, place + 1 + at)), None)
    return new is not None and bool({"for", "with", "by", "to"}.intersection(_word(one) for one in ahead[:new]))


def _aspect(tokens: Sequence[re.Match[str]], place: int) -> str:
    if tokens[place]["at"] or (tokens[place]["quoted"] or "").startswith("@"):
        return "decorator"
    for token in reversed(tokens[max(0, place - _BACK) : place]):
        if token["stop"] and token["stop"] != ":":
            break
        word = _word(token)
        if word in ("import", "imports", "importing"):
            return "import"
        if word in ("decorator", "decorators", "decorated"):
            return "decorator"
        if word in _CUES:
            return _CUES[word]
    for token in tokens[place + 1 : place + _AHEAD]:
        if token["stop"]:
            break
        if _word(token) in _CUES:
            return _CUES[_word(token)]
    return _aspect_by_form(tokens, place)


def _aspect_by_form(tokens: Sequence[re.Match[str]], place: int) -> str:
    """Tell by its underscore what a part of a name is for, where names are spoken of, or a choice of one."""
    words = {_word(token) for token in tokens}
    is_plain = words & (_NAMING | _CHOICE) or any(
        _is_value(tokens, at) and _is_out(tokens, at) for at in range(len(tokens)) if at != place
    )
    return _form_of(_value(tokens[place])) if is_plain else ""


def _form_of(value: str) -> str:
    is_start, is_end = value.endswith("_"), value.startswith("_")
    return "" if is_start == is_end else "start" if is_start else "end"
