"""Plain words: a typed text brought into the form that patterns are written for, and the language that files are in.

Owns the spelling of chat ("dont", curly quotes) and the guess which language most of some texts is in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from memsuggest.core.text.stop_words import ASKING_WORDS, STOP_WORDS

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00b4": "'", "\u201c": '"', "\u201d": '"'})

_UNSPELT = {
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "isnt": "isn't",
    "arent": "aren't",
    "wasnt": "wasn't",
    "shouldnt": "shouldn't",
    "wouldnt": "wouldn't",
    "couldnt": "couldn't",
    "mustnt": "mustn't",
    "cant": "can't",
    "wont": "won't",
    "havent": "haven't",
    "hasnt": "hasn't",
    "lets": "let's",
    "thats": "that's",
    "theres": "there's",
    "whats": "what's",
    "youre": "you're",
    "theyre": "they're",
    "ive": "i've",
    "pls": "please",
    "plz": "please",
    "u": "you",
    "bc": "because",
    "cuz": "because",
    "rn": "right now",
    "mb": "maybe",
}
_BARE = r"(?<![\w'/.-])(" + "|".join(_UNSPELT) + r")(?![\w'/-])"

_DENSE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""Scripts that part no words by spaces."""
_SAMPLE = 2000  # characters of a file that are looked at
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Lower-case words with straight quotes and whole contractions: "Dont mock" becomes "don't mock"."""
    lowered = " ".join(text.translate(_QUOTES).lower().split())
    return re.sub(_BARE, lambda found: _UNSPELT[found.group()], lowered)


def has_words(text: str, words: str) -> bool:
    """Tell whether a text has some words as they stand, and not within others; anywhere in a script without spaces.

    >>> has_words("the team agreed", "tea"), has_words("Drink tea.", "tea")
    (False, True)
    """
    if _DENSE.search(words):
        return words in text
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def main_language(texts: Iterable[str]) -> str:
    """Return the language that most of some files are written in; English when in doubt."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(text[:_SAMPLE].lower().split())
    shares = {language: sum(seen[word] for word in words) for language, words in STOP_WORDS.items()}
    best = max(shares, key=lambda language: shares[language])
    return best if shares[best] > 2 * shares["en"] else "en"


def word_set(words: str) -> frozenset[str]:
    """Read a table of words."""
    return frozenset(words.split())


def word_list(text: str) -> list[str]:
    """The words of a text, without numbers and punctuation."""
    return _WORD.findall(text)


_STEM = 6  # letters; a stemmer would need to know the language
_NAMES = re.compile(r"[\w-]*[\d_][\w-]*")
_DENSE_PAIRS = re.compile(r"[\u4e00-\u9fff\u30a0-\u30ff]{2}")
_EMPTY = frozenset(word for table in (STOP_WORDS, ASKING_WORDS) for words in table.values() for word in words)


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that carry a subject, in lower case.

    >>> sorted(content_words("the migrations of the app"))
    ['app', 'migrat']
    """
    words = {word for word in word_list(text.lower()) if word not in _EMPTY and len(word) > 2}
    return frozenset({word[:_STEM] for word in words}.union(_NAMES.findall(text), _DENSE_PAIRS.findall(text)))
