"""Words in the index: which entries and turns have a word of a query, in which form, and what it weighs.

Words are looked up from the rarest on, and no more documents are read than a budget: what stands in every tenth turn
tells little of what is meant.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log

from memsuggest.memory.entry_rows import TURN_BITS
from memsuggest.memory.index_terms import END_MARK, QueryWord
from memsuggest.memory.relevance import Corpus

_BUDGET = 5_000
"""Documents that are read for the words of a query."""
_COMPOUND, _SYNONYM, _PART, _MEMBER, _ASKED_MEMBER, _ALIKE = 0.75, 0.65, 0.6, 0.5, 0.9, 0.45
"""What counts instead of a word: a compound with it, another name, a part of it, what is of its kind (more where that
is asked for: "which database" is answered by Postgres), and what begins as it does."""
_BEGINNING, _LONG, _LEAST_END = 6, 8, 5
"""Letters by which long words are alike, those of a long word, and of one that compounds may end with."""
_FAINT = 0.33
"""What a word counts that many prompts have."""
_LEAST_SIZE = 1_000
"""Documents from which counts tell how common a word is."""
SATURATION, _CHAT_LENGTH = 1.2, 0.75
"""BM25's k, and its b for chats."""
_ENTRY = 2.2
"""What an entry counts, which has one text, next to a chat, whose turns and whole count."""
_TURN = (1 << TURN_BITS) - 1


class Found:
    """An entry whose words were found: its turns by place, 0 for itself, with the words of each."""

    __slots__ = ("row", "turns")

    def __init__(self, row: int) -> None:
        self.row = row
        self.turns: dict[int, dict[int, float]] = {}
        """What each word counts there, from 0 to 1."""

    def counts(self) -> Mapping[int, float]:
        """Return in how many turns each word stands."""
        counts: dict[int, float] = {}
        for words in self.turns.values():
            for word, share in words.items():
                counts[word] = counts.get(word, 0.0) + share
        return counts


class WeightedQuery:
    """The words of a query with their weights by the index, and the usual length of a chat."""

    __slots__ = ("corpus", "rarest", "scale", "usual", "weights", "words")

    def __init__(self, words: Sequence[QueryWord], weights: Sequence[float], corpus: Corpus, usual: float) -> None:
        self.words = words
        self.weights = weights
        self.corpus = corpus
        self.usual = usual
        self.rarest = _rarity(1, corpus.size)
        self.scale = _ENTRY * log(2 * max(_LEAST_SIZE, corpus.size) + 2)
        """What makes the score of an entry comparable with that of a chat."""

    def by_counts(self, counts: Mapping[int, float], size: int) -> float:
        """Return BM25 of a whole chat of so many turns; the turns with a word are its count."""
        norm = SATURATION * (1 - _CHAT_LENGTH + _CHAT_LENGTH * size / self.usual)
        return sum(self.weights[word] * n * (SATURATION + 1) / (n + norm) for word, n in counts.items())

    def of_turn(self, words: Mapping[int, float]) -> float:
        return sum(self.weights[word] * share for word, share in words.items())


