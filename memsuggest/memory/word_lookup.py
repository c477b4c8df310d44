"""Words in the index: which entries and turns have a word of a query, in which form, and how well an entry fits it.

Words are looked up from the rarest on, and no more documents are read than a budget: what stands in every tenth turn
tells little of what is meant. An entry is ranked by BM25's rarity and length norm over words in any form: a compound,
a synonym and a member of the category that was asked for count less than the word itself, a second and third beside it
less again. What an entry begins with is what it is about; words side by side in both mean more than apart.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log

from memsuggest.memory.entry import Entry, Source
from memsuggest.memory.entry_rows import TURN_BITS
from memsuggest.memory.index_terms import END_MARK, Document, QueryWord

_EXACT, _TAG, _GLOSS, _COMPOUND, _SYNONYM, _MEMBER, _ALIKE = 1.0, 0.9, 0.8, 0.75, 0.65, 0.5, 0.45
_PART = 0.6
"""What a word counts that is the beginning or the end of a compound in the query."""
_ASKED_MEMBER = 0.9
"""What a member counts for the category that a question asks for: "which database" is answered by Postgres."""
_BEGINNING, _LONG = 6, 8
"""Letters that long words begin with alike when they are about one thing, and the letters of a long word."""
_COUNTED, _FURTHER = 3, 0.5
"""Terms of an entry that stand for one word of a query, and what each counts next to the one before: an entry with
"translators", "languages" and "locale" is about translating more than one that says it once."""
_FAINT = 0.33
"""What a word counts that many prompts have."""
_LEAD, _LEAD_GAIN = 3, 0.25
"""Terms at the beginning of an entry, and what they gain beside what they count."""
_PAIR = 0.35
"""What two words gain that stand side by side in both, of their rarity."""
_LENGTH_SHARE, _USUAL_LENGTH = 0.35, 12.0
"""How much a long entry is held back, and the terms of a usual one."""
_TRUST = {Source.USER: 1.0, Source.AGENT: 0.88, Source.SYSTEM: 0.78}
_CORRECTION = 1.08
_LEAST_SIZE = 1_000
"""Entries from which counts tell how common a word is."""
_RECENT = 0.1
"""What an entry of today gains over one of long ago; half of it after 60 days."""
_HALF_LIFE = 60 * 86_400_000.0
_BUDGET = 5_000
"""Documents that are read for the words of a query."""
_LEAST_END = 5
"""Letters of a word that compounds may end with."""
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
    for term in sorted(terms, key=lambda item: (counts[item], item)):
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
        item = found.get(row)
        if item is None:
            item = found[row] = Found(row)
        shares = item.turns.setdefault(place & _TURN, {})
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


# The classes here are written out: to make dataclasses of them would cost as much as to rank a hundred entries.


class Corpus:
    """Numbers about all entries: how many there are, and in how many each term stands."""

    __slots__ = ("counts", "size")

    def __init__(self, *, size: int, counts: Mapping[str, int]) -> None:
        self.size = size
        self.counts = counts

    def rarity(self, term: str) -> float:
        """Return a term's weight, from 0 for one in every entry to 1 for one in none.

        In few entries a word is rare or common by chance, so their counts grow only by the third root of what lacks.
        """
        size = max(self.size, _LEAST_SIZE)
        count = self.counts.get(term, 0) * (size / max(1, self.size)) ** (1 / 3)
        return log(1 + (size - count + 0.5) / (count + 0.5)) / log(2 * size + 2)


class WordGains:
    """The gains of a word of the query by each term that stands for it.

    `rarity` is the weight of the word itself: that of its commonest form.
    """

    __slots__ = ("gains", "rarity")

    def __init__(self, *, rarity: float, gains: Mapping[str, float]) -> None:
        self.rarity = rarity
        self.gains = gains


class _Match:
    """The gain of a word of the query in an entry, and the terms by which."""

    __slots__ = ("gain", "terms")

    def __init__(self, gain: float = 0.0, terms: AbstractSet[str] = frozenset()) -> None:
        self.gain = gain
        self.terms = terms


def word_gains(word: QueryWord, terms: AbstractSet[str], corpus: Corpus) -> WordGains:
    """Return what a word of the query gains by those of some terms that stand for it."""
    faint = _FAINT if word.is_faint else 1.0
    rarity = min(map(corpus.rarity, word.forms)) * faint
    member = _ASKED_MEMBER if word.is_asked_for else _MEMBER
    gains = {term: member * corpus.rarity(term) * faint for term in word.members & terms}
    gains |= {term: _SYNONYM * min(corpus.rarity(term) * faint, rarity) for term in word.synonyms & terms}
    gains |= {term: _PART * corpus.rarity(term) * faint for term in word.parts & terms}
    if word.stem:
        gains |= {term: weight * rarity for term in terms if (weight := _likeness(term, word.stem))}
    return WordGains(rarity=rarity, gains=gains | dict.fromkeys(word.forms & terms, _EXACT * rarity))


def _likeness(term: str, stem: str) -> float:
    if term[:_BEGINNING] == stem[:_BEGINNING] and len(stem) >= _LONG and len(term) >= _LONG:
        return _COMPOUND if term.startswith(stem) else _ALIKE
    return _COMPOUND if len(term) > len(stem) and (term.startswith(stem) or term.endswith(stem)) else 0.0


def score_of(entry: Entry, document: Document, words: Sequence[WordGains], *, now: int) -> float:
    """Return how well an entry fits a query."""
    terms, tags, glosses = frozenset(document.terms), frozenset(document.tags), frozenset(document.glosses)
    matches = [
        max(
            _best(word, terms, 1.0), _best(word, tags, _TAG), _best(word, glosses, _GLOSS), key=lambda match: match.gain
        )
        for word in words
    ]
    beginning = frozenset(document.terms[:_LEAD])
    matched = sum(match.gain for match in matches)
    lead = sum(match.gain for match in matches if match.terms & beginning)
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(document.terms) / _USUAL_LENGTH
    age = max(0, now - entry.updated_at)
    trust = _TRUST[entry.source] * (_CORRECTION if entry.is_correction else 1.0)
    gained = matched + _LEAD_GAIN * lead + _PAIR * _paired(matches, document.terms)
    recent: float = 1 + _RECENT * 0.5 ** (age / _HALF_LIFE)
    return gained / length * trust * recent


def _best(word: WordGains, terms: AbstractSet[str], weight: float) -> _Match:
    met = word.gains.keys() & terms
    gains = sorted((word.gains[term] for term in met), reverse=True)[:_COUNTED]
    return _Match(weight * sum(gain * _FURTHER**place for place, gain in enumerate(gains)), met)


def _paired(matches: Sequence[_Match], terms: Sequence[str]) -> float:
    places = [{at for at, term in enumerate(terms) if term in match.terms} for match in matches]
    return sum(
        min(item.gain, other.gain)
        for item, other, here, there in zip(matches, matches[1:], places, places[1:], strict=False)
        if any(at + 1 in there or at - 1 in there for at in here)
    )
