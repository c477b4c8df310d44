"""The words of a text, ready to be compared: stemmed, identifiers cut up, common words left out. Pure.

Knows languages only as far as telling which stemmer fits a set of files; what a word is worth is counted elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import snowballstemmer

if TYPE_CHECKING:
    from collections.abc import Iterable

_TOKEN = re.compile(r"\.NET\b|[A-Za-z](?:\+\+|#(?![\w]))|[A-Za-z0-9_]+|[^\W\d_]+", re.IGNORECASE)
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SHORTEST_PART = 3
_KEPT = 1 << 16  # distinct tokens kept; a big repo's instructions have about 20,000

_SAME = {
    "c#": "csharp",
    "c++": "cpp",
    "f#": "fsharp",
    ".net": "dotnet",
    "golang": "go",
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "doc": "documentation",
    "docs": "documentation",
    "repo": "repository",
    "prs": "pr",
    "config": "configuration",
    "env": "environment",
    "deps": "dependency",
    "db": "database",
    "k8s": "kubernetes",
}
"""Short names that people use for a longer word, and file names for both."""

_COMMON = {
    "english": "a an the and or but of to in on for with by from as at is are was were be been it its this that these"
    " those not no do does don you your we our they their if then else when which who what how all any each can may"
    " must should will use using used so than there here into also only just other",
    "german": "der die das und oder nicht ist sind mit für auf ein eine einen wir sie werden wird von zu dem den im",
    "french": "le la les un une des et ou ne pas est sont avec pour dans sur nous vous du au aux ce cette que qui",
    "spanish": "el la los las un una y o no es son con para en de del por que se al como lo su sus",
    "portuguese": "o a os as um uma e ou não é são com para em de do da dos das por que se ao no na",
    "italian": "il lo la i gli le un una e o non è sono con per in di del della che si al come",
    "dutch": "de het een en of niet is zijn met voor op van te dat wij we bij als",
    "swedish": "en ett och eller inte är med för på av att som vi den det de till",
    "russian": "и или не в на с для по что как это мы из к от за",
}
"""Words too common to tell one file from another, by the stemmer that goes with them."""
_COMMON_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_EVERYWHERE = frozenset().union(*_COMMON_WORDS.values()) - {"go", "do"}


class Vocabulary:
    """Turns texts into words, for one language beside the English of identifiers."""

    def __init__(self, language: str = "english") -> None:
        self.language = language
        self._stem = lru_cache(maxsize=_KEPT)(snowballstemmer.stemmer(language).stemWord)
        self._of_token = lru_cache(maxsize=_KEPT)(self._stems)

    def words(self, text: str) -> list[str]:
        """Return the words of a text in order; an identifier gives itself and its parts."""
        of_token = self._of_token
        return [word for token in _TOKEN.findall(text) for word in of_token(token)]

    def surfaces(self, text: str) -> dict[str, str]:
        """Return for each word of a text how it is written there first."""
        found: dict[str, str] = {}
        for token in _TOKEN.findall(text):
            for word in self._of_token(token):
                found.setdefault(word, token)
        return found

    def _stems(self, token: str) -> tuple[str, ...]:
        lowered = token.lower()
        if lowered in _SAME:
            return (self._stem(_SAME[lowered]),)
        if _CJK.match(token):
            return tuple(token[place : place + 2] for place in range(max(1, len(token) - 1)))
        if lowered.isdigit():
            return (lowered,) if len(lowered) > 1 else ()
        whole = lowered.replace("_", "")
        if len(whole) < 2 or whole in _EVERYWHERE:
            return ()
        parts = [part.lower() for part in _PARTS.findall(token)] if token.isascii() else []
        kept = [part for part in parts if self._is_telling(part) and part != whole] if len(parts) > 1 else []
        # What has digits or underscores is a name, which nobody inflects; and there are many of them.
        is_name = len(whole) < len(token) or any(char.isdigit() for char in whole)
        return (whole if is_name else self._stem(whole), *map(self._stem, kept))

    @staticmethod
    def _is_telling(part: str) -> bool:
        return len(part) >= _SHORTEST_PART and not part.isdigit() and part not in _EVERYWHERE


def language_of(texts: Iterable[str]) -> str:
    """Name the language that most of the texts are written in, as the stemmers are called; English when in doubt."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(text[:_SAMPLE].lower().split())
    shares = {language: sum(seen[word] for word in words) for language, words in _COMMON_WORDS.items()}
    best = max(shares, key=lambda language: shares[language])
    return best if shares[best] > 2 * shares["english"] else "english"


_SAMPLE = 2000  # characters of each file that are looked at
