"""Likeness of two rules by their words alone, and the small words that turn one into its opposite. Pure.

Plain on purpose. Two rules have the same words when nothing but endings, articles, courtesy and slips of the pen part
them; a negation, a number, a path, a name or any other word that only one of them has keeps them apart.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz

from memsuggest.text.stems import stem
from memsuggest.text.words import plain, word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

_TOKEN = re.compile(r"`(?P<code>[^`\n]+)`|(?P<word>(?:--?|[.@$#])?[^\W_](?:[\w@/\\:.+#'’*-]*[\w/+#*])?)")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\([^()\s]{0,500}\)")
_IS_NAME = re.compile(r"[/\\_@:.#$+*]|[a-z][A-Z]|^[A-Z]{2,}$|\d\D|\D\d|^--?\w", re.ASCII)
_IS_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NOT = "not"
_NEGATORS = word_set(
    "not no never don't doesn't mustn't shouldn't can't cannot won't isn't aren't without avoid nie niemals nicht kein"
    " keine keinen keiner ohne vermeide jamais pas sans nunca jamás sin nunca não sem mai non senza geen niet nooit"
)
_LIGHT = word_set(
    "a an the of and or we you i our your my it its this that these those is are be been has have must should shall"
    " please always"
    " ever use uses using make sure ensure do does also just really there here all every each any both der die das ein"
    " eine einen und oder wir du ist sind bitte immer muss müssen soll sollen le la les un une des et ou nous toujours"
    " el los las una y siempre o os as e sempre us let let's as well too then"
)
"""Words that two wordings of one rule may differ in."""
_ORDERING = word_set(
    "before after until instead over than from to into unless except rather vor nach statt avant après antes después"
)
"""Words around which the order of the others says what is meant."""
_DIGITS = "zero one two three four five six seven eight nine"
_NUMBERS = {word: str(number) for number, word in enumerate(_DIGITS.split())}
_CHOOSING = word_set("use using prefer choose pick take with via")
"""Words after which one thing is chosen out of several."""
_MANY_AT_ONCE = word_set("run execute call check read see start open import test build mock add document follow visit")
"""Verbs of orders that do not exclude each other: one may run this and that."""
_FEWEST = 2
"""Words from which on a rule is known again."""
_TYPO_LENGTH, _TYPO_RATIO = 6, 85.0


class _Word(NamedTuple):
    key: str
    """Its stem; a name as it is."""
    is_name: bool
    follows: str
    """The word before it, whatever that is."""


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[_Word, ...]:
    """Return the words that say what a rule is, in order; every negation is one word."""
    found: list[_Word] = []
    before = ""
    for match in _TOKEN.finditer(_LINK.sub(r"\1", text).replace("*", " ").replace("’", "'")):
        for token in (match["code"] or match["word"]).split():
            found += _read(token, is_code=match["code"] is not None, before=before)
            before = token.lower()
    return tuple(found)


def _read(token: str, *, is_code: bool, before: str) -> Iterable[_Word]:
    word = plain(token)
    if not is_code and word in _NEGATORS:
        return [_Word(_NOT, is_name=False, follows=before)]
    if not is_code and (word in _LIGHT or (len(word) < 2 and not word.isdigit())):
        return []
    word = _NUMBERS.get(word, word)
    is_name = is_code or _IS_NAME.search(token) is not None
    return [_Word(word if is_name or not word.isalpha() else stem(word), is_name, before)]


def keys_of(text: str) -> frozenset[str]:
    """Return the words by which a rule can be looked up."""
    return frozenset(one.key for one in _words(text)) - {_NOT}


def likeness(a: str, b: str) -> float:
    """Say how many of their words two rules share, 0 to 1; that they mean the same is not said by that."""
    first, second = (Counter(one.key for one in _words(text)) for text in (a, b))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


def same_words(a: str, b: str) -> bool:
    """Tell whether two rules have nearly the same words, and no other negation, number, path or name.

    >>> same_words("Please always run the tests before you push.", "Run tests before pushing")
    True
    >>> same_words("Use tabs", "Never use tabs"), same_words("Retry 3 times", "Retry 5 times")
    (False, False)
    """
    first, second = _words(a), _words(b)
    if not first or not second:
        return False
    if len(first) != len(second):
        return False
    if all(map(_is_same, first, second)):
        return True
    keys = [one.key for one in first], [one.key for one in second]
    is_order_free = _ORDERING.isdisjoint(_said(a)) and _ORDERING.isdisjoint(_said(b)) and _NOT not in keys[0]
    return is_order_free and len(first) >= _FEWEST and Counter(keys[0]) == Counter(keys[1])


def _is_same(one: _Word, other: _Word) -> bool:
    """Tell whether two words are one, perhaps mistyped; a name and a number are never a slip of the pen."""
    if one.key == other.key:
        return True
    if one.is_name or other.is_name or not (one.key.isalpha() and other.key.isalpha()):
        return False
    is_long = min(len(one.key), len(other.key)) >= _TYPO_LENGTH and one.key[0] == other.key[0]
    return is_long and fuzz.ratio(one.key, other.key) >= _TYPO_RATIO


def opposed(a: str, b: str) -> str:
    """Say why two rules of the same words cannot both hold; empty where that is not plain.

    >>> opposed("Use tabs for indentation", "Never use tabs for indentation")
    'one forbids what the other asks for'
    >>> opposed("Lines have at most 80 characters", "Lines have at most 100 characters")
    '80 is not 100'
    """
    first, second = _words(a), _words(b)
    one, other = ([word for word in words if word.key != _NOT] for words in (first, second))
    if len(one) != len(other) or len(one) < 1:
        return ""
    refusals = len(first) - len(one), len(second) - len(other)
    apart = [(left, right) for left, right in zip(one, other, strict=True) if not _is_same(left, right)]
    if not apart:
        is_turned = 0 in refusals and sum(refusals) == 1
        return "one forbids what the other asks for" if is_turned else ""
    if refusals[0] != refusals[1] or len(apart) > 1 or len(one) < _FEWEST:
        return ""
    left, right = apart[0]
    if _IS_NUMBER.fullmatch(left.key) and _IS_NUMBER.fullmatch(right.key):
        return f"{left.key} is not {right.key}"
    return (
        f"“{left.key}” is not “{right.key}”"
        if _is_choice(left, right, refusals=refusals[0], begins_with=a.split(maxsplit=1)[0].lower())
        else ""
    )


def _is_choice(left: _Word, right: _Word, *, refusals: int, begins_with: str) -> bool:
    """Tell whether two words are two choices of one thing: forbidding both, or running both, is no contradiction."""
    if refusals or begins_with in _MANY_AT_ONCE:
        return False
    return (left.is_name and right.is_name) or (left.follows in _CHOOSING and right.follows in _CHOOSING)


def _said(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())
