"""Searching the layers: the index finds candidates, relevance puts them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.database import store_errors
from memsuggest.recall.entry import EVERYWHERE, Layer
from memsuggest.recall.entry_rows import entry_of
from memsuggest.recall.index_terms import END_MARK, query_words
from memsuggest.recall.recalled import Hit
from memsuggest.recall.relevance import BEGINNING, LONG, Corpus, Document, as_hits, ranked, word_gains

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memsuggest.recall.index_terms import QueryWord

_CANDIDATES = 100
"""Entries that the index hands on: enough that the best five are among them."""
_LEAST_END = 5
"""Letters of a word that compounds may end with."""
_FOUND = """
    SELECT entries.*, entry_words.content AS terms, entry_words.tags AS tag_terms, entry_words.glosses AS glosses
    FROM entry_words JOIN entries ON entries.row = entry_words.rowid
    WHERE entry_words MATCH ? AND entries.status = 'active'
"""
_LATEST = "SELECT * FROM entries WHERE status = 'active' {} ORDER BY updated_at DESC, row DESC LIMIT ?"
_ORDER = " ORDER BY bm25(entry_words, 1.0, 0.8, 0.6, 0.6) LIMIT ?"


class Filters(NamedTuple):
    """The filters of a search."""

    layers: Sequence[Layer] = (Layer.KNOWLEDGE,)
    project: str | None = None
    """A workspace's key: its entries and the person's own; None for all."""
    with_own: bool = True
    """Whether the person's own entries count, too."""
    tags: Sequence[str] = ()
    since: int | None = None
    """Milliseconds since the epoch; nothing that was last changed before."""
    until: int | None = None
    """The same; nothing that was last changed then or after."""


def search(connection: sqlite3.Connection, query: str, filters: Filters, *, now: int) -> list[Hit]:
    """Return the entries that fit a query, best first; nothing for a query without words. Raises StoreError."""
    words = query_words(query)
    if not words:
        return []
    with store_errors(connection):
        corpus = _corpus(connection, words)
        rows = _candidates(connection, _expression(words, corpus), filters)
    found = [(entry_of(row), _document(row)) for row in rows]
    terms = frozenset(term for _, document in found for term in document.every)
    gains = [word_gains(word, terms, corpus) for word in words]
    return as_hits(
        (ranked(entry, document, gains, now=now) for entry, document in found), words=len(words), size=corpus.size
    )


def latest(connection: sqlite3.Connection, filters: Filters, *, limit: int) -> list[Hit]:
    """Return the entries that filters let through, the last changed first. Raises StoreError."""
    where, values = _condition(filters)
    with store_errors(connection):
        rows = connection.execute(_LATEST.format(where), (*values, limit)).fetchall()
    return [Hit(entry=entry_of(row), score=1.0, fit=1.0) for row in rows]


def _document(row: sqlite3.Row) -> Document:
    return Document(row["terms"].split(), row["tag_terms"].split(), row["glosses"].split())


def _candidates(connection: sqlite3.Connection, expression: str, filters: Filters) -> list[sqlite3.Row]:
    if not expression:
        return []
    where, values = _condition(filters)
    return connection.execute(_FOUND + where + _ORDER, (expression, *values, _CANDIDATES)).fetchall()


def _condition(filters: Filters) -> tuple[str, list[object]]:
    where = f" AND entries.layer IN ({', '.join('?' * len(filters.layers))})"
    values: list[object] = [layer.value for layer in filters.layers]
    if filters.project is not None:
        projects = dict.fromkeys([filters.project, EVERYWHERE] if filters.with_own else [filters.project])
        where += f" AND entries.project IN ({', '.join('?' * len(projects))})"
        values += projects
    for tag in filters.tags:
        where += " AND EXISTS (SELECT 1 FROM json_each(entries.tags) WHERE lower(value) = lower(?))"
        values.append(tag)
    if filters.since is not None:
        where += " AND entries.updated_at >= ?"
        values.append(filters.since)
    if filters.until is not None:
        where += " AND entries.updated_at < ?"
        values.append(filters.until)
    return where, values


def _expression(words: Sequence[QueryWord], corpus: Corpus) -> str:
    """Return the index's expression for any of the words in any form that it has; terms hold no signs that it reads."""
    stems = {word.stem for word in words if word.stem and not word.is_faint}
    known = sorted(term for term, count in corpus.counts.items() if count)
    beginnings = sorted({stem[:BEGINNING] if len(stem) >= LONG else stem for stem in stems})
    ends = sorted(f"{END_MARK}{stem[::-1]}" for stem in stems if len(stem) >= _LEAST_END)
    return " OR ".join([*(f'"{term}"' for term in known), *(f'"{term}" *' for term in [*beginnings, *ends])])


def _corpus(connection: sqlite3.Connection, words: Sequence[QueryWord]) -> Corpus:
    """Count in how many entries each term of a query stands."""
    terms = sorted({form for word in words for form in word.forms | word.related | word.parts})
    marks = ", ".join("?" * len(terms))
    counts = dict(connection.execute(f"SELECT term, doc FROM entry_terms WHERE term IN ({marks})", terms).fetchall())  # noqa: S608  # nosec
    (size,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    return Corpus(size=size, counts={term: counts.get(term, 0) for term in terms})
