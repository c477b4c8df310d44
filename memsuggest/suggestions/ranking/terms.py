"""The words of a text, ready to be compared: stemmed, identifiers cut up, common words left out. Pure.

What a word is worth is counted elsewhere.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.text.stems import stemmer_of
from memsuggest.text.stop_words import STOP_WORDS

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

_EVERYWHERE = frozenset[str]().union(*STOP_WORDS.values()) - {"go", "do"}


class Vocabulary:
    """Turns texts into words, for one language beside the English of identifiers."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._stem = stemmer_of(language)
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
