"""Spelling: words that are probably typing errors of English words.

Owns the table of ordinary English (`english.txt`, made by `tests/quality/english_words.py`) and the endings by which
its words are found. A word that is not in the table is an error only where one slip of the fingers makes a word of it:
names of tools and of things in a repo are in no table, and are seldom so near to an ordinary word.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from memsuggest.text.verbs import VERBS
from memsuggest.text.words import main_language, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CODE = re.compile(r"`[^`\n]*`|https?://\S+|\S*[/\\@_{}<>=#$]\S*|\w+\.\w\S*|\w*\d\w*|\b\w*[A-Z]\w*")
"""What is no word of a language, but code, an address, or a name."""
_WORD = re.compile(r"(?<![\w'-])[a-z]+(?![\w'-])")
_ENDINGS = (
    *(
        (ending, "")
        for ending in ("s", "es", "d", "ed", "r", "er", "st", "est", "ing", "ly", "ness", "able", "less", "ment")
    ),
    *((ending, "y") for ending in ("ies", "ied", "ier", "ily")),
    *((ending, "e") for ending in ("ing", "able", "ion", "or")),
    *((2 * letter + ending, letter) for letter in "bdglmnprt" for ending in ("ing", "ed", "er", "able")),
    ("ability", "able"),
    ("abilities", "able"),
)
"""How a word ends, and how the word of the table ends that it is made from."""
_BEGINNINGS = ("re", "un", "non", "pre", "sub", "auto", "multi")
_BRITISH = (
    ("our", "or"),
    ("ise", "ize"),
    ("isi", "izi"),
    ("isa", "iza"),
    ("yse", "yze"),
    ("lled", "led"),
    ("lling", "ling"),
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONG = re.compile(r"(?<![\w'-])[^\W\d_]{5,}(?![\w'-])")
"""A word that may be an error; among shorter ones too many are names."""
_JOINED = re.compile(r"[a-z]{2}(?:You|We|The|This|That|It|And|But)\b|[^\W\d_][~\u00b4^\u00a8][^\W\d_]")
"""Two sentences without a space between them, or an accent beside its letter."""
_USUAL = 2  # times from which a word is one of the place
_BASE = 3  # letters that an ending leaves at least
_MOSTLY = 0.6  # share of its words that a text in English has in the table


def misspelt(text: str, said: Mapping[str, int]) -> str:
    """Return the first word of a text that is probably an error; `said` counts the words of the place.

    >>> misspelt("never log importnat headers in zustand", {})
    'importnat'
    >>> misspelt("primero planejdar", {"planejar": 3})
    'planejdar'
    """
    if joined := _JOINED.search(text):
        return joined.group()
    words = _LONG.findall(_CODE.sub(" ", text[:1].lower() + text[1:]))
    rare = [word for word in words if said.get(word, 0) < _USUAL and not is_word(word)]
    often = [word for word, times in said.items() if times > _USUAL]
    if is_english(text):
        return next((word for word in rare if _is_near_a_word(word)), "")
    return next((word for word in rare if any(_is_slip(word, other) for other in often)), "")


def _is_slip(word: str, other: str) -> bool:
    """Whether two words differ by one letter in their middle, where no ending changes what they mean."""
    ends = (word[:1], word[-2:]) == (other[:1], other[-2:])
    return ends and abs(len(word) - len(other)) < _USUAL and OSA.distance(word, other, score_cutoff=1) == 1


def is_english(text: str) -> bool:
    """Whether most words of a text are English.

    >>> is_english("use tabs in new files"), is_english("usa siempre tabuladores")
    (True, False)
    """
    if sum(letter.isalpha() and not letter.isascii() for letter in text) > len(text) // 10:
        return False
    words = _WORD.findall(plain(_CODE.sub(" ", text)))
    if main_language([text]) != "en":
        return False
    return sum(map(is_word, words)) >= _MOSTLY * len(words) if words else text.isascii()


def is_word(word: str) -> bool:
    """Whether a word is in the table as it stands, without its ending or its beginning, or as it is spelt in America.

    >>> is_word("unmounting"), is_word("behaviours"), is_word("adminisrator")
    (True, True, False)
    """
    spelt = {word, *(word.replace(*pair) for pair in _BRITISH)}
    spelt |= {one.removeprefix(beginning) for one in spelt for beginning in _BEGINNINGS}
    return any(map(_is_listed, spelt)) or any(_is_listed(base) for one in spelt for base in bases(one))


def bases(word: str) -> Iterator[str]:
    """Yield what a word may have been made from by an ending."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _BASE:
            yield word[: -len(ending)] + instead


def _is_listed(word: str) -> bool:
    return word in _table() or any(base in _table() for base in bases(word))


def _is_near_a_word(word: str) -> bool:
    """Whether one letter more or less, another letter, or two of them changed over make a word."""
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    near = {ahead + rest[1:] for ahead, rest in parts if rest}
    near |= {ahead + rest[1] + rest[0] + rest[2:] for ahead, rest in parts if len(rest) > 1}
    near |= {ahead + letter + rest[cut:] for ahead, rest in parts for letter in _LETTERS for cut in (0, 1)}
    return any(map(_is_listed, near))


@cache
def _table() -> frozenset[str]:
    """Read the table when the first rule is to be suggested."""
    lines = files(__package__).joinpath("english.txt").read_text(encoding="utf-8").splitlines()
    return VERBS.union(word for line in lines if not line.startswith("#") for word in line.split())
