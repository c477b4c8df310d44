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
from memsuggest.memory.entry_store import TURN_BITS
from memsuggest.memory.index_terms import END_MARK, Document, QueryWord

_TAG, _GLOSS, _COMPOUND, _SYNONYM, _MEMBER = 0.9, 0.8, 0.75, 0.65, 0.5
"""What a word counts in another form or place, next to itself."""
_ASKED_MEMBER = 0.9
"""What a member counts for the category that a question asks for: "which database" is answered by Postgres."""
_COUNTED, _FURTHER = 3, 0.5
"""Terms of an entry that stand for one word of a query, and what each counts next to the one before: an entry with
"translators", "languages" and "locale" is about translating more than one that says it once."""
_LEAD, _LEAD_GAIN = 3, 0.25
"""Terms at the beginning of an entry, and what they gain beside what they count."""
_PAIR = 0.35
"""What two words gain that stand side by side in both, of their rarity."""
_LENGTH_SHARE, _USUAL_LENGTH = 0.35, 12.0
"""How much a long entry is held back, and the terms of a usual one."""
TRUST = {Source.USER: 1.0, Source.AGENT: 0.88, Source.SYSTEM: 0.78}
_CORRECTION = 1.08
_LEAST_SIZE = 1_000
"""Entries from which counts tell how common a word is."""
_RECENT, _HALF_LIFE = 0.1, 60 * 86_400_000.0
"""What something of today gains over something old, and after how long half of it is gone."""
_BUDGET, _LEAST_READ = 5_000, 2_000
"""Documents that are read for the words of a query, and of each at least."""
_LEAST_END = 5
"""Letters of a word that compounds may end with."""
SATURATION, _CHAT_LENGTH = 1.2, 0.75
"""BM25's k, and its b for chats."""
_ENTRY = 2.2
"""What an entry counts, which has one text, next to a chat, whose turns and whole count."""
_TURN = (1 << TURN_BITS) - 1
Found = dict[int, dict[int, float]]
"""What was found of an entry: its turns by place, 0 for itself, and what each word of the query counts there, to 1."""


def counts_of(found: Found) -> dict[int, float]:
    counts: dict[int, float] = {}
    for words in found.values():
        for word, share in words.items():
            counts[word] = counts.get(word, 0.0) + share
    return counts


def recency(at: int, *, now: int) -> float:
    """Return what something counts by its age, in milliseconds since the epoch."""
    return float(1 + _RECENT * 0.5 ** (max(0, now - at) / _HALF_LIFE))


class WeightedQuery:
    """The words of a query with their weights by the index.

    `size` is how many documents there are, `counts` in how many of them each term stands, `usual` the turns of a chat.
    """

    __slots__ = ("counts", "rarest", "size", "usual", "weights", "words")

    def __init__(self, words: Sequence[QueryWord], counts: dict[str, int], sizes: Mapping[int, int], many: int) -> None:
        self.words = words
        self.counts = counts
        self.size = max(_LEAST_SIZE, many + sum(sizes.values()))
        self.usual = sum(sizes.values()) / len(sizes) if sizes else 1.0
        self.rarest = self.rarity(1)
        self.weights = [self.rarity(self.count(word)) for word in words]

    def count(self, word: QueryWord) -> int:
        return min(self.size, sum(self.counts.get(form, 0) for form in word.forms))

    def rarity(self, count: int) -> float:
        return log(1 + (self.size - count + 0.5) / (count + 0.5))

    def by_counts(self, counts: Mapping[int, float], size: int) -> float:
        """Return BM25 of a whole chat of so many turns; the turns with a word are its count."""
        norm = SATURATION * (1 - _CHAT_LENGTH + _CHAT_LENGTH * size / self.usual)
        return sum(self.weights[word] * n * (SATURATION + 1) / (n + norm) for word, n in counts.items())

    def of_turn(self, words: Mapping[int, float]) -> float:
        return sum(self.weights[word] * share for word, share in words.items())


