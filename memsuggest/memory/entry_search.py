"""Searching memory by words: BM25 over turns and over whole chats, out of one full-text index.

The index holds a document for each entry and for each turn of an archived chat. A chat's score is that of its best
turns and of it as a whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memsuggest.core.database import store_errors
from memsuggest.memory.entry import EVERYWHERE, Entry, Layer
from memsuggest.memory.entry_store import entry_of
from memsuggest.memory.index_terms import document_terms, query_words, stored_document
from memsuggest.memory.moments import Span
from memsuggest.memory.recalled import Hit
from memsuggest.memory.turns import LEAST_ROOM, SaidTurn, passage_of, unpacked
from memsuggest.memory.word_lookup import (
    SATURATION,
    Found,
    WeightedQuery,
    counts_of,
    find_words,
    recency,
    score_of,
    word_gains,
)

_SELECT = "SELECT entries.*, terms FROM entries LEFT JOIN said_words ON said_words.rowid = entries.row << 20"
_CHATS, _CANDIDATES = 40, 400
"""Chats, and other entries, that are read and put in order. Of 10,000 entries the right one is among the first 40 by
counts for .78 of questions, and among the first 400 for .94 (held out: .78, .87)."""
_NEIGHBOUR = 0.5
"""What a word counts for a turn that stands in the turn before or after it."""
_TURN_LENGTH = 0.6
"""BM25's b for turns."""
_TURNS = (1.0, 0.5, 0.25)
"""What the best turns of a chat count."""
_DATED = 0.5
"""What a date that is asked for counts, of the best score by words."""
_SHOWN = 3
"""Turns of a chat that are shown with those beside them."""
_USUAL = 12.0
"""Terms of a usual entry."""
_FUSED, _MEANING = 10, 0.5
"""What is added to a rank before ranks are fused: the first ones count, and those far behind nearly nothing; and what a
rank by meaning counts next to one by words."""
_WEAK, _WEAK_ALONE = 0.5, 1.0
"""The score next to the best, and the strength alone, below which a hit is called weak: 2 to 8 of 100 right answers
are, and 35 to 55 of 100 others."""
_ROOMS = (1_600, 900, 900, 600, 600)
"""Characters of what is shown of the first chats."""


class Near(NamedTuple):
    """An entry that is near a question by its meaning; of a chat, the places of the turns that are."""

    row: int
    first: int
    last: int


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

    def condition(self) -> tuple[str, list[object]]:
        """Return what they let through, as a condition and its values."""
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
        found, asked = find_words(connection, words, sizes)
        near_rows = _rows(connection, [item.row for item in near])
        rows = _candidates(connection, found, asked, sizes, filters) | _of_days(connection, filters, span) | near_rows
        documents = {
            key: stored_document(row["terms"] or "") for key, row in rows.items() if key not in sizes and key in found
        }
        gains = word_gains(asked, {term for document in documents.values() for part in document for term in part})
        hits = []
        for key, row in rows.items():
            entry = entry_of(row)
            if key in documents:
                score = score_of(entry, documents[key], gains, now=now)
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
    return [_finished(hit, place, hits[0], is_near=bool(near)) for place, hit in enumerate(hits)]


def _finished(hit: Hit, place: int, best: Hit, *, is_near: bool) -> Hit:
    room = _ROOMS[place] if place < len(_ROOMS) else LEAST_ROOM
    is_weak = hit.score < _WEAK * best.score or (hit.strength < _WEAK_ALONE and not is_near)
    return hit._replace(passage=hit.passage.within(room) if hit.passage else None, is_weak=is_weak)


def _fused(
    connection: sqlite3.Connection, hits: Sequence[Hit], near: Sequence[tuple[sqlite3.Row, Near]], best: float
) -> list[Hit]:
    """Return what was found by words and by meaning, in the order of both ranks; what was not found counts as last."""
    known = {_place(hit.entry): hit for hit in hits}
    shares = {place: 1 / (_FUSED + rank) for rank, place in enumerate(known, 1)}
    for rank, (row, item) in enumerate(near, 1):
        entry = entry_of(row)
        place = _place(entry)
        if place not in known:
            turns = _turns(connection, item.row)
            passage = passage_of(turns, range(item.first, min(item.last, len(turns)))) if turns else None
            known[place] = Hit(entry=entry, score=0.0, at=passage.best.at if passage else 0, passage=passage)
        shares[place] = shares.get(place, 0.0) + _MEANING / (_FUSED + rank)
    first = (1 + _MEANING) / (_FUSED + 1)
    order = sorted(known, key=lambda place: (-shares[place], place))
    return [known[place]._replace(score=best * shares[place] / first) for place in order]


