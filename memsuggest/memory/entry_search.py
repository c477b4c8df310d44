"""Searching memory by words: BM25 over turns and over whole chats, out of one full-text index.

The index holds a document for each entry and for each turn of an archived chat. Words are looked up from the rarest on,
and no more documents are read than a budget: what stands in every tenth turn tells little of what is meant. A chat's
score is that of its best turns and of it as a whole. An entry is ranked by BM25's rarity and length norm over words in
any form: a compound, a synonym and a member of the category that was asked for count less than the word itself, a
second and third beside it less again. What an entry begins with is what it is about; words side by side in both mean
more than apart.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate
from math import log
from typing import NamedTuple

from memsuggest.core.database import store_errors
from memsuggest.memory.context_block import Hit
from memsuggest.memory.entry import EVERYWHERE, Entry, Layer, Source
from memsuggest.memory.entry_store import TURN_BITS, entry_of
from memsuggest.memory.index_terms import END_MARK, Document, QueryWord, document_terms, query_words, stored_document
from memsuggest.memory.moments import Span
from memsuggest.memory.turns import LEAST_ROOM, SaidTurn, passage_of, unpacked

_SELECT = "SELECT entries.*, terms FROM entries LEFT JOIN said_words ON said_words.rowid = entries.row << 20"
_CHATS, _CANDIDATES = 40, 400
"""Chats, and other entries, that are read and put in order. Of 10,000 entries the right one is among the first 40 by
counts for .78 of questions, and among the first 400 for .94 (held out: .78, .87)."""
_NEIGHBOUR = 0.5  # what a word counts for a turn that stands in the turn before or after it
_TURN_LENGTH = 0.6  # BM25's b for turns
_TURNS = (1.0, 0.5, 0.25)  # what the best turns of a chat count
_DATED = 0.5  # what a date that is asked for counts, of the best score by words
_SHOWN = 3  # turns of a chat that are shown with those beside them
_USUAL = 12.0  # terms of a usual entry
_FUSED, _MEANING = 10, 0.5
"""What is added to a rank before ranks are fused: the first ones count, and those far behind nearly nothing; and what a
rank by meaning counts next to one by words."""
_WEAK, _WEAK_ALONE = 0.5, 1.0
"""The score next to the best, and the strength alone, below which a hit is called weak: 2 to 8 of 100 right answers
are, and 35 to 55 of 100 others."""
_ROOMS = (1_600, 900, 900, 600, 600)  # characters of what is shown of the first chats


_TAG, _GLOSS, _COMPOUND, _SYNONYM, _MEMBER = 0.9, 0.8, 0.75, 0.65, 0.5
"""What a word counts in another form or place, next to itself."""
_ASKED_MEMBER = 0.9
"""What a member counts for the category that a question asks for: "which database" is answered by Postgres."""
_COUNTED, _FURTHER = 3, 0.5
"""Terms of an entry that stand for one word of a query, and what each counts next to the one before: an entry with
"translators", "languages" and "locale" is about translating more than one that says it once."""
_LEAD, _LEAD_GAIN = 3, 0.25  # terms at the beginning of an entry, and what they gain beside what they count
_PAIR = 0.35  # what two words gain that stand side by side in both, of their rarity
_LENGTH_SHARE, _USUAL_LENGTH = 0.35, 12.0  # how much a long entry is held back, and the terms of a usual one
_TRUST = {Source.USER: 1.0, Source.AGENT: 0.88, Source.SYSTEM: 0.78}
_CORRECTION = 1.08
_LEAST_SIZE = 1_000  # entries from which counts tell how common a word is
_RECENT, _HALF_LIFE = 0.1, 60 * 86_400_000.0
"""What something of today gains over something old, and after how long half of it is gone."""
_BUDGET, _LEAST_READ = 5_000, 2_000  # documents that are read for the words of a query, and of each at least
_LEAST_END = 5  # letters of a word that compounds may end with
_SATURATION, _CHAT_LENGTH = 1.2, 0.75  # BM25's k, and its b for chats
_ENTRY = 2.2  # what an entry counts, which has one text, next to a chat, whose turns and whole count
_TURN = (1 << TURN_BITS) - 1
Found = dict[int, dict[int, float]]
"""What was found of an entry: its turns by place, 0 for itself, and what each word of the query counts there, to 1."""


class Near(NamedTuple):
    """An entry that is near a question by its meaning; of a chat, the places of the turns that are."""

    row: int
    first: int
    last: int


class Filters(NamedTuple):
    """The filters of a search."""

    layers: Sequence[Layer] = (Layer.KNOWLEDGE,)
    project: str | None = None  # a workspace's key: its entries and the person's own; None for all
    with_own: bool = True  # whether the person's own entries count, too
    tags: Sequence[str] = ()
    since: int | None = None  # milliseconds since the epoch; nothing that was last changed before

    def condition(self) -> tuple[str, list[object]]:
        where = f" AND entries.layer IN ({', '.join('?' * len(self.layers))})"
        values: list[object] = [layer.value for layer in self.layers]
        if self.project is not None:
            projects = dict.fromkeys([self.project, EVERYWHERE] if self.with_own else [self.project])
            where += f" AND entries.project IN ({', '.join('?' * len(projects))})"
            values += projects
        for tag in self.tags:
            where += " AND EXISTS (SELECT 1 FROM json_each(entries.tags) WHERE lower(value) = lower(?))"
            values.append(tag)
        if self.since is not None:
            where += " AND entries.updated_at >= ?"
            values.append(self.since)
        return where, values


def search(
    connection: sqlite3.Connection,
    query: str,
    filters: Filters,
    *,
    now: int,
    span: Span | None = None,
    near: Sequence[Near] = (),
) -> list[Hit]:
    """Return the entries that fit a query, best first; nothing for a query without words or days. Raises StoreError.

    What is `near` by its meaning is fused with that by rank.
    """
    words = query_words(query)
    with store_errors(connection):
        sizes = dict(connection.execute("SELECT entry, size FROM session_turns").fetchall())
        found, asked = _find_words(connection, words, sizes)
        near_rows = _rows(connection, [item.row for item in near])
        rows = _candidates(connection, found, asked, sizes, filters, span) | near_rows
        documents = {
            key: stored_document(row["terms"] or "") for key, row in rows.items() if key not in sizes and key in found
        }
        gains = _word_gains(asked, {term for document in documents.values() for part in document for term in part})
        hits = []
        for key, row in rows.items():
            entry = entry_of(row)
            if key in documents:
                score = _score_of(entry, documents[key], gains, now=now)
                common, share = _met(found[key][0], asked)
                hits.append(Hit(entry=entry, score=score, at=entry.updated_at, common=common, share=share))
            else:
                hits.append(_chat_hit(entry, _turns(connection, key), found.get(key), asked, now=now))
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    if span:
        hits = [hit._replace(score=hit.score + best * _DATED * span.nearness(hit.at)) for hit in hits]
    hits = [hit._replace(strength=hit.score / asked.rarest) for hit in hits if hit.score > 0]
    hits.sort(key=lambda hit: (-hit.score, hit.entry.id))
    if near:
        hits = _fused(connection, hits, [(near_rows[item.row], item) for item in near], best)
    return [
        hit._replace(
            passage=hit.passage.within(_ROOMS[place] if place < len(_ROOMS) else LEAST_ROOM) if hit.passage else None,
            is_weak=hit.score < _WEAK * hits[0].score or (hit.strength < _WEAK_ALONE and not near),
        )
        for place, hit in enumerate(hits)
    ]


def _fused(
    connection: sqlite3.Connection, hits: Sequence[Hit], near: Sequence[tuple[sqlite3.Row, Near]], best: float
) -> list[Hit]:
    """Return what was found by words and by meaning, in the order of both ranks; what was not found counts as last."""

    def place_of(entry: Entry) -> tuple[str, str, str]:
        return entry.project, entry.layer.value, entry.id

    known = {place_of(hit.entry): hit for hit in hits}
    shares = {place: 1 / (_FUSED + rank) for rank, place in enumerate(known, 1)}
    for rank, (row, item) in enumerate(near, 1):
        entry = entry_of(row)
        place = place_of(entry)
        if place not in known:
            turns = _turns(connection, item.row)
            passage = passage_of(turns, range(item.first, min(item.last, len(turns)))) if turns else None
            known[place] = Hit(entry=entry, score=0.0, at=passage.best.at if passage else 0, passage=passage)
        shares[place] = shares.get(place, 0.0) + _MEANING / (_FUSED + rank)
    first = (1 + _MEANING) / (_FUSED + 1)
    order = sorted(known, key=lambda place: (-shares[place], place))
    return [known[place]._replace(score=best * shares[place] / first) for place in order]


def latest(connection: sqlite3.Connection, filters: Filters, *, limit: int) -> list[Hit]:
    """Return the entries that filters let through, the last changed first. Raises StoreError."""
    where, values = filters.condition()
    with store_errors(connection):
        rows = connection.execute(
            f"SELECT * FROM entries WHERE status = 'active' {where} ORDER BY updated_at DESC, row DESC LIMIT ?",  # noqa: S608  # nosec
            (*values, limit),
        ).fetchall()
    return [Hit(entry=entry_of(row), score=1.0) for row in rows]


def _rows(
    connection: sqlite3.Connection, keys: Sequence[int], where: str = "", values: Sequence[object] = ()
) -> dict[int, sqlite3.Row]:
    marks = ", ".join("?" * len(keys))
    found = connection.execute(f"{_SELECT} WHERE entries.row IN ({marks}) {where}", (*keys, *values))  # nosec
    return {row["row"]: row for row in found}


def _candidates(
    connection: sqlite3.Connection,
    found: Mapping[int, Found],
    asked: WeightedQuery,
    sizes: Mapping[int, int],
    filters: Filters,
    span: Span | None,
) -> dict[int, sqlite3.Row]:
    rough = {
        row: asked.by_counts(_counts_of(item), sizes.get(row, 1)) + max(map(asked.of_turn, item.values()))
        for row, item in found.items()
    }
    order = sorted(rough, key=lambda row: -rough[row])
    where, values = filters.condition()
    chats: list[sqlite3.Row] = []
    others: list[sqlite3.Row] = []
    for at in range(0, len(order), _CANDIDATES):
        some = order[at : at + _CANDIDATES]
        taken = _rows(connection, some, f"AND status = 'active' {where}", values)
        for key in some:
            if key in taken:
                (chats if key in sizes else others).append(taken[key])
        if len(chats) >= _CHATS or len(others) >= _CANDIDATES:
            break
    days: Iterable[sqlite3.Row] = ()
    if span and Layer.ARCHIVE in filters.layers:  # whatever words their chats have
        days = connection.execute(
            f"{_SELECT} WHERE status = 'active' AND layer = 'L2' AND updated_at >= ? AND created_at < ?"  # nosec
            f" {where} ORDER BY updated_at DESC, row DESC LIMIT ?",
            (span.begin, span.end, *values, _CHATS),
        )
    return {row["row"]: row for row in [*chats[:_CHATS], *others[:_CANDIDATES], *days]}


def _chat_hit(entry: Entry, turns: Sequence[SaidTurn], found: Found | None, asked: WeightedQuery, *, now: int) -> Hit:
    """Return a chat with its score and the turns that answer; its beginning where no word of it was asked for."""
    beginning = passage_of(turns, [0]) if turns else None
    if found is None:
        return Hit(entry=entry, score=0.0, at=entry.updated_at, passage=beginning)
    usual = max(1.0, sum(turn.length for turn in turns) / len(turns) if turns else _USUAL)
    scores = {}
    for at, words in found.items():  # BM25 of a turn; a word next to it counts for it, too
        length = turns[at - 1].length if 0 < at <= len(turns) else len(document_terms(entry.content))
        norm = _SATURATION * (1 - _TURN_LENGTH + _TURN_LENGTH * length / usual)
        beside = {} if at == 0 else {**(found.get(at - 1, {}) if at > 1 else {}), **found.get(at + 1, {})}
        near = {word: share for word, share in beside.items() if word not in words}
        own = asked.of_turn(words) * (_SATURATION + 1) / (1 + norm)
        scores[at] = own + asked.of_turn(near) * _NEIGHBOUR * (_SATURATION + 1) / (_NEIGHBOUR + norm)
    order = sorted(scores, key=lambda at: -scores[at])
    by_turns = sum(scores[at] * share for at, share in zip(order, _TURNS, strict=False))
    by_chat = asked.by_counts(_counts_of(found), len(turns))
    shown = [at - 1 for at in order[:_SHOWN] if 0 < at <= len(turns)]
    passage = passage_of(turns, shown) if shown else beginning
    at = (passage.best.at if passage else 0) or entry.updated_at
    # What is counted is what is shown: a turn with the ones beside it.
    near_best = [found.get(at, {}) for at in range(max(1, order[0] - 1), order[0] + 2)]
    common, share = _met({word: share for words in reversed(near_best) for word, share in words.items()}, asked)
    score = (by_turns + by_chat) * _recency(at, now=now)
    return Hit(entry=entry, score=score, at=at, passage=passage, common=common, share=share)


def _met(words: Mapping[int, float], asked: WeightedQuery) -> tuple[int, float]:
    """Return how many words of the query some are, but for those of many prompts, and their share by weight."""
    common = sum(not asked.words[word].is_faint for word in words)
    return common, asked.of_turn(words) / (sum(asked.weights) or 1.0)


def _turns(connection: sqlite3.Connection, row: int) -> list[SaidTurn]:
    found = connection.execute("SELECT turns FROM session_turns WHERE entry = ?", (row,)).fetchone()
    return unpacked(found[0]) if found else []


# Words in the index.


def _counts_of(found: Found) -> dict[int, float]:
    counts: dict[int, float] = {}
    for words in found.values():
        for word, share in words.items():
            counts[word] = counts.get(word, 0.0) + share
    return counts


def _recency(at: int, *, now: int) -> float:
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
        norm = _SATURATION * (1 - _CHAT_LENGTH + _CHAT_LENGTH * size / self.usual)
        return sum(self.weights[word] * n * (_SATURATION + 1) / (n + norm) for word, n in counts.items())

    def of_turn(self, words: Mapping[int, float]) -> float:
        return sum(self.weights[word] * share for word, share in words.items())


def _find_words(
    connection: sqlite3.Connection, words: Sequence[QueryWord], sizes: Mapping[int, int]
) -> tuple[dict[int, Found], WeightedQuery]:
    (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    every = sorted({term for word in words for term in word.forms | word.related})
    query = f"SELECT term, doc FROM said_terms WHERE term IN ({', '.join('?' * len(every))})"  # noqa: S608  # nosec
    asked = WeightedQuery(words, dict(connection.execute(query, every).fetchall()), sizes, entries)
    own = [asked.count(word) for word in words]
    found: dict[int, Found] = {}
    left, rarest = _BUDGET, ""
    for number in sorted(range(len(words)), key=own.__getitem__):
        for share, terms in _ways(connection, words[number], asked.counts):
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


def _ways(
    connection: sqlite3.Connection, word: QueryWord, counts: dict[str, int]
) -> Iterator[tuple[float, AbstractSet[str]]]:
    """Yield the terms that stand for a word, and what each counts, the surest first; note the counts of compounds."""
    compounds: set[str] = set()
    starts = [word.stem] if word.stem and not word.is_faint else []
    if starts and len(word.stem) >= _LEAST_END:
        starts.append(f"{END_MARK}{word.stem[::-1]}")
    for start in starts:
        found = connection.execute(
            "SELECT term, doc FROM said_terms WHERE term >= ? AND term < ? LIMIT 200", (start, start + "\U0010ffff")
        ).fetchall()
        counts |= found
        compounds.update(term for term, _ in found)
    members = (_ASKED_MEMBER if word.is_asked_for else _MEMBER, word.members)
    others: list[tuple[float, AbstractSet[str]]] = [(_COMPOUND, compounds), (_SYNONYM, word.synonyms)]
    others.insert(0 if word.is_asked_for else len(others), members)
    taken: set[str] = set()
    for share, terms in [(1.0, word.forms), *others]:
        known = {term for term in terms if counts.get(term) and term not in taken}
        taken |= known
        if share < 1:  # of other words the rarest, as many as there is room for: the others tell little
            rarest = sorted(known, key=lambda term: (counts[term], term))
            read = accumulate(counts[term] for term in rarest)
            known = {term for term, many in zip(rarest, read, strict=True) if many <= _BUDGET // 2}
        if known:
            yield share, known


def _word_gains(asked: WeightedQuery, terms: AbstractSet[str]) -> list[dict[str, float]]:
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


def _score_of(entry: Entry, document: Document, words: Sequence[Mapping[str, float]], *, now: int) -> float:
    places = ((1.0, frozenset(document.terms)), (_TAG, frozenset(document.tags)), (_GLOSS, frozenset(document.glosses)))

    def match(gains: Mapping[str, float], terms: AbstractSet[str], weight: float) -> tuple[float, AbstractSet[str]]:
        met = gains.keys() & terms
        best = sorted((gains[term] for term in met), reverse=True)[:_COUNTED]
        return weight * sum(gain * _FURTHER**place for place, gain in enumerate(best)), met

    matches = [
        max((match(gains, terms, weight) for weight, terms in places), key=lambda item: item[0]) for gains in words
    ]
    beginning = frozenset(document.terms[:_LEAD])
    gained = sum(gain for gain, _ in matches)
    gained += _LEAD_GAIN * sum(gain for gain, terms in matches if terms & beginning)
    at = [{place for place, term in enumerate(document.terms) if term in terms} for _, terms in matches]
    for (gain, _), (other, _), here, there in zip(matches, matches[1:], at, at[1:], strict=False):
        if any(place + 1 in there or place - 1 in there for place in here):
            gained += _PAIR * min(gain, other)
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(document.terms) / _USUAL_LENGTH
    trust = _TRUST[entry.source] * (_CORRECTION if entry.is_correction else 1.0)
    return _ENTRY * gained / length * trust * _recency(entry.updated_at, now=now)
