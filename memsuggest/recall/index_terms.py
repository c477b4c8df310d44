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
    from collections.abc import Iterable, Iterator, Mapping, Sequence

CHARS_LIMIT = 4_000
"""Of a query; a prompt with a pasted log says what it wants at its beginning or its end."""
WORDS_LIMIT = 40
"""Of a query that are looked for: the first ones."""

_DENSE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(rf"[{_DENSE}]+|[^\W_{_DENSE}]+(?:[+#]+|'\w+)?", re.UNICODE)
_HUMPS = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s\b)")
_IS_DENSE = re.compile(rf"[{_DENSE}]")
_SIGNS = str.maketrans({"+": "plus", "#": "sharp", "\u2019": "'"})
_ASKS = re.compile(r"what(?:'s)?|whats|which|who(?:'s)?|welche[rsnm]?|womit|worin|quel(?:le)?s?|wer|wo")
_BOTH = ("en", "de")
"""The languages in which a query's words are stemmed; words of others are found as they are, and as beginnings."""
_REACH = 2  # words behind one of these that may name the kind of thing that is asked for
END_MARK = "0"
"""What terms begin with that are written from their ends."""
_COMPOUND = 8  # letters from which a word may be one of several
_SHORTEST_STEM = 4  # letters of a word that compounds may be made of


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryWord:
    """One word of a query, in the forms in which the index may have it."""

    forms: frozenset[str]
    synonyms: frozenset[str] = frozenset()
    """Terms of other names of it, also in another language."""
    members: frozenset[str] = frozenset()
    """Terms of what is of its kind."""
    parts: frozenset[str] = frozenset()
    """What may be the first or the last word of a compound; most of it is no word, and in no entry."""
    stem: str = ""
    """What compounds may begin or end with; empty for a short word."""
    is_asked_for: bool = False
    """Whether it is the kind of thing that a question asks for: the answer names one of that kind."""
    is_faint: bool = False
    """Whether many prompts have it, whatever they are about."""

    @property
    def related(self) -> frozenset[str]:
        """Terms that stand for it, but are not it."""
        return self.synonyms | self.members


def document_terms(text: str) -> list[str]:
    """Return the terms of a text, in their order.

    >>> document_terms("Migrations live in dbTools.")
    ['migrat', 'live', 'db', 'tool']
    """
    language = main_language([text])
    return [term for word in _words(text) if (term := _term(word, language))]


def backwards(terms: Iterable[str]) -> list[str]:
    """Return long terms from their ends, marked, so that a compound is found by its last word as by its first."""
    return [f"{END_MARK}{term[::-1]}" for term in terms if len(term) >= _COMPOUND]


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
    languages = _languages(cut)
    left = 0
    for word in _words(cut):
        left = _REACH if _ASKS.fullmatch(word) else left
        if (asked := _asked(word, languages, is_asked_for=left > 0)) and asked.forms not in found:
            left -= 1
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


def _asked(word: str, languages: Sequence[str], *, is_asked_for: bool) -> QueryWord | None:
    if word in _empty() or (len(word) == 1 and not _IS_DENSE.match(word)):
        return None
    if _IS_DENSE.match(word):
        return QueryWord(forms=frozenset({word}))
    stems = _stems(word, languages)
    names, members = _related(word)
    shortest = min(stems, key=len)
    return QueryWord(
        forms=stems,
        synonyms=names - stems,
        members=members - stems - names,
        stem=shortest if len(shortest) >= _SHORTEST_STEM else "",
        parts=_parts(stems) if "de" in languages else frozenset(),
        is_asked_for=is_asked_for,
        is_faint=word in _faint(),
    )


def _parts(stems: Iterable[str]) -> frozenset[str]:
    """Return the beginnings and ends of long words."""
    long_ones = [stem for stem in stems if len(stem) >= _COMPOUND]
    places = [(stem, at) for stem in long_ones for at in range(_SHORTEST_STEM, len(stem) - _SHORTEST_STEM + 1)]
    return frozenset(part for stem, at in places for part in (stem[:at], stem[at:]))


def _languages(query: str) -> Sequence[str]:
    """Return the languages that a query may be in, by its small words; both where they do not tell."""
    words = query.lower().split()
    shares = {language: sum(word in STOP_WORDS[language] for word in words) for language in _BOTH}
    return [language for language in _BOTH if shares[language] == max(shares.values())]


def _stems(word: str, languages: Sequence[str] = _BOTH) -> frozenset[str]:
    return frozenset({_bare(word), *(_stemmed(word, language) for language in languages)})


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


def _related(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the terms of other names of a word, and of what is of its kind."""
    found = [_categories().get(term) for term in _stems(word)]
    names = {term for row in found if row for term in row.names}
    english = in_english(word)
    if english != word:
        names.update(document_terms(english))
    return frozenset(names), frozenset(term for row in found if row for term in row.members)


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
def _faint() -> frozenset[str]:
    """Return the words that say little of what is looked for."""
    return frozenset(" ".join(_rows("faint_words.txt")).split())


@dataclass(frozen=True, slots=True)
class _Category:
    """What asks for one another."""

    names: frozenset[str]
    members: frozenset[str]


@cache
def _categories() -> Mapping[str, _Category]:
    """Return the names and the members of categories, as terms, by the terms of each name; of a member, the names."""
    found: dict[str, _Category] = {}
    for row in _rows("categories.txt"):
        names, members = (_terms_of(side) for side in row.split(":"))
        for term in names | members:
            known = found.get(term, _Category(frozenset(), frozenset()))
            found[term] = _Category(known.names | names, known.members | (members if term in names else frozenset()))
    return found


def _terms_of(words: str) -> frozenset[str]:
    return frozenset(term for word in words.replace("-", " ").split() for term in _stems(word))
