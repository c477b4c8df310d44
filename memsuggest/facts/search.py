"""Searching facts by whatever a person may type: SQLite's full-text index, and expressions for it that cannot fail."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from memsuggest.core.text.stop_words import ASKING_WORDS, STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.core.model import MemoryFact

INDEX = (
    "CREATE VIRTUAL TABLE words USING fts5 ("
    "content, reason, tags, quotes, tokenize = \"porter unicode61 remove_diacritics 2 tokenchars '+#'\")"
)
"""English stems; "naive" finds "naïve"; "C++" and "#1" are words."""

TERMS_LIMIT = 32

_RANK = "bm25(words, 10.0, 2.0, 4.0, 1.0)"
"""How much a word counts in content, reason, tags and quotes; the smaller the better."""
_TERM = re.compile(r"[\w+#]+(?:'\w+)?")
_STEM_LENGTH = 3  # characters from which a term also stands for words that begin with it
_CHARS_LIMIT = 2_000
_COMMON = STOP_WORDS["en"] | ASKING_WORDS["en"]


def match_expressions(query: str) -> tuple[str, ...]:
    """Return what to look for, strictest first: all words, then any of them; nothing for a query without words.

    Every term is quoted, so that no sign in it is an operator; longer ones stand for all words that begin with them.
    """
    text = query[:_CHARS_LIMIT].replace("\u2019", "'").encode("utf-8", "replace").decode()
    found = list(dict.fromkeys(_TERM.findall(text.casefold())))
    terms = [term for term in found if term not in _COMMON] or found
    quoted = [f'"{term}"' + " *" * (len(term) >= _STEM_LENGTH) for term in terms[:TERMS_LIMIT]]
    if not quoted:
        return ()
    every, some = " AND ".join(quoted), " OR ".join(quoted)
    return (every,) if every == some else (every, some)


def _rows_matching(connection: sqlite3.Connection, query: str) -> list[int]:
    """Return the rows of the index that fit a query, best first."""
    for expression in match_expressions(query):
        sql = f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY {_RANK}, rowid"  # noqa: S608  # nosec
        if found := [row[0] for row in connection.execute(sql, (expression,))]:
            return found
    return []


def _containing(facts: Iterable[MemoryFact], query: str) -> list[MemoryFact]:
    """Return facts in which a query stands as it is: scripts without spaces, emoji, signs."""
    wanted = " ".join(query.casefold().split())
    return [fact for fact in facts if wanted and wanted in f"{fact.content}\n{fact.reason}".casefold()]


def search_among(facts: Sequence[MemoryFact], query: str, *, limit: int = 50) -> list[MemoryFact]:
    """Return the facts that fit whatever a person may type, best first; a fact's own words count most."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(INDEX)
        connection.executemany(
            "INSERT INTO words (rowid, content, reason, tags, quotes) VALUES (?, ?, ?, ?, ?)",
            (
                (row, one.content, one.reason, " ".join(one.tags), " ".join(cited.quote for cited in one.citations))
                for row, one in enumerate(facts)
            ),
        )
        return ([facts[row] for row in _rows_matching(connection, query)] or _containing(facts, query))[:limit]
