"""Changes of memory by the person, written down so that `undo` takes them back.

Nothing is taken back that changed since, and nothing that was forgotten for good: that leaves the journal, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.errors import MemsuggestError
from memsuggest.files.journal import About
from memsuggest.memory.app_table import AppMemories
from memsuggest.memory.entry import Entry, Layer
from memsuggest.memory.identity_text import LIMIT, identity_size
from memsuggest.memory.memory_journal import AppRow, MemoryChange, memory_change_of, note_memory_change

_LISTED = 8
"""Entries by which a change is listed among decisions."""


@contextmanager
def changing_memory(context: Context, verb: str, *, app_id: str = "") -> Iterator[None]:
    """Do what the person wants of their entries, or of an app's memories, as one decision that `undo` takes back.

    All of it or nothing, for entries; an app's memories have transactions of their own.
    """
    with context.exclusive():
        journal = None if context.is_dry else context.journal  # what cannot be written down is not begun
        before = _stored(context, app_id)
        with nullcontext() if app_id else transaction(context.profile.entries.connection):
            yield
        after = _stored(context, app_id)
        changed = {key for key in before | after if _plain(before.get(key)) != _plain(after.get(key))}
        if journal is None or not changed:
            return
        change = MemoryChange(
            before=[item for key, item in before.items() if key in changed],
            after=[item for key, item in after.items() if key in changed],
            app_id=app_id,
        )
        with transaction(context.state):
            number = journal.begin((), now=context.now(), verb=verb, about=_about(change))
            note_memory_change(context.state, number, change)
            journal.finish(number)


def _stored(context: Context, app_id: str) -> dict[object, Entry | AppRow]:
    store = context.profile.entries
    if app_id:
        return _by_key(AppMemories(store.connection).rows_of(app_id))
    return _by_key([entry for entry in store.entries(everywhere=True) if not entry.is_fact])


def _by_key(items: Sequence[Entry | AppRow]) -> dict[object, Entry | AppRow]:
    """Return items by what tells them apart."""
    return {(item.project, item.layer, item.id) if isinstance(item, Entry) else item["id"]: item for item in items}


def _plain(item: Entry | AppRow | None) -> Entry | AppRow | None:
    """Return an item without the number that a mere look changes."""
    return item._replace(recall_count=0) if isinstance(item, Entry) else item


def _about(change: MemoryChange) -> list[About]:
    """Return what a change is listed by: what is there after it, else what was there before."""
    items = [item for item in change.after if item not in change.before] or change.before
    about = [
        About(id=item.id, content=item.content)
        if isinstance(item, Entry)
        else About(id=f"{change.app_id} {item['id']}", content=str(item["content"]))
        for item in items
        if len(items) == 1 or not (isinstance(item, Entry) and item.superseded_by)
    ]
    return about[:_LISTED]


def restore_memory(context: Context, number: int) -> list[str]:
    """Take back what an entry of the journal did to memory, but for what changed since; return what is there again.

    Raises MemsuggestError where there is no room for it any more, and then nothing was taken back.
    """
    change = memory_change_of(context.state, number)
    if change is None:
        return []
    store = context.profile.entries
    with transaction(store.connection):
        now, before, after = _stored(context, change.app_id), _by_key(change.before), _by_key(change.after)
        same = [key for key in before | after if _plain(now.get(key)) == _plain(after.get(key))]
        back, rows_back = _by_sort(before[key] for key in same if key in before)
        gone, rows_gone = _by_sort(after[key] for key in same if key not in before)
        if change.app_id:
            limit = int(context.settings.number("maxAppMemories"))
            apps = AppMemories(store.connection)
            apps.restore(change.app_id, back=rows_back, gone=rows_gone, limit=limit, now=context.now())
        left, _ = _by_sort(item for key, item in now.items() if key not in same)
        size = identity_size([*left, *back])
        if size > LIMIT and any(entry.layer is Layer.IDENTITY for entry in back):
            raise MemsuggestError(
                f"undoing the change would make the identity {size:,} characters long, but the limit is {LIMIT:,}",
                hint="make room with `memsuggest memory edit identity` first",
            )
        store.remove(gone)
        store.add(back)
    return [entry.content for entry in back] + [str(row["content"]) for row in rows_back]


def _by_sort(items: Iterable[Entry | AppRow]) -> tuple[list[Entry], list[AppRow]]:
    entries: list[Entry] = []
    rows: list[AppRow] = []
    for item in items:
        if isinstance(item, Entry):
            entries.append(item)
        else:
            rows.append(item)
    return entries, rows
