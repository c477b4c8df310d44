"""Terms: what the full-text index holds for a text, and what a query looks for. Pure.

Words of languages with spaces are stemmed by the language that the text is in; names in code fall into their parts;
scripts without spaces are cut into pairs of characters, as two make a word there. A query looks for several forms of a
word, because nobody can tell the language of three words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.text.german import in_english, is_german
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import ASKING_WORDS, STOP_WORDS, main_language

CHARS_LIMIT = 4_000  # of a query; a prompt with a pasted log says what it wants at its beginning or its end
WORDS_LIMIT = 40  # of a query that are looked for: the first ones

_DENSE = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF))
"""Code points of scripts in which words have no spaces between them; Korean has some, and endings without one."""
_WORD = re.compile(r"[^\W_]+(?:[+#]+|'\w+)?")
_HUMPS = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s\b)")
_SIGNS = str.maketrans({"+": "plus", "#": "sharp", "\u2019": "'"})
_ASKS = re.compile(r"what(?:'s)?|whats|which|who(?:'s)?|welche[rsnm]?|womit|worin|quel(?:le)?s?|wer|wo")
_BOTH = ("en", "de")
"""The languages in which a query's words are stemmed; words of others are found as they are, and as beginnings."""
_KEY = 3  # letters by which the rows of categories are found: no stem is shorter, but of shorter words
_REACH = 2  # words behind one of these that may name the kind of thing that is asked for
END_MARK = "0"  # what terms begin with that are written from their ends
_COMPOUND = 8  # letters from which a word may be one of several
_SHORTEST_STEM = 4  # letters of a word that compounds may be made of


def searched_part(query: str) -> str:
    """Return what of a query is looked for: of a long one, the beginning and the end."""
    return query if len(query) <= CHARS_LIMIT else f"{query[: CHARS_LIMIT // 2]}\n{query[-CHARS_LIMIT // 2 :]}"


class QueryWord(NamedTuple):
    """One word of a query, in the forms in which the index may have it."""

    forms: frozenset[str]
    synonyms: frozenset[str] = frozenset()  # terms of other names of it, also in another language
    members: frozenset[str] = frozenset()  # terms of what is of its kind
    stem: str = ""  # what compounds may begin or end with; empty for a short word
    is_asked_for: bool = False
    """Whether it is the kind of thing that a question asks for: the answer names one of that kind."""
    is_faint: bool = False  # whether many prompts have it, whatever they are about

    @property
    def related(self) -> frozenset[str]:
        return self.synonyms | self.members


def document_terms(text: str) -> list[str]:
    """Return the terms of a text, in their order.

    >>> document_terms("Migrations live in dbTools.")
    ['migrat', 'live', 'db', 'tool']
    """
    language = main_language([text])
    words = [word for word in _words(text) if not _is_empty(word)]
    return [term for word in words if (term := word if _is_dense(word[0]) else _bare(stem(word, language)))]


def indexed_terms(text: str, *, german: bool | None = None) -> list[str]:
    """Return the terms under which a text is found: its own, and where it is German also what helps with that.

    Those are its words in English, and long words from their ends, marked, for compounds by their last word.
    """
    terms = document_terms(text)
    if not (is_german(text) if german is None else german):
        return terms
    own = set(terms)
    glosses = (term for term in document_terms(in_english(text)) if term not in own)
    return [*terms, *glosses, *(f"{END_MARK}{term[::-1]}" for term in terms if len(term) >= _COMPOUND)]


class Document(NamedTuple):
    """An entry's terms: its own, its tags', and its words in English."""

    terms: Sequence[str]
    tags: Sequence[str] = ()
    glosses: Sequence[str] = ()


def entry_terms(text: str, tags: Sequence[str]) -> str:
    """Return an entry's terms as the index keeps them; the signs between their kinds are no words of the index."""
    own = document_terms(text)
    parts = (own, document_terms(" ".join(tags)), indexed_terms(text)[len(own) :])
    return " | ".join(map(" ".join, parts))


