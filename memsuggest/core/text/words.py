"""Plain words: a typed text brought into the form that patterns are written for, and the language that files are in.

Owns the spelling of chat ("dont", curly quotes) and the guess which language most of some texts is in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

# Tables of words and expressions, in text files beside the code that reads them, read when first needed.


@cache
def sections_of(package: str, table: str) -> dict[str, str]:
    """Return the sections of a table by their names: what follows a line such as `[name]`."""
    from importlib.resources import files

    text = files(package).joinpath(f"{table}.txt").read_text(encoding="utf-8")
    parts = (section.partition("]\n") for section in re.split(r"^\[", text, flags=re.MULTILINE)[1:])
    return {name: content for name, _, content in parts}


@cache
def form(package: str, table: str, name: str) -> re.Pattern[str]:
    """Compile a section that is one regular expression, written with `re.VERBOSE`."""
    return re.compile(sections_of(package, table)[name].strip(), re.VERBOSE)


def word_set(words: str) -> frozenset[str]:
    """Read a table of words."""
    return frozenset(words.split())


# Words that say nothing about a text's subject, by language: one table for every room that leaves them out

STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a an the and or but of to in on for with by from as at is are was were be been it its this that these"
        " those not no do does don you your we our they their if then else when which who what how all any each can may"
        " must will should use using used so than there here into also only just other",
        "de": "der die das und oder nicht ist sind mit für auf ein eine einen wir sie werden wird von zu dem den im",
        "fr": "le la les un une des et ou ne pas est sont avec pour dans sur nous vous du au aux ce cette que qui",
        "es": "el la los las un una y o no es son con para en de del por que se al como lo su sus",
        "pt": "o a os as um uma e ou não é são com para em de do da dos das por que se ao no na",
        "it": "il lo la i gli le un una e o non è sono con per in di del della che si al come",
        "nl": "de het een en of niet is zijn met voor op van te dat wij we bij als",
        "sv": "en ett och eller inte är med för på av att som vi den det de till",
        "ru": "и или не в на с для по что как это мы из к от за",
    }.items()
}
"""Articles, conjunctions, prepositions, pronouns and the commonest verbs: found in any text of the language."""

ASKING_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "i please let's always never have don't",
        "de": "ich du es man bitte auch doch immer nie kein keine mehr muss nach nur soll sollte so statt vor wenn",
        "fr": "je tu il toujours jamais faut doit s'il",
        "es": "yo nosotros siempre nunca usa debe cuando hay favor esta esto",
        "pt": "eu nós você vamos sempre nunca use deve quando antes esta este isso pra pro pela pelo sua seu suas seus"
        " também já só está estão",
    }.items()
}
"""What people use beside them when they ask for something."""


_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00b4": "'", "\u201c": '"', "\u201d": '"'})

_UNSPELT = dict(
    pair.replace("_", " ").split("=")
    for pair in word_set(
        "dont=don't doesnt=doesn't didnt=didn't isnt=isn't arent=aren't wasnt=wasn't shouldnt=shouldn't"
        " wouldnt=wouldn't couldnt=couldn't mustnt=mustn't cant=can't wont=won't havent=haven't hasnt=hasn't"
        " lets=let's thats=that's theres=there's whats=what's youre=you're theyre=they're ive=i've pls=please"
        " plz=please u=you bc=because cuz=because rn=right_now mb=maybe"
    )
)
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
