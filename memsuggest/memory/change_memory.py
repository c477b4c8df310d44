"""Changes of memory by the person, written down so that `undo` takes them back.

Nothing is taken back that changed since, and nothing that was forgotten for good: that leaves the journal, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.errors import MemsuggestError
from memsuggest.files.journal import About
from memsuggest.memory.app_table import open_app_memories, restore_rows, rows_of
from memsuggest.memory.entry import Entry, Layer
from memsuggest.memory.identity_text import LIMIT, identity_size
from memsuggest.memory.memory_journal import (
    MemoryChange,
    MemorySide,
    memory_change_of,
    note_memory_change,
)

if TYPE_CHECKING:
    from memsuggest.memory.memory_journal import AppRow

Place = tuple[str, str, str]
"""What tells entries apart: project, layer and id."""
_TOLD = 8
"""Entries by which a change is told in the list of decisions."""


@contextmanager
def changing_memory(context: Context, verb: str, *, app_id: str = "") -> Iterator[None]:
    """Do what the person wants of their entries, or of an app's memories, as one decision that `undo` takes back.

    All of it or nothing, for entries; an app's memories have a connection and transactions of their own.
    """
    with context.exclusive():
        journal = None if context.is_dry else context.journal  # what cannot be written down is not begun
        before = _side(context, app_id)
        with nullcontext() if app_id else transaction(context.profile.entries.connection):
            yield
        change = _between(before, _side(context, app_id), app_id)
        if journal is None or change is None:
            return
        with transaction(context.state):
            number = journal.begin((), now=context.now(), verb=verb, about=_about(change))
            note_memory_change(context.state, number, change)
            journal.finish(number)


def _side(context: Context, app_id: str) -> MemorySide:
    if app_id:
        return MemorySide(app_rows=_app_rows(context, app_id))
    stored = context.profile.entries.entries(everywhere=True)
    return MemorySide(entries=tuple(entry for entry in stored if not entry.is_fact))


def _app_rows(context: Context, app_id: str) -> tuple[AppRow, ...]:
    store = open_app_memories(context.folders.data / "profile.db", read_only=context.is_dry)
    try:
        return rows_of(store, app_id)
    finally:
        store.close()


def _between(before: MemorySide, after: MemorySide, app_id: str) -> MemoryChange | None:
    """Return what differs; None for nothing."""
    held, holds = _by_place(before.entries), _by_place(after.entries)
    entries = {place for place in held.keys() | holds.keys() if held.get(place) != holds.get(place)}
    known, knows = _by_id(before.app_rows), _by_id(after.app_rows)
    rows = {number for number in known.keys() | knows.keys() if known.get(number) != knows.get(number)}
    if not entries and not rows:
        return None
    return MemoryChange(
        before=MemorySide(entries=_kept(before.entries, entries), app_rows=_rows(before.app_rows, rows)),
        after=MemorySide(entries=_kept(after.entries, entries), app_rows=_rows(after.app_rows, rows)),
        app_id=app_id,
    )


def _place(entry: Entry) -> Place:
    return (entry.project, entry.layer.value, entry.id)


def _by_place(entries: Iterable[Entry]) -> dict[Place, Entry]:
    return {_place(entry): entry._replace(recall_count=0) for entry in entries}


def _by_id(rows: Iterable[AppRow]) -> dict[int, AppRow]:
    return {row["id"]: row for row in rows}


def _kept(entries: Iterable[Entry], places: set[Place]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if _place(entry) in places)


def _rows(rows: Iterable[AppRow], ids: set[int]) -> tuple[AppRow, ...]:
    return tuple(row for row in rows if row["id"] in ids)


def _about(change: MemoryChange) -> list[About]:
    """Return what a change is told by: what is there after it, else what was there before."""
    entries = [entry for entry in change.after.entries if entry not in change.before.entries] or change.before.entries
    rows = change.after.app_rows or change.before.app_rows
    told = [
        About(id=entry.id, content=entry.content) for entry in entries if not entry.superseded_by or len(entries) == 1
    ]
    told += [About(id=f"{change.app_id} {row['id']}", content=str(row["content"])) for row in rows]
    return told[:_TOLD]


def restore_memory(context: Context, number: int) -> list[str]:
    """Take back what an entry of the journal did to memory, but for what changed since; return what is there again.

    Raises MemsuggestError where there is no room for it any more, and then nothing was taken back.
    """
    change = memory_change_of(context.state, number)
    if change is None:
        return []
    if change.app_id:
        return _restore_app(context, change)
    now = _by_place(_side(context, "").entries)
    before, after = _by_place(change.before.entries), _by_place(change.after.entries)
    is_same = {place for place in before.keys() | after.keys() if now.get(place) == after.get(place)}
    back = [entry for entry in change.before.entries if _place(entry) in is_same]
    gone = [entry for entry in change.after.entries if _place(entry) in is_same and _place(entry) not in before]
    _require_room(now, back, gone)
    store = context.profile.entries
    with transaction(store.connection):
        store.remove(gone)
        store.add(back)
    return [item.content for item in back]


def _require_room(now: Mapping[Place, Entry], back: Sequence[Entry], gone: Sequence[Entry]) -> None:
    """Raise MemsuggestError where the identity would not have room for what comes back."""
    if not any(entry.layer is Layer.IDENTITY for entry in back):
        return
    then = dict(now) | {_place(entry): entry for entry in back}
    for item in gone:
        then.pop(_place(item), None)
    size = identity_size([item for item in then.values() if item.layer is Layer.IDENTITY])
    if size > LIMIT:
        raise MemsuggestError(
            f"restoring this would make the identity {size:,} characters long, but the limit is {LIMIT:,}",
            hint="make room with `memsuggest memory edit identity` first",
        )


def _restore_app(context: Context, change: MemoryChange) -> list[str]:
    store = open_app_memories(context.folders.data / "profile.db")
    try:
        back = restore_rows(
            store,
            change.app_id,
            before=change.before.app_rows,
            after=change.after.app_rows,
            limit=int(context.settings.number("maxAppMemories")),
            now=context.now(),
        )
    finally:
        store.close()
    return [str(row["content"]) for row in back]