def find_words(
    connection: sqlite3.Connection, words: Sequence[QueryWord], sizes: Mapping[int, int]
) -> tuple[dict[int, Found], WeightedQuery]:
    """Return the entries with a word of the query by their rows, and the weights of its words."""
    (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    asked = WeightedQuery(words, _counts(connection, words), sizes, entries)
    own = [asked.count(word) for word in words]
    found: dict[int, Found] = {}
    left, rarest = _BUDGET, ""
    for number in sorted(range(len(words)), key=own.__getitem__):
        for share, known in _ways(connection, words[number], asked.counts):
            terms = known if share == 1 else _rarest(known, asked.counts)
            if not terms:
                continue
            many = sum(asked.counts[term] for term in terms)
            any_form = "({})".format(" OR ".join(f'"{term}"' for term in sorted(terms)))
            expression = f"{any_form} AND ({rarest})" if rarest and many > left else any_form
            counted = share * min(1.0, asked.rarity(many) / asked.rarity(own[number]))
            rows = connection.execute(
                "SELECT rowid FROM said_words WHERE said_words MATCH ? LIMIT ?", (expression, max(left, _LEAST_READ))
            )
            for (place,) in rows:
                left -= 1
                shares = found.setdefault(place >> TURN_BITS, {}).setdefault(place & _TURN, {})
                if counted > shares.get(number, 0.0):
                    shares[number] = counted
            if share == 1 and (left > 0 or not rarest):
                rarest = f"{rarest} OR {any_form}" if rarest else any_form
    return found, asked


def _rarest(terms: Iterable[str], counts: Mapping[str, int]) -> frozenset[str]:
    """Return the rarest of some terms, as many as there is room for: the others tell little."""
    taken, left = set(), _BUDGET // 2
    for term in sorted(terms, key=lambda item: (counts[item], item)):
        left -= counts[term]
        if left < 0:
            break
        taken.add(term)
    return frozenset(taken)


def _ways(
    connection: sqlite3.Connection, word: QueryWord, counts: dict[str, int]
) -> Iterator[tuple[float, frozenset[str]]]:
    """Yield the terms that stand for a word, and what each counts, the surest first."""
    taken: set[str] = set()
    members = (_ASKED_MEMBER if word.is_asked_for else _MEMBER, word.members)
    others = [(_COMPOUND, _compounds(connection, word, counts)), (_SYNONYM, word.synonyms)]
    others.insert(0 if word.is_asked_for else len(others), members)
    for share, terms in [(1.0, word.forms), *others]:
        known = frozenset(term for term in terms if counts.get(term) and term not in taken)
        if known:
            taken |= known
            yield share, known


def _compounds(connection: sqlite3.Connection, word: QueryWord, counts: dict[str, int]) -> frozenset[str]:
    """Return the terms of the index that are compounds with a word; note their counts."""
    if not word.stem or word.is_faint:
        return frozenset()
    starts = [word.stem] + ([f"{END_MARK}{word.stem[::-1]}"] if len(word.stem) >= _LEAST_END else [])
    found: dict[str, int] = {}
    for start in starts:
        found |= connection.execute(
            "SELECT term, doc FROM said_terms WHERE term >= ? AND term < ? LIMIT 200", (start, start + "\U0010ffff")
        ).fetchall()
    counts |= found
    return frozenset(found)


def _counts(connection: sqlite3.Connection, words: Sequence[QueryWord]) -> dict[str, int]:
    terms = sorted({term for word in words for term in word.forms | word.related})
    marks = ", ".join("?" * len(terms))
    return dict(connection.execute(f"SELECT term, doc FROM said_terms WHERE term IN ({marks})", terms).fetchall())  # noqa: S608  # nosec


def word_gains(asked: WeightedQuery, terms: AbstractSet[str]) -> list[dict[str, float]]:
    """Return for each word of the query what it gains by those of some terms that stand for it."""
    found = []
    for word in asked.words:
        rarity = {term: asked.rarity(asked.counts.get(term, 0)) for term in word.related & terms}
        own = min(asked.rarity(asked.counts.get(form, 0)) for form in word.forms)
        member = _ASKED_MEMBER if word.is_asked_for else _MEMBER
        gains = {term: member * rarity[term] for term in word.members & terms}
        gains |= {term: _SYNONYM * min(rarity[term], own) for term in word.synonyms & terms}
        if word.stem:
            compounds = (term for term in terms if term.startswith(word.stem) or term.endswith(word.stem))
            gains |= dict.fromkeys(compounds, _COMPOUND * own)
        found.append(gains | dict.fromkeys(word.forms & terms, own))
    return found


def score_of(entry: Entry, document: Document, words: Sequence[Mapping[str, float]], *, now: int) -> float:
    """Return how well an entry fits a query, whose words have these gains."""
    places = ((1.0, frozenset(document.terms)), (_TAG, frozenset(document.tags)), (_GLOSS, frozenset(document.glosses)))
    matches = [
        max((_match(gains, terms, weight) for weight, terms in places), key=lambda item: item[0]) for gains in words
    ]
    beginning = frozenset(document.terms[:_LEAD])
    gained = sum(gain for gain, _ in matches)
    gained += _LEAD_GAIN * sum(gain for gain, terms in matches if terms & beginning)
    at = [{place for place, term in enumerate(document.terms) if term in terms} for _, terms in matches]
    for (gain, _), (other, _), here, there in zip(matches, matches[1:], at, at[1:], strict=False):
        if any(place + 1 in there or place - 1 in there for place in here):
            gained += _PAIR * min(gain, other)
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(document.terms) / _USUAL_LENGTH
    trust = TRUST[entry.source] * (_CORRECTION if entry.is_correction else 1.0)
    return _ENTRY * gained / length * trust * recency(entry.updated_at, now=now)


def _match(gains: Mapping[str, float], terms: AbstractSet[str], weight: float) -> tuple[float, AbstractSet[str]]:
    """Return what some terms gain for a word, and those that do."""
    met = gains.keys() & terms
    best = sorted((gains[term] for term in met), reverse=True)[:_COUNTED]
    return weight * sum(gain * _FURTHER**place for place, gain in enumerate(best)), met