def find_words(
    connection: sqlite3.Connection, words: Sequence[QueryWord], sizes: Mapping[int, int]
) -> tuple[dict[int, Found], WeightedQuery]:
    """Return the entries with a word of the query, and the weights of its words."""
    (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    size = max(_LEAST_SIZE, entries + sum(sizes.values()))
    counts = _counts(connection, words)
    own = [min(size, sum(counts.get(form, 0) for form in word.forms)) for word in words]
    weights = [_rarity(n, size) * (_FAINT if word.is_faint else 1.0) for n, word in zip(own, words, strict=True)]
    found: dict[int, Found] = {}
    left, rarest = _BUDGET, ""
    for number in sorted(range(len(words)), key=own.__getitem__):
        for share, known in _ways(connection, words[number], counts):
            terms = known if share == 1 else _rarest(known, counts)
            if not terms:
                continue
            many = sum(counts[term] for term in terms)
            any_form = "({})".format(" OR ".join(f'"{term}"' for term in sorted(terms)))
            expression = f"{any_form} AND ({rarest})" if rarest and many > left else any_form
            counted = share * min(1.0, _rarity(many, size) / _rarity(own[number], size))
            left -= _gather(connection, expression, found, number, counted, most=max(left, 2_000))
            if share == 1 and (left > 0 or not rarest):
                rarest = f"{rarest} OR {any_form}" if rarest else any_form
    usual = sum(sizes.values()) / len(sizes) if sizes else 1.0
    return found, WeightedQuery(words, weights, Corpus(size=size, counts=counts), usual)


def _rarest(terms: Iterable[str], counts: Mapping[str, int]) -> frozenset[str]:
    """Return the rarest of some terms, as many as there is room for: the others tell little."""
    taken, left = set(), _BUDGET // 2
    for term in sorted(terms, key=lambda one: (counts[one], one)):
        left -= counts[term]
        if left < 0:
            break
        taken.add(term)
    return frozenset(taken)


def _rarity(count: int, size: int) -> float:
    return log(1 + (size - count + 0.5) / (count + 0.5))


def _gather(
    connection: sqlite3.Connection,
    expression: str,
    found: dict[int, Found],
    number: int,
    share: float,
    *,
    most: int,
) -> int:
    """Add the documents of an expression to what was found of a word, and return how many those are."""
    rows = connection.execute("SELECT rowid FROM said_words WHERE said_words MATCH ? LIMIT ?", (expression, most))
    count = 0
    for (place,) in rows:
        row = place >> TURN_BITS
        one = found.get(row)
        if one is None:
            one = found[row] = Found(row)
        shares = one.turns.setdefault(place & _TURN, {})
        if share > shares.get(number, 0.0):
            shares[number] = share
        count += 1
    return count


def _ways(
    connection: sqlite3.Connection, word: QueryWord, counts: dict[str, int]
) -> Iterator[tuple[float, frozenset[str]]]:
    """Yield the terms that stand for a word, and what each counts, the surest first."""
    taken: set[str] = set()
    member = _ASKED_MEMBER if word.is_asked_for else _MEMBER
    compounds, alike = _compounds(connection, word, counts)
    ways = (
        (1.0, word.forms), (member if word.is_asked_for else 0.0, word.members), (_COMPOUND, compounds),
        (_SYNONYM, word.synonyms), (_PART, word.parts), (member, word.members), (_ALIKE, alike),
    )  # fmt: skip
    for share, terms in ways:
        known = frozenset(term for term in terms if counts.get(term) and term not in taken)
        if share and known:
            taken |= known
            yield share, known


def _compounds(connection: sqlite3.Connection, word: QueryWord, counts: dict[str, int]) -> tuple[set[str], set[str]]:
    """Return the terms of the index that are compounds with a word, and those that begin like it; note their counts."""
    stem = word.stem
    if not stem or word.is_faint:
        return set(), set()
    begin = stem[:_BEGINNING] if len(stem) >= _LONG else stem
    starts = [begin] + ([f"{END_MARK}{stem[::-1]}"] if len(stem) >= _LEAST_END else [])
    compounds, alike = set(), set()
    for start in starts:
        rows = connection.execute(
            "SELECT term, doc FROM said_terms WHERE term >= ? AND term < ? LIMIT 200", (start, start + "\U0010ffff")
        )
        for term, count in rows:
            counts[term] = count
            if start != begin or term.startswith(stem):
                compounds.add(term)
            elif len(term) >= _LONG:
                alike.add(term)
    return compounds, alike


def _counts(connection: sqlite3.Connection, words: Sequence[QueryWord]) -> dict[str, int]:
    terms = sorted({term for word in words for term in word.forms | word.related | word.parts})
    marks = ", ".join("?" * len(terms))
    return dict(connection.execute(f"SELECT term, doc FROM said_terms WHERE term IN ({marks})", terms).fetchall())  # noqa: S608  # nosec
