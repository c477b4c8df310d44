"""Values that were replaced: what the person said later of the same thing, in the same chat or in another one.

A statement replaces an older one when it names the older value beside another ("30 days instead of 14", "14 is not
enough, 35"), and shares a word with what the older one was said in.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from memsuggest.core.database import store_errors
from memsuggest.core.text.when import day
from memsuggest.memory.context_block import Hit
from memsuggest.memory.entry import Layer, Source
from memsuggest.memory.entry_store import TURN_BITS
from memsuggest.memory.index_terms import faint_words, indexed_terms
from memsuggest.memory.turns import PERSON, SaidTurn, unpacked

_VALUE = re.compile(
    r"(?<![\w./:-])(?:v?\d+(?:[.,:]\d+)*"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)\b)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"\b(?:instead of|rather than|not|no longer|statt|anstatt|nicht(?: mehr)?|was|war(?:en)?)\s+"
    rf"(?P<old>{_VALUE.pattern})",
    re.IGNORECASE,
)
"""What names the older value behind the newer one."""
_NEAR = 2  # turns before and after one that tell what its value is about
_LATER = 60  # turns that are looked at for a value that was replaced in another chat, the last ones
_QUOTED = 160


class _Statement(NamedTuple):
    """Something that was said with a value, and the words beside it."""

    text: str
    at: int
    values: frozenset[str]
    words: frozenset[str]
    beside: frozenset[str] = frozenset()  # the words of what was said beside it


def with_replacements(connection: sqlite3.Connection, hits: Sequence[Hit]) -> list[Hit]:
    here = [turn for hit in hits if hit.passage for turn in _later_values(hit.passage.chat)]
    known = [hit for hit in hits if hit.entry.layer is Layer.KNOWLEDGE and hit.entry.source is Source.USER]
    marked = []
    for hit in hits:
        olds = [] if hit.is_weak else [old for old in _answers(hit) if old.values]
        said = [*here, *_elsewhere(connection, olds, hit)] if olds else []
        newer = [_statement(turn.text, turn.at) for turn in said]
        newer += [_statement(other.content, other.when) for other in known if other.entry.project == hit.entry.project]
        found = [new for new in newer for old in olds if new.at > old.at and _is_replaced(old, new)]
        if found:
            last = max(found, key=lambda new: new.at)
            text = last.text if len(last.text) <= _QUOTED else f"{last.text[: _QUOTED - 1]}…"
            hit = hit._replace(replaced_by=f"{day(last.at)}: {text}")  # noqa: PLW2901
        marked.append(hit)
    return marked


def _later_values(turns: Iterable[SaidTurn]) -> Iterator[SaidTurn]:
    """Yield what the person stated with a value; a question states nothing."""
    for turn in turns:
        if turn.by == PERSON and not turn.text.rstrip().endswith("?") and _VALUE.search(turn.text):
            yield turn


def _answers(hit: Hit) -> Iterator[_Statement]:
    """Yield what is shown of a hit with a value: an entry, or turns, each with the words beside it."""
    if hit.passage is None:
        yield _statement(hit.content, hit.when)
        return
    chat = hit.passage.chat
    places = {turn.number: at for at, turn in enumerate(chat)}
    for turn in hit.passage.turns:
        if _VALUE.search(turn.text):
            at = places[turn.number]
            near = chat[max(0, at - _NEAR) : at + _NEAR + 1]
            beside = frozenset[str]().union(*(_words(other.text) for other in near))
            yield _statement(turn.text, turn.at or hit.when)._replace(beside=beside)


def _statement(text: str, at: int) -> _Statement:
    return _Statement(" ".join(text.split()), at, frozenset(map(str.casefold, _VALUE.findall(text))), _words(text))


@lru_cache(maxsize=512)
def _words(text: str) -> frozenset[str]:
    terms = indexed_terms(_VALUE.sub(" ", text))
    return frozenset(term for term in terms if not term[:1].isdigit()) - faint_words()


def _is_replaced(old: _Statement, new: _Statement) -> bool:
    if not (old.values & new.values and new.values - old.values and (old.words | old.beside) & new.words):
        return False
    given_up = {found["old"].casefold() for found in _INSTEAD.finditer(new.text)}
    is_old_first = _VALUE.findall(new.text)[-1].casefold() not in old.values
    return bool(given_up & old.values) if given_up else is_old_first


def _elsewhere(connection: sqlite3.Connection, olds: Sequence[_Statement], hit: Hit) -> Iterator[SaidTurn]:
    """Yield what the person stated later with one of the values and one of the words, in whichever chat."""
    values = {term for old in olds for value in old.values for term in indexed_terms(value) if term.isalnum()}
    words = {term for old in olds for term in old.words | old.beside}
    if not values or not words or hit.passage is None:
        return
    with store_errors(connection):
        found = connection.execute(
            "SELECT rowid FROM said_words WHERE said_words MATCH ? ORDER BY rowid DESC LIMIT ?",
            (f"({_any(values)}) AND ({_any(words)})", _LATER),
        ).fetchall()
        places: dict[int, set[int]] = {}
        for (place,) in found:
            places.setdefault(place >> TURN_BITS, set()).add(place & ((1 << TURN_BITS) - 1))
        marks = ", ".join("?" * len(places))
        rows = connection.execute(
            "SELECT entry, turns FROM session_turns JOIN entries ON entries.row = entry"  # noqa: S608  # nosec
            f" WHERE entry IN ({marks}) AND status = 'active' AND project = ? AND updated_at >= ?",
            (*places, hit.entry.project, hit.when),
        ).fetchall()
    for row in rows:
        turns = unpacked(row["turns"])
        yield from _later_values(turns[at - 1] for at in places[row["entry"]] if 0 < at <= len(turns))


def _any(terms: Iterable[str]) -> str:
    return " OR ".join(f'"{term}"' for term in sorted(terms))