def stored_document(stored: str) -> Document:
    """Return an entry's terms from the way the index keeps them.

    >>> stored_document(entry_terms("Migrations live in dbTools.", ("schema",)))
    Document(terms=['migrat', 'live', 'db', 'tool'], tags=['schema'], glosses=[])
    """
    terms, tags, others = [*(part.split() for part in stored.split("|")), [], []][:3]
    return Document(terms, tags, [term for term in others if not term.startswith(END_MARK)])


def query_words(query: str) -> tuple[QueryWord, ...]:
    """Return what a query looks for, each word once."""
    cut = searched_part(query)
    found: dict[frozenset[str], QueryWord] = {}
    shares = {language: sum(word in STOP_WORDS[language] for word in cut.lower().split()) for language in _BOTH}
    languages = [language for language in _BOTH if shares[language] == max(shares.values())]
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
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).translate(_SIGNS)):
        for is_dense, run in groupby(word, _is_dense) if not word.isascii() else [(False, word)]:
            found = "".join(run)
            if is_dense:
                yield from [found[at : at + 2] for at in range(len(found) - 1)] or [found]
            else:
                yield from (part.lower() for part in _HUMPS.split(found))


def _is_dense(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _DENSE)


def _asked(word: str, languages: Sequence[str], *, is_asked_for: bool) -> QueryWord | None:
    if _is_empty(word):
        return None
    if _is_dense(word[0]):
        return QueryWord(forms=frozenset({word}))
    stems = _stems(word, languages)
    own = _stems(word)
    names: set[str] = set()
    members: set[str] = set()
    for row in {row for term in own for row in _rows_by_beginning().get(term[:_KEY], ())}:
        called, kinds = _category(row)
        if own & (called | kinds):
            names |= called
        if own & called:
            members |= kinds
    english = in_english(word)
    if english != word:
        names.update(document_terms(english))
    shortest = min(stems, key=len)
    return QueryWord(
        forms=stems,
        synonyms=frozenset(names - stems),
        members=frozenset(members - stems - names),
        stem=shortest if len(shortest) >= _SHORTEST_STEM else "",
        is_asked_for=is_asked_for,
        is_faint=word in faint_words(),
    )


def _stems(word: str, languages: Sequence[str] = _BOTH) -> frozenset[str]:
    return frozenset({_bare(word), *(_bare(stem(word, language)) for language in languages)})


def _is_empty(word: str) -> bool:
    return word in _empty() or (len(word) == 1 and not _is_dense(word[0]))


def _bare(word: str) -> str:
    word = word.replace("'", "").replace("_", "")
    if word.isascii():
        return word
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _rows(name: str) -> list[str]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [row for row in text.splitlines() if not row.startswith("//")]


@cache
def _empty() -> frozenset[str]:
    common = (words for table in (STOP_WORDS, ASKING_WORDS) for words in table.values())
    return frozenset(" ".join(_rows("empty_words.txt")).split()).union(*common)


@cache
def faint_words() -> frozenset[str]:
    return frozenset(" ".join(_rows("faint_words.txt")).split())


@cache
def _rows_by_beginning() -> Mapping[str, Collection[str]]:
    """Return the rows of categories by how their words begin, so that a query makes terms of few of them."""
    found: dict[str, set[str]] = {}
    for row in _rows("categories.txt"):
        for word in _bare(row.replace(":", " ").replace("-", " ")).split():
            found.setdefault(word[:_KEY], set()).add(row)
            found.setdefault(word.removesuffix("s")[:_KEY], set()).add(row)
    return found


@cache
def _category(row: str) -> tuple[frozenset[str], frozenset[str]]:
    names, _, members = row.partition(":")
    return _terms_of(names), _terms_of(members)


def _terms_of(words: str) -> frozenset[str]:
    return frozenset(term for word in words.replace("-", " ").split() for term in _stems(word))
