"""Terms: what the full-text index holds for a text, and what a query looks for. Pure.

Words of languages with spaces are stemmed by the language that the text is in; names in code fall into their parts;
scripts without spaces are cut into pairs of characters, as two make a word there. A query looks for several forms of a
word, because nobody can tell the language of three words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from memsuggest.text.german import in_english, is_german
from memsuggest.text.stems import stem
from memsuggest.text.stop_words import ASKING_WORDS, STOP_WORDS
from memsuggest.text.words import main_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CHARS_LIMIT = 4_000
"""Of a query; a prompt with a pasted log says what it wants at its beginning or its end."""
WORDS_LIMIT = 40
"""Of a query that are looked for: the first ones."""

_DENSE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(rf"[{_DENSE}]+|[^\W_{_DENSE}]+(?:[+#]+|'\w+)?", re.UNICODE)
_HUMPS = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IS_DENSE = re.compile(rf"[{_DENSE}]")
_SIGNS = str.maketrans({"+": "plus", "#": "sharp", "\u2019": "'"})
_SHORTEST_BEGINNING = 4  # characters of a query's word that also stands for longer words


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryWord:
    """One word of a query, in the forms in which the index may have it."""

    forms: frozenset[str]
    loose: frozenset[str] = frozenset()
    """Terms of what belongs to it: members of a category, the word in another language."""
    beginning: str = ""
    """What longer words may begin with; empty for a short word."""


def document_terms(text: str) -> list[str]:
    """Return the terms of a text, in their order.

    >>> document_terms("Migrations live in dbTools.")
    ['migrat', 'live', 'db', 'tool']
    """
    language = main_language([text])
    return [term for word in _words(text) if (term := _term(word, language))]


def gloss_terms(text: str) -> list[str]:
    """Return the terms of a German text's words in English; nothing for any other text."""
    if not is_german(text):
        return []
    own = set(document_terms(text))
    return [term for term in document_terms(in_english(text)) if term not in own]


def query_words(query: str) -> tuple[QueryWord, ...]:
    """Return what a query looks for, each word once."""
    cut = query if len(query) <= CHARS_LIMIT else query[: CHARS_LIMIT // 2] + "\n" + query[-CHARS_LIMIT // 2 :]
    found: dict[frozenset[str], QueryWord] = {}
    for word in _words(cut):
        if (asked := _asked(word)) and asked.forms not in found:
            found[asked.forms] = asked
            if len(found) == WORDS_LIMIT:
                break
    return tuple(found.values())


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case; pairs of characters where a script has no spaces."""
    for found in _WORD.findall(unicodedata.normalize("NFKC", text).translate(_SIGNS)):
        if _IS_DENSE.match(found):
            yield from [found[at : at + 2] for at in range(len(found) - 1)] or [found]
        else:
            yield from (part.lower() for part in _HUMPS.split(found))


def _asked(word: str) -> QueryWord | None:
    if word in _empty() or (len(word) == 1 and not _IS_DENSE.match(word)):
        return None
    if _IS_DENSE.match(word):
        return QueryWord(forms=frozenset({word}))
    stems = {_bare(word), *(_stemmed(word, language) for language in ("en", "de"))}
    shortest = min(stems, key=len)
    return QueryWord(
        forms=frozenset(stems),
        loose=_related(word) - stems,
        beginning=shortest if len(shortest) >= _SHORTEST_BEGINNING else "",
    )


def _term(word: str, language: str) -> str:
    if word in _empty() or (len(word) == 1 and not _IS_DENSE.match(word)):
        return ""
    return word if _IS_DENSE.match(word) else _stemmed(word, language)


def _stemmed(word: str, language: str) -> str:
    return _bare(stem(word, language))


def _bare(word: str) -> str:
    """Return a word without accents."""
    if word.isascii():
        return word
    return "".join(one for one in unicodedata.normalize("NFD", word) if not unicodedata.combining(one))


def _related(word: str) -> frozenset[str]:
    """Return the terms of what a word stands for: what is in a category, and its English name."""
    table = _categories()
    names = {_stemmed(word, language) for language in ("en", "de")}
    found = {term for name in names for term in table.get(name, ())}
    english = in_english(word)
    if english != word:
        found.update(document_terms(english))
    return frozenset(found)


def _rows(name: str) -> list[str]:
    """Return the rows of a table of words that lies beside this module."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [row for row in text.splitlines() if not row.startswith("//")]


@cache
def _empty() -> frozenset[str]:
    """Return the words that say nothing of what is looked for."""
    common = (words for table in (STOP_WORDS, ASKING_WORDS) for words in table.values())
    return frozenset(" ".join(_rows("empty_words.txt")).split()).union(*common)


@cache
def _categories() -> Mapping[str, frozenset[str]]:
    """Return the members of each category, as terms, by the terms of its names."""
    found: dict[str, set[str]] = {}
    for row in _rows("categories.txt"):
        names, _, members = row.partition(":")
        own = {_stemmed(name, language) for name in names.split() for language in ("en", "de")}
        terms = {_stemmed(member, "en") for member in members.split()}
        for name in own:
            found.setdefault(name, set()).update(terms | own - {name})
    return {name: frozenset(terms) for name, terms in found.items()}
