"""What a rule fixes and to which value: how function names begin, in which case, which decorator methods carry.

Pure. Two rules that fix the same thing to different values cannot both hold, however differently they are worded. Reads
only what is plain: names of parts of code, and what stands in the text as code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.memory.stems import stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LENGTH_LIMIT = 600
"""Characters of a rule that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a rule fixes."""

    subject: str
    """The part of code: `function`, `variable`, `test file`; empty where the rule does not say."""
    aspect: str
    """What about it: `start`, `end`, `case`, `decorator`, `import`."""
    value: str
    narrowed: frozenset[str] = frozenset()
    """Stems of what narrows the subject down: "private", "that talk to the network"."""


_PARTS = {
    "argument": r"(?:(?:function|method|constructor)s?'? )?(?:arguments?|parameters?|args?|params?)",
    "class variable": r"class variables?",
    "instance variable": r"instance variables?",
    "attribute": r"(?:(?:class|instance|object)(?:es)? )?(?:attributes?|fields?|propert(?:y|ies))",
    "test method": r"test methods?",
    "test class": r"test class(?:es)?",
    "test file": r"test files?|tests? modules?",
    "test": r"(?:unit )?tests?(?: (?:cases?|functions?))?",
    "method": r"(?:class |instance )?methods?",
    "function": r"functions?",
    "constant": r"constants?",
    "variable": r"variables?",
    "exception": r"(?:exception|error) class(?:es)?|exceptions?",
    "class": r"class(?:es)?",
    "file": r"files?",
    "module": r"modules?",
    "package": r"packages?",
    "branch": r"branch(?:es)?",
    "commit": r"commit messages?|commits?",
    "table": r"tables?",
    "column": r"columns?",
    "enum": r"enums?",
    "interface": r"interfaces?",
    "component": r"components?",
    "hook": r"hooks?",
    "endpoint": r"endpoints?|routes?",
}
_NAMES = tuple(_PARTS)
_PART = re.compile("|".join(rf"(?P<p{number}>\b(?:{part})\b)" for number, part in enumerate(_PARTS.values())))
_NAMED_PART = re.compile(
    r"\b(?:names? (?:(?:of|for|in|your|our|the|all|each|every|new|any) ){0,3}|call (?:(?:your|our|the|all|new) ){0,2}"
    r"|prefix(?:es)? (?:(?:of|for|your|our|the|all|each) ){0,3}|suffix(?:es)? (?:(?:of|for|your|our|the|all"
    r"|each) ){0,3})$"
)
"""What stands right before the part whose names are meant."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUALIFIERS = frozenset(
    stem_of(word)
    for word in _words(
        "private public protected internal external async asynchronous static abstract helper local global boolean"
        " integer string list dict float temporary loop nested recursive generic base mock fixture integration api"
        " database view"
    )
)
"""What makes a part of code one of a kind, right before its name."""
_THAT = re.compile(r" (?:names? )?(?:that|which|who|whose|returning|holding|containing) (?P<what>[^,.;:]{3,60})")
_RULING = re.compile(r"\b(?:should|must|needs?|have|has|starts?|begins?|ends?|carry|carries|are|is|gets?|always)\b")

