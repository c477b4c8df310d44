"""Changes of memory by the person, written down so that `undo` takes them back.

A row of `journal_memory` belongs to an entry of the journal of edits, which says in which order things are undone, and
holds the entries, or the rows of one app, before and after. Nothing is taken back that changed since, and nothing that
was forgotten for good: that leaves the journals of all workspaces, and old copies of the databases, too.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from memsuggest.core.context import Context, state_migrations
from memsuggest.core.database import delete_copies, open_database, store_errors, transaction
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.text.words import has_words
from memsuggest.core.workspace import Folders
from memsuggest.files.journal import About
from memsuggest.memory.app_table import AppMemories, AppRow
from memsuggest.memory.entry import Entry, Layer
from memsuggest.memory.entry_store import COLUMNS, entry_of, entry_values
from memsuggest.memory.identity_text import LIMIT, identity_size

_LISTED = 8
"""Entries by which a change is listed among decisions."""
_STATES = "workspaces/*/state.db"


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
        sides = [[item for key, item in side.items() if key in changed] for side in (before, after)]
        change = {"app": app_id, "before": _encode(sides[0]), "after": _encode(sides[1])}
        with transaction(context.state):
            number = journal.begin((), now=context.now(), verb=verb, about=_about(sides[0], sides[1], app_id))
            values = (number, json.dumps(change, ensure_ascii=False))
            context.state.execute("INSERT INTO journal_memory VALUES (?, ?)", values)
            journal.finish(number)


def _about(before: Sequence[Entry | AppRow], after: Sequence[Entry | AppRow], app_id: str) -> list[About]:
    """Return what a change is listed by: what is there after it, else what was there before."""
    items = [item for item in after if item not in before] or before
    about = [
        About(id=item.id, content=item.content)
        if isinstance(item, Entry)
        else About(id=f"{app_id} {item['id']}", content=str(item["content"]))
        for item in items
        if len(items) == 1 or not (isinstance(item, Entry) and item.superseded_by)
    ]
    return about[:_LISTED]


def restore_memory(context: Context, number: int) -> list[str]:
    """Take back what an entry of the journal did to memory, but for what changed since; return what is there again.

    Raises MemsuggestError where there is no room for it any more, and then nothing was taken back.
    """
    with store_errors(context.state):
        row = context.state.execute("SELECT change FROM journal_memory WHERE entry = ?", (number,)).fetchone()
    if row is None:
        return []
    change = json.loads(row[0])
    app_id, store = change["app"], context.profile.entries
    with transaction(store.connection):
        now = _stored(context, app_id)
        before, after = _by_key(_decode(change["before"])), _by_key(_decode(change["after"]))
        same = [key for key in before | after if _plain(now.get(key)) == _plain(after.get(key))]
        back = [before[key] for key in same if key in before]
        gone = [after[key] for key in same if key not in before]
        entries = [item for item in back if isinstance(item, Entry)]
        if app_id:
            rows, out = ([item for item in side if not isinstance(item, Entry)] for side in (back, gone))
            limit = int(context.settings.number("maxAppMemories"))
            AppMemories(store.connection).restore(app_id, back=rows, gone=out, limit=limit, now=context.now())
        left = [item for key, item in now.items() if key not in same and isinstance(item, Entry)]
        size = identity_size([*left, *entries])
        if size > LIMIT and any(entry.layer is Layer.IDENTITY for entry in entries):
            raise MemsuggestError(
                f"undoing the change would make the identity {size:,} characters long, but the limit is {LIMIT:,}",
                hint="make room with `memsuggest memory edit identity` first",
            )
        store.remove(item for item in gone if isinstance(item, Entry))
        store.add(entries)
    return [item.content if isinstance(item, Entry) else str(item["content"]) for item in back]


def _stored(context: Context, app_id: str) -> dict[object, Entry | AppRow]:
    store = context.profile.entries
    if app_id:
        return _by_key(AppMemories(store.connection).rows_of(app_id))
    return _by_key([entry for entry in store.entries(everywhere=True) if not entry.is_fact])


def _by_key(items: Sequence[Entry | AppRow]) -> dict[object, Entry | AppRow]:
    return {(item.project, item.layer, item.id) if isinstance(item, Entry) else item["id"]: item for item in items}


def _plain(item: Entry | AppRow | None) -> Entry | AppRow | None:
    """Return an item without the number that a mere look changes."""
    return item._replace(recall_count=0) if isinstance(item, Entry) else item


# The journals of all workspaces.


def forget_in_journals(
    context: Context, *, ids: Sequence[str] = (), texts: Sequence[str] = (), app_id: str = ""
) -> None:
    """Let go of every decision, of all workspaces, that keeps the words of what was forgotten for good."""
    if not context.is_dry:
        _delete_copies(context.folders)
        for journal in _journals_of(context):
            _forget_changes(journal, ids=ids, texts=texts, app_id=app_id)


def forget_app_in_journals(folders: Folders, *, texts: Sequence[str] = (), app_id: str = "") -> None:
    """Do the same without a workspace, for an app or some of its words."""
    _delete_copies(folders)
    for journal in _journals(folders.state):
        _forget_changes(journal, texts=texts, app_id=app_id)


def removed_entries(context: Context) -> tuple[Entry, ...]:
    """Return the entries that no layer holds any more, and that `undo` would bring back."""
    there = {entry.id for entry in context.profile.entries.entries(everywhere=True)}
    found: dict[str, Entry] = {}
    for journal in (context.state,) if context.is_dry else _journals_of(context):
        with store_errors(journal):
            rows = journal.execute("SELECT change FROM journal_memory ORDER BY entry").fetchall()
        before = [item for (change,) in rows for item in _decode(json.loads(change)["before"])]
        found |= {item.id: item for item in before if isinstance(item, Entry) and item.id not in there}
    return tuple(found.values())


def _delete_copies(folders: Folders) -> None:
    delete_copies(folders.data / "profile.db")
    for path in folders.state.glob(_STATES):
        delete_copies(path)


def _journals_of(context: Context) -> Iterator[sqlite3.Connection]:
    yield context.state
    # It is open already: a second opening would drop its locks.
    yield from _journals(context.folders.state, but=context.state_path)


def _journals(state: Path, *, but: Path | None = None) -> Iterator[sqlite3.Connection]:
    for path in sorted(state.glob(_STATES)):
        if path != but:
            connection = open_database(path, state_migrations())
            try:
                yield connection
            finally:
                connection.close()


def _forget_changes(
    connection: sqlite3.Connection, *, ids: Iterable[str] = (), texts: Iterable[str] = (), app_id: str = ""
) -> None:
    """Let go of what would bring these entries or words back, or any memory of an app, with all that it keeps."""
    marks = [json.dumps(item) for item in ids] + ([f'{{"app": {json.dumps(app_id)}'] if app_id else [])
    wanted = [text for text in texts if text]
    gone = []
    with transaction(connection):
        for number, change in connection.execute("SELECT entry, change FROM journal_memory").fetchall():
            said = list(_strings(json.loads(change))) if wanted else []
            if any(mark in change for mark in marks) or any(has_words(item, text) for item in said for text in wanted):
                gone.append((number,))
        connection.executemany("DELETE FROM journal WHERE number = ?", gone)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
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
