"""Likeness of two rules by their words alone: nearly the same words, and the same words but for what turns them. Pure.

Nothing here knows what words mean. What differs by a negation, a number, a path or a name is never the same; when
that is all that differs, the two are opposed. In doubt they are neither.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from memsuggest.core.text import small_words as table
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import ASKING_WORDS, STOP_WORDS, plain

_LONGEST = 2000  # characters of a text that is compared
_SLIP = 6  # letters from which a slip of the pen can be told from another word
_TOKEN = re.compile(r"`[^`\n]+`|--?[a-z][\w-]*|[@#$]?[^\W_](?:[\w'+#-]|[./:@](?=[\w*]))*[+#%]?|[./~]+[\w*][\w./*-]*")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\([^()\s]{0,500}\)")
_CODE = re.compile(r"^[`@#$./~-]|[_/\\:@*+#]|\w\.\w|[a-z][A-Z]")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"v?(\d[\d.,]*)([^\W\d]{0,12}|%)")


class _Token(NamedTuple):
    word: str
    form: str  # its stem; of a number or name, itself
    is_name: bool
    is_code: bool
    is_number: bool
    is_chosen: bool  # it stands where one thing is chosen among others


class _Words(NamedTuple):
    tokens: tuple[_Token, ...]
    signs: tuple[str, ...]  # for each negation the word that it stands at
    limits: tuple[str, ...]
    is_ordered: bool
    rejected: frozenset[str]  # what stands behind "instead of"

    @property
    def forms(self) -> list[str]:
        return [token.form for token in self.tokens]


class Details(NamedTuple):
    """Words of a rule that count as they are."""

    exact: frozenset[str]  # numbers, and names in code or of alternatives
    limits: frozenset[str]
    negated: frozenset[str]


def likeness(a: str, b: str) -> float:
    """Return the share of their words that two rules have in common, 0 to 1.

    >>> likeness("Always run the linter", "run linters, please"), likeness("Use tabs", "Write tests")
    (1.0, 0.0)
    """
    first, second = _read(a), _read(b)
    total = len(first.tokens) + len(second.tokens)
    left, right = _unmatched(first.tokens, second.tokens)
    return 1 - (len(left) + len(right)) / total if first.tokens and second.tokens else 0.0


def same_words(a: str, b: str) -> bool:
    """Tell whether two rules are nearly the same words, with no other negation, limit, number, path, code or name.

    >>> same_words("Please always run the linter", "Run the linters"), same_words("Use mocks", "Never use mocks")
    (True, False)
    """
    if max(len(a), len(b)) > _LONGEST:
        return a == b
    first, second = _read(a), _read(b)
    if any(_unmatched(first.tokens, second.tokens)) or (first.signs, first.limits) != (second.signs, second.limits):
        return False
    # Names come in the same order, and all words where a link stands between them.
    ordered = {*_names(first), *_names(second)}  # one of them may have no marks of code
    if first.is_ordered or second.is_ordered:
        ordered = set(first.forms) & set(second.forms)
    orders = [[form for form in words.forms if form in ordered] for words in (first, second)]
    return bool(first.tokens) and first.rejected == second.rejected and orders[0] == orders[1]


@lru_cache(maxsize=1 << 14)
def keys_of(text: str) -> frozenset[str]:
    """Return the words by which a rule can be looked up, and the groups of alternatives that it names one of."""
    _, _, language, words = _plainly(text)
    groups, light = _groups(), _light_words(language)
    forms = {
        _form(word, language)
        for word in words
        if word not in light and word not in table.LIMITS and not _is_negation(word)
    }
    return frozenset(forms.union(f"group {groups[form]}" for form in forms & groups.keys()))


def words_of(text: str) -> list[str]:
    """Return the words that a rule is about, as stems, in their order."""
    return _read(text).forms


def details_of(text: str) -> Details:
    """Return what other wordings of a rule keep."""
    words = _read(text)
    exact = {token.form for token in words.tokens if token.is_code or token.is_number or token.form in _groups()}
    return Details(frozenset(exact), frozenset(words.limits), frozenset(words.signs))


def negations(text: str) -> int:
    """Count the words that turn a rule round: "not", "never", "without"."""
    return len(_read(text).signs)


def opposed(a: str, b: str) -> str:
    """Return what turns one of two rules against the other, if that is all that differs; else nothing.

    >>> opposed("use npm", "use pnpm"), opposed("keep logs 48h", "keep logs 72h"), opposed("use npm", "use docker")
    ('“npm” conflicts with “pnpm”', '48h conflicts with 72h', '')
    """
    first, second = _read(a), _read(b)
    if not first.tokens or not second.tokens or first.limits != second.limits:
        return ""
    if Counter(first.forms) == Counter(second.forms):
        if len(first.signs) % 2 != len(second.signs) % 2:
            return "one rule forbids what the other requires"
        if first.rejected and second.rejected and first.rejected != second.rejected:
            return "the rules contradict each other"
        if not first.signs or not second.signs or first.signs == second.signs:
            return ""
        (mine, *_), (its, *_), own, others = first.signs, second.signs, first.forms, second.forms
        is_contrast = own.index(its) < own.index(mine) and others.index(mine) < others.index(its)
        return "the rules contradict each other" if _names(first) != _names(second) or is_contrast else ""
    mains = [[form for form in words.forms if form not in words.rejected] for words in (first, second)]
    signs = [[form for form in words.signs if form not in words.rejected] for words in (first, second)]
    if Counter(mains[0]) == Counter(mains[1]) and len(signs[0]) % 2 != len(signs[1]) % 2:
        return "one rule forbids what the other requires"
    if _is_rejected(first, second) or _is_rejected(second, first):
        return "one rule rejects what the other requires"
    slots = [pair for pair in zip(first.tokens, second.tokens, strict=False) if pair[0].form != pair[1].form]
    if len(slots) != 1 or len(first.tokens) != len(second.tokens):
        return ""
    left, right = slots[0]
    are_bare = left.is_number and right.is_number
    why = f"{left.word} conflicts with {right.word}" if are_bare else f"“{left.word}” conflicts with “{right.word}”"
    units = {match[2] if (match := _NUMBER.fullmatch(token.form)) else None for token in (left, right)}
    is_other = are_bare and len(first.tokens) > 1 and len(units) == 1
    groups = [_groups().get(token.form) for token in slots[0]]
    if not first.signs and any(groups):
        is_other = is_other or groups[0] == groups[1]
    elif not first.signs:  # two names are chosen for one thing, and are not two files to work on
        is_path = any("/" in token.form or "*" in token.form for token in slots[0])
        are_names = all(token.is_name and token.is_chosen for token in slots[0])
        is_last = left is first.tokens[-1]
        is_other = is_other or (are_names and len(first.tokens) > 1 and (is_last or not is_path))
    return why if is_other and first.signs == second.signs else ""


def _is_rejected(first: _Words, second: _Words) -> bool:
    """Tell whether the first takes something instead of what the second asks for, and they share all else."""
    rest = set(second.forms) - first.rejected
    is_left = bool(first.rejected) and first.rejected < set(first.forms)
    return is_left and not second.signs and first.rejected <= set(second.forms) and rest <= set(first.forms)


@cache
def _groups() -> dict[str, int]:
    return {word: number for number, group in enumerate(table.ALTERNATIVES, 1) for word in group.split()}


@cache
def _digits() -> dict[str, str]:
    return {word: str(number) for words in table.DIGITS for number, word in enumerate(words.split(), 1)}


def _names(words: _Words) -> list[str]:
    return [token.form for token in words.tokens if token.is_code or token.form in _groups()]


def _unmatched(first: Sequence[_Token], second: Sequence[_Token]) -> tuple[list[_Token], list[_Token]]:
    """Return the words that only one of the two has; a slip of the pen counts as the word that was meant."""
    left, right = list(first), list(second)
    for token in first:
        match = next((other for other in right if other.form == token.form), None)
        match = match or next((other for other in right if _is_slip(token, other)), None)
        if match:
            left.remove(token)
            right.remove(match)
    return left, right


def _is_slip(left: _Token, right: _Token) -> bool:
    if left.is_code or right.is_code or left.is_number or right.is_number or left.word[0] != right.word[0]:
        return False
    is_exchange = len(left.word) == len(right.word) and Counter(left.word) != Counter(right.word)
    return (
        not is_exchange and min(len(left.word), len(right.word)) >= _SLIP and OSA.distance(left.word, right.word) == 1
    )


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> _Words:
    written, lowered, language, words = _plainly(text)
    light = _light_words(language)
    written_as = {found.lower().strip("`"): found for found in _TOKEN.findall(written)[1:]}
    tokens, signs, limits = list[_Token](), list[int](), list[str]()
    for place, word in enumerate(words):
        if _is_negation(word):
            signs.append(len(tokens))
        elif word in table.LIMITS:
            limits.append(word)
        elif word not in light:
            before, behind_it = words[max(0, place - 1)], words[min(len(words) - 1, place + 1)]
            is_chosen = before in table.CHOOSING or behind_it in table.CHOSEN_BEFORE
            tokens.append(_Token(word, *_traits(word, written_as.get(word, word), language), is_chosen))
    rejected = re.split(table.REJECTING, lowered, maxsplit=1)[1:]
    behind = {
        _form(word.strip("`"), language)
        for part in rejected
        for word in _TOKEN.findall(re.split(r"[,;:!?]|\.(?:\s|$)", part)[0])
    }
    is_contrast = tokens and behind and tokens[0].form not in behind
    return _Words(
        tokens=tuple(tokens),
        signs=tuple(sorted({tokens[min(at, len(tokens) - 1)].form for at in signs if tokens})),
        limits=tuple(sorted(limits)),
        is_ordered=not table.LINKS.isdisjoint(words),
        rejected=frozenset(behind & {token.form for token in tokens}) if is_contrast else frozenset(),
    )


def _plainly(text: str) -> tuple[str, str, str, list[str]]:
    """Return a rule as written, in lower case with its turns taken back, its language, and its words."""
    text = _LINK.sub(r"\1", text[:_LONGEST]).replace("**", " ")
    written = " ".join(text.replace("\u2019", "'").replace("\u2018", "'").split())
    lowered = plain(written)
    for needed, pattern, instead in _turns():
        if any(word in lowered for word in needed):
            lowered = pattern.sub(instead, lowered)
    seen = set(lowered.split())
    counts = {language: len(seen & small) for language, small in _small_words().items()}
    language = max(counts, key=lambda language: (counts[language], language == "en"))  # that of most small words
    return written, lowered, language, [found.strip("`") for found in _TOKEN.findall(lowered)]


def _is_negation(word: str) -> bool:
    return word in table.NEGATIONS or word.endswith("n't")


@cache
def _small_words() -> dict[str, frozenset[str]]:
    return {language: words | ASKING_WORDS.get(language, frozenset()) for language, words in STOP_WORDS.items()}


@cache
def _light_words(language: str) -> frozenset[str]:
    return _small_words()[language] | _small_words()["en"] | table.LIGHT | {"ne"} | (table.LINKS - table.LIMITS)


@cache
def _turns() -> list[tuple[tuple[str, ...], re.Pattern[str], str]]:
    return [(needed, re.compile(pattern), instead) for needed, pattern, instead in table.TURNS]


@lru_cache(maxsize=1 << 16)
def _traits(word: str, written: str, language: str) -> tuple[str, bool, bool, bool]:
    """Return a word's form, and whether it is a name, code, a number; a text's words come again and again."""
    form = _form(word, language)
    is_number = _NUMBER.fullmatch(form) is not None
    is_code = _CODE.search(written) is not None or _DIGIT.search(word) is not None
    is_name = is_code or written[:1].isupper()
    return form, is_name and not is_number, is_code and not is_number, is_number


@lru_cache(maxsize=1 << 16)
def _form(word: str, language: str) -> str:
    if word in _digits() and word not in STOP_WORDS[language]:
        return _digits()[word]
    is_kept = _CODE.search(word) or word in _groups() or not word.replace("-", "").isalpha()
    return word if is_kept else stem(table.PAST.get(word, word), language)