_TOKEN = re.compile(
    r"['\"\u2018\u201c`](?P<quoted>[@\w.#/:-]{1,32})['\"\u2019\u201d`](?!\w)|(?<![\w@])(?P<at>@[A-Za-z_][\w.]{0,40})"
    r"|(?<!\w)(?P<affix>_\w{1,20}|\w{1,20}_)(?!\w)|(?P<word>[\w'/.-]*[\w])|(?P<stop>[.;:!?])"
)
_STARTS = _words(
    "start starts starting begin begins beginning prefix prefixed prefixes front before precede preceded leading"
)
_ENDS = _words("end ends ending endings suffix suffixed suffixes finish finishing append appended trailing")
_NAMING = _words("name names named naming call calls called")
_NO = _words("instead rather longer not more from than over replaces replacing was drop")
_OUT = _words("out gone history")
_TALK = frozenset(
    stem_of(word)
    for word in _words(
        "start begin starting beginning end ending prefix suffix front name names letter character sign word new define"
        " create add write declare make give carry have introduce code case style form always each"
    )
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
def claims_of(text: str) -> tuple[Claim, ...]:
    """Return what a rule fixes; nothing where it is not plain."""
    said = text[:LENGTH_LIMIT]
    return tuple(dict.fromkeys((*_marked(said), *_cased(said))))


@lru_cache(maxsize=4096)
def no_longer(text: str) -> frozenset[str]:
    """Return the values that a rule names only to say that they hold no more: "no longer `x_`"."""
    tokens = list(_TOKEN.finditer(text[:LENGTH_LIMIT]))
    return frozenset(
        _value(token).lower()
        for place, token in enumerate(tokens)
        if _is_value(tokens, place) and _is_out(tokens, place)
    )


def is_same_thing(one: Claim, other: Claim, *, loosely: bool = False) -> bool:
    """Whether two claims are about the same thing; loosely, one of them may leave out what it is about."""
    if one.aspect != other.aspect:
        return False
    if one.subject == other.subject and one.narrowed == other.narrowed:
        return bool(one.subject) or loosely
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
    tokens = list(_TOKEN.finditer(said))
    for place, token in enumerate(tokens):
        if not _is_value(tokens, place) or _is_out(tokens, place):
            continue
        aspect = _aspect(tokens, place)
        if aspect:
            subject, narrowed = _subject(said, token.start())
            yield Claim(subject=subject, aspect=aspect, value=_value(token).lower(), narrowed=narrowed)


def _cased(said: str) -> Iterator[Claim]:
    lowered = said.lower()
    for pattern, value in _CASES:
        for found in pattern.finditer(lowered):
            before = list(_TOKEN.finditer(said[: found.start()]))[-4:]
            if not any(_word(token) in _NO for token in before):
                subject, narrowed = _subject(said, found.start())
                yield Claim(subject=subject, aspect="case", value=value, narrowed=narrowed)
                break


def _word(token: re.Match[str]) -> str:
    return (token["word"] or "").lower()


def _value(token: re.Match[str]) -> str:
    return (token["quoted"] or token["at"] or token["affix"] or token["word"] or "").removeprefix("@").rstrip(".")


def _is_value(tokens: Sequence[re.Match[str]], place: int) -> bool:
    """Whether a token stands as code, or as a capitalised word where a name's beginning or end is due."""
    token = tokens[place]
    if not token["word"]:
        return not token["stop"]
    before = [_word(one) for one in tokens[max(0, place - 2) : place]]
    is_due = len(before) == 2 and before[0] in _STARTS | _ENDS and before[1] in ("with", "in", "by")
    return is_due and token["word"][0].isupper()


def _is_out(tokens: Sequence[re.Match[str]], place: int) -> bool:
    """Whether a value is named as what does not hold."""
    for token in reversed(tokens[max(0, place - 4) : place]):
        if token["stop"] or (not token["word"]):
            break
        if _word(token) in _NO:
            return True
        if _word(token) in _STARTS | _ENDS and _word(token) != "with":
            return any(_word(one) in ("longer", "not", "stop") for one in tokens[max(0, place - 6) : place])
    behind = [_word(one) for one in tokens[place + 1 : place + 3]]
    if behind[:1] in (["was"], ["were"]):
        return True
    return len(behind) == 2 and behind[0] in ("is", "are") and behind[1] in _OUT


def _aspect(tokens: Sequence[re.Match[str]], place: int) -> str:
    if tokens[place]["at"] or (tokens[place]["quoted"] or "").startswith("@"):
        return "decorator"
    for token in reversed(tokens[max(0, place - _BACK) : place]):
        if token["stop"]:
            break
        word = _word(token)
        if word in ("import", "imports", "importing"):
            return "import"
        if word in ("decorator", "decorated"):
            return "decorator"
        if word in _STARTS | _ENDS:
            return "start" if word in _STARTS else "end"
    for token in tokens[place + 1 : place + _AHEAD]:
        if token["stop"]:
            break
        if _word(token) in _STARTS | _ENDS:
            return "start" if _word(token) in _STARTS else "end"
    return _aspect_by_form(tokens, place)


def _aspect_by_form(tokens: Sequence[re.Match[str]], place: int) -> str:
    """Tell by its underscore what a part of a name is for, where names are spoken of."""
    if not any(_word(token) in _NAMING for token in tokens):
        return ""
    value = _value(tokens[place])
    is_start, is_end = value.endswith("_"), value.startswith("_")
    return "" if is_start == is_end else "start" if is_start else "end"


def _subject(said: str, at: int) -> tuple[str, frozenset[str]]:
    """Return the part of code that a value is about: one whose name is spoken of, the last before, or the next."""
    lowered = said.lower()
    found = list(_PART.finditer(lowered))
    named = [
        part
        for part in found
        if lowered.startswith((" name", "'s name", "' name"), part.end()) or _NAMED_PART.search(lowered[: part.start()])
    ]
    before = [part for part in named or found if part.start() < at]
    clause = re.search(r"[,;.!?](?=\s|$)", lowered[at:])
    ahead = [part for part in named or found if at <= part.start() < at + (clause.start() if clause else len(said))]
    part = before[-1] if before else next(iter(ahead), None)
    if part is None:
        return "", frozenset()
    return _NAMES[int(str(part.lastgroup)[1:])], _narrowing(lowered, part)


def _narrowing(lowered: str, part: re.Match[str]) -> frozenset[str]:
    word = re.search(r"([\w-]{1,20}) $", lowered[max(0, part.start() - 24) : part.start()])
    found = {stem_of(word[1])} & _QUALIFIERS if word else set()
    behind = _THAT.match(lowered, part.end())
    if behind:
        clause = _RULING.split(behind["what"])[0]
        found |= {stem_of(one) for one in re.findall(r"[a-z]{4,}", clause)}
    return frozenset(found)
