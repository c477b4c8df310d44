"""The journal of memory for `undo`: the entries before and after a change, in the layers and of one app.

A row belongs to an entry of the journal of edits, which says in which order things are undone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memsuggest.core.database import store_errors, transaction
from memsuggest.core.text.words import has_words
from memsuggest.memory.entry import Entry
from memsuggest.memory.entry_rows import COLUMNS, entry_of, entry_values

AppRow = Mapping[str, Any]
"""A row of an app's memories, as the table has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """One change of memory, of entries or of the rows of one app; `app_id` names that."""

    before: Sequence[Entry | AppRow]
    after: Sequence[Entry | AppRow]
    app_id: str = ""


def memory_journal_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE journal_memory (entry INTEGER PRIMARY KEY REFERENCES journal ON DELETE CASCADE,"
        " change TEXT NOT NULL)"
    )


MIGRATIONS = (memory_journal_m001,)


def note_memory_change(connection: sqlite3.Connection, number: int, change: MemoryChange) -> None:
    """Write down what happened to memory as a part of an entry of the journal."""
    text = json.dumps(
        {"app": change.app_id, "before": _encode(change.before), "after": _encode(change.after)}, ensure_ascii=False
    )
    with transaction(connection):
        connection.execute("INSERT INTO journal_memory VALUES (?, ?)", (number, text))


def memory_change_of(connection: sqlite3.Connection, number: int) -> MemoryChange | None:
    """Return what an entry of the journal did to memory; None for one that did nothing."""
    with store_errors(connection):
        row = connection.execute("SELECT change FROM journal_memory WHERE entry = ?", (number,)).fetchone()
    if row is None:
        return None
    change = json.loads(row[0])
    return MemoryChange(before=_decode(change["before"]), after=_decode(change["after"]), app_id=change["app"])


def entries_in_journal(connection: sqlite3.Connection) -> list[Entry]:
    """Return the entries that are kept to be brought back."""
    with store_errors(connection):
        rows = connection.execute("SELECT change FROM journal_memory ORDER BY entry").fetchall()
    before = [item for (change,) in rows for item in _decode(json.loads(change)["before"])]
    return [item for item in before if isinstance(item, Entry)]


def forget_memory_changes(
    connection: sqlite3.Connection, *, ids: Iterable[str] = (), texts: Iterable[str] = (), app_id: str = ""
) -> None:
    """Let go of what would bring these entries or words back, or any memory of an app, with all that it keeps."""
    marks = [json.dumps(item) for item in ids] + ([f'{{"app": {json.dumps(app_id)}'] if app_id else [])
    gone = [item for item in texts if item]
    with transaction(connection):
        for mark in marks:
            connection.execute(
                "DELETE FROM journal WHERE number IN (SELECT entry FROM journal_memory WHERE instr(change, ?))", (mark,)
            )
        for number, change in connection.execute("SELECT entry, change FROM journal_memory").fetchall() if gone else ():
            if any(has_words(said, text) for said in _strings(json.loads(change)) for text in gone):
                connection.execute("DELETE FROM journal WHERE number = ?", (number,))


def _strings(value: object) -> Iterator[str]:
    """Yield every string within a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _encode(side: Sequence[Entry | AppRow]) -> dict[str, object]:
    entries = [[*entry_values(item), item.recall_count] for item in side if isinstance(item, Entry)]
    return {"entries": entries, "apps": [dict(item) for item in side if not isinstance(item, Entry)]}


def _decode(side: Mapping[str, Any]) -> list[Entry | AppRow]:
    names = COLUMNS.split(", ")
    entries: list[Entry | AppRow] = []
    for *columns, count in side["entries"]:  # one that was noted before there was a position has none
        row = dict(zip(names, [*columns, 0], strict=False)) | {"recall_count": count, "fact": None}
        entries.append(entry_of(row))
    return [*entries, *side["apps"]]