def _place(entry: Entry) -> tuple[str, str, str]:
    return entry.project, entry.layer.value, entry.id


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
) -> dict[int, sqlite3.Row]:
    """Return the rows of the entries that are worth a closer look, and that filters let through."""
    rough = {
        row: asked.by_counts(counts_of(item), sizes.get(row, 1)) + max(map(asked.of_turn, item.values()))
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
    return {row["row"]: row for row in [*chats[:_CHATS], *others[:_CANDIDATES]]}


def _of_days(connection: sqlite3.Connection, filters: Filters, span: Span | None) -> dict[int, sqlite3.Row]:
    if span is None or Layer.ARCHIVE not in filters.layers:
        return {}
    where, values = filters.condition()
    rows = connection.execute(
        f"{_SELECT} WHERE status = 'active' AND layer = 'L2' AND updated_at >= ? AND created_at < ?"  # nosec
        f" {where} ORDER BY updated_at DESC, row DESC LIMIT ?",
        (span.begin, span.end, *values, _CHATS),
    ).fetchall()
    return {row["row"]: row for row in rows}


def _chat_hit(entry: Entry, turns: Sequence[SaidTurn], found: Found | None, asked: WeightedQuery, *, now: int) -> Hit:
    """Return a chat with its score and the turns that answer; its beginning where no word of it was asked for."""
    beginning = passage_of(turns, [0]) if turns else None
    if found is None:
        return Hit(entry=entry, score=0.0, at=entry.updated_at, passage=beginning)
    scored = _scored(found, asked, turns, entry)
    order = sorted(scored, key=lambda at: -scored[at])
    by_turns = sum(scored[at] * share for at, share in zip(order, _TURNS, strict=False))
    by_chat = asked.by_counts(counts_of(found), len(turns))
    shown = [at - 1 for at in order[:_SHOWN] if 0 < at <= len(turns)]
    passage = passage_of(turns, shown) if shown else beginning
    at = (passage.best.at if passage else 0) or entry.updated_at
    # What is counted is what is shown: a turn with the ones beside it.
    near = [found.get(at, {}) for at in range(max(1, order[0] - 1), order[0] + 2)]
    common, share = _met({word: share for words in reversed(near) for word, share in words.items()}, asked)
    score = (by_turns + by_chat) * recency(at, now=now)
    return Hit(entry=entry, score=score, at=at, passage=passage, common=common, share=share)


def _met(words: Mapping[int, float], asked: WeightedQuery) -> tuple[int, float]:
    """Return how many words of the query some are, but for those of many prompts, and their share by weight."""
    common = sum(not asked.words[word].is_faint for word in words)
    return common, asked.of_turn(words) / (sum(asked.weights) or 1.0)


def _turns(connection: sqlite3.Connection, row: int) -> list[SaidTurn]:
    found = connection.execute("SELECT turns FROM session_turns WHERE entry = ?", (row,)).fetchone()
    return unpacked(found[0]) if found else []


def _scored(found: Found, asked: WeightedQuery, turns: Sequence[SaidTurn], entry: Entry) -> dict[int, float]:
    """Return BM25 of the turns in which a word stands; a word next to a turn counts for it, too."""
    usual = sum(turn.length for turn in turns) / len(turns) if turns else _USUAL
    scores = {}
    for at, words in found.items():
        length = turns[at - 1].length if 0 < at <= len(turns) else len(document_terms(entry.content))
        norm = SATURATION * (1 - _TURN_LENGTH + _TURN_LENGTH * length / max(1.0, usual))
        beside = {} if at == 0 else {**(found.get(at - 1, {}) if at > 1 else {}), **found.get(at + 1, {})}
        near = {word: share for word, share in beside.items() if word not in words}
        own = asked.of_turn(words) * (SATURATION + 1) / (1 + norm)
        scores[at] = own + asked.of_turn(near) * _NEIGHBOUR * (SATURATION + 1) / (_NEIGHBOUR + norm)
    return scores
