"""Plain words: a typed text brought into the form that the rules' patterns are written for.

Owns the spelling of chat ("dont", curly quotes) and the guess which language a sentence is in. Knows no rule.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

LANGUAGES = ("en", "de", "fr", "es", "pt", "ja", "zh")

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
_BARE = re.compile(r"(?<![\w'/.-])(" + "|".join(_UNSPELT) + r")(?![\w'/-])")

_FUNCTION_WORDS = {
    "en": "the a an and of to in is are it that this for not with you we i on be should when if or do "
    "don't use have can was please let's never always must from",
    "de": "der die das und ist nicht wir ich ein eine mit bitte für auf den dem zu im auch sind sollte immer nie "
    "kein keine mehr wenn statt nur soll muss du doch es vor nach",
    "fr": "le la les un une des et est pas nous je il pour dans avec que qui ne sur du au toujours jamais "
    "s'il faut tu vous ce cette doit",
    "es": "el la los las un una y es no nosotros yo que con para por en del siempre nunca usa debe cuando se lo "
    "hay favor esto esta al",
    "pt": "o a os as um uma e é não nós eu que com para por em do da no na sempre nunca use deve quando se "
    "antes esta este você vamos os isso pra pro pela pelo sua seu suas seus são também já só",
}
_LANGUAGES_OF: dict[str, tuple[str, ...]] = {}
for _language, _words in _FUNCTION_WORDS.items():
    for _word in _words.split():
        _LANGUAGES_OF[_word] = (*_LANGUAGES_OF.get(_word, ()), _language)

_SURE = 3  # function words from which a text is taken to be in another language than English
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Lower-case words with straight quotes and whole contractions: "Dont mock" becomes "don't mock"."""
    lowered = " ".join(text.translate(_QUOTES).lower().split())
    return _BARE.sub(lambda found: _UNSPELT[found.group()], lowered)


@lru_cache(maxsize=4096)
def languages_of(text: str) -> tuple[str, ...]:
    """The languages a plain text may be in: the likeliest ones, or all where nothing tells.

    >>> languages_of("wir nutzen hier pnpm und nicht mehr npm")
    ('de',)
    """
    if _KANA.search(text):
        return ("ja",)
    if _HAN.search(text):
        return ("zh", "ja")
    votes = Counter(language for word in _WORD.findall(text) for language in _LANGUAGES_OF.get(word, ()))
    if not votes:
        return LANGUAGES
    most = max(votes.values())
    likely = tuple(language for language in LANGUAGES if votes[language] == most)
    is_settled = "en" in likely or (most >= _SURE and votes["en"] * 2 < most)
    return likely if is_settled else (*likely, "en")


def word_list(text: str) -> list[str]:
    """The words of a text, without numbers and punctuation."""
    return _WORD.findall(text)
