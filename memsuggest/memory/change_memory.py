"""Changes of memory by the person, written down so that `undo` takes them back.

A row of `journal_memory` belongs to an entry of the journal of edits, which says in which order things are undone, and
holds the rows of entries, or of one app's memories, before and after. Nothing is taken back that changed since, and
nothing that was forgotten for good: that leaves the journals of all workspaces, and old copies of the databases, too.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import Any

from memsuggest.core.context import Context, state_migrations
from memsuggest.core.database import delete_copies, open_database, store_errors, transaction
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.text.words import has_words
from memsuggest.core.workspace import Folders
from memsuggest.files.journal import About
from memsuggest.memory.app_memory import AppMemories
from memsuggest.memory.context_block import IDENTITY_LIMIT, identity_size
from memsuggest.memory.entry import Entry, Layer
from memsuggest.memory.entry_store import COLUMNS, entry_of

_LISTED = 8  # entries by which a change is listed among decisions
_STATES = "workspaces/*/state.db"
_ENTRIES = (
    f"SELECT {COLUMNS}, recall_count FROM entries WHERE fact IS NULL"  # noqa: S608  (a constant)  # nosec
    " ORDER BY layer, position = 0, position, created_at, row"
)
_Rows = dict[tuple[object, ...], Mapping[str, Any]]
"""Rows of entries, or of an app's memories, as their tables have them, by what tells one from another."""


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
        changed = _differing(before, after)
        if journal is None or not changed:
            return
        were, are = ([row for key, row in side.items() if key in changed] for side in (before, after))
        name = "apps" if app_id else "entries"
        sides = [
            {"entries": [], "apps": [], name: rows if app_id else [list(row.values()) for row in rows]}
            for rows in (were, are)
        ]
        # Listed is what is there after it, else what was there before.
        items = [row for row in are if row not in were] or were
        about = [
            About(id=f"{app_id} {row['id']}".strip(), content=str(row["content"]))
            for row in items
            if len(items) == 1 or not row.get("superseded_by")
        ]
        change = json.dumps({"app": app_id, "before": sides[0], "after": sides[1]}, ensure_ascii=False)
        with transaction(context.state):
            number = journal.begin((), now=context.now(), verb=verb, about=about[:_LISTED])
            context.state.execute("INSERT INTO journal_memory VALUES (?, ?)", (number, change))
            journal.finish(number)


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
        before, after = _decoded(change["before"]), _decoded(change["after"])
        same = (before.keys() | after.keys()) - _differing(now, after)
        back = [row for key, row in before.items() if key in same]
        gone = [row for key, row in after.items() if key in same and key not in before]
        if app_id:
            limit = int(context.settings.number("maxAppMemories"))
            AppMemories(store.connection).restore(app_id, back=back, gone=gone, limit=limit, now=context.now())
        else:
            entries = _entries(back)
            size = identity_size([*_entries(row for key, row in now.items() if key not in same), *entries])
            if size > IDENTITY_LIMIT and any(entry.layer is Layer.IDENTITY for entry in entries):
                raise MemsuggestError(
                    f"undoing the change would make the identity {size:,} characters long,"
                    f" but the limit is {IDENTITY_LIMIT:,}",
                    hint="make room with `memsuggest memory edit identity` first",
                )
            store.remove(_entries(gone))
            store.add(entries)
    return [str(row["content"]) for row in back]


def _stored(context: Context, app_id: str) -> _Rows:
    connection = context.profile.entries.connection
    query = "SELECT * FROM app_memories WHERE app_id = ? ORDER BY id" if app_id else _ENTRIES
    with store_errors(connection):
        return _by_key(dict(row) for row in connection.execute(query, (app_id,) if app_id else ()))


def _decoded(side: Mapping[str, Any]) -> _Rows:
    names = COLUMNS.split(", ")
    # One that was noted before there was a position has none.
    rows = [dict(zip(names, [*row[:-1], 0], strict=False)) | {"recall_count": row[-1]} for row in side["entries"]]
    return _by_key([*rows, *side["apps"]])


def _by_key(rows: Iterable[Mapping[str, Any]]) -> _Rows:
    return {(row.get("project"), row.get("layer"), row["id"]): row for row in rows}


def _differing(first: _Rows, other: _Rows) -> set[tuple[object, ...]]:
    """Return the keys of rows that are not the same on both sides, but for the number that a mere look changes."""
    empty: Mapping[str, Any] = {}
    return {
        key
        for key in first.keys() | other.keys()
        if {**first.get(key, empty), "recall_count": 0} != {**other.get(key, empty), "recall_count": 0}
    }


def _entries(rows: Iterable[Mapping[str, Any]]) -> list[Entry]:
    return [entry_of({**row, "fact": None}) for row in rows]


# The journals of all workspaces.


def forget_in_journals(
    folders: Folders,
    context: Context | None = None,
    *,
    ids: Sequence[str] = (),
    texts: Sequence[str] = (),
    app_id: str = "",
) -> None:
    """Let go of every decision, of all workspaces, that would bring these entries or words back, or an app's memories.

    So do old copies of the databases go. `context` is the workspace that is open, if one is.
    """
    if context and context.is_dry:
        return
    for path in (folders.data / "profile.db", *folders.state.glob(_STATES)):
        delete_copies(path)
    marks = [json.dumps(item) for item in ids] + ([f'{{"app": {json.dumps(app_id)}'] if app_id else [])
    wanted = [text for text in texts if text]
    for journal in _journals(folders, context):
        gone = []
        with transaction(journal):
            for number, change in journal.execute("SELECT entry, change FROM journal_memory").fetchall():
                said = list(_strings(json.loads(change))) if wanted else []
                is_named = any(mark in change for mark in marks)
                if is_named or any(has_words(item, text) for item in said for text in wanted):
                    gone.append((number,))
            journal.executemany("DELETE FROM journal WHERE number = ?", gone)


def removed_entries(context: Context) -> tuple[Entry, ...]:
    """Return the entries that no layer holds any more, and that `undo` would bring back."""
    there = {entry.id for entry in context.profile.entries.entries(everywhere=True)}
    found: dict[str, Entry] = {}
    for journal in (context.state,) if context.is_dry else _journals(context.folders, context):
        with store_errors(journal):
            rows = journal.execute("SELECT change FROM journal_memory ORDER BY entry").fetchall()
        changes = [json.loads(change) for (change,) in rows]
        before = [row for change in changes if not change["app"] for row in _decoded(change["before"]).values()]
        found |= {entry.id: entry for entry in _entries(before) if entry.id not in there}
    return tuple(found.values())


def _journals(folders: Folders, context: Context | None) -> Iterator[sqlite3.Connection]:
    if context:  # it is open already: a second opening would drop its locks
        yield context.state
    for path in sorted(folders.state.glob(_STATES)):
        if context is None or path != context.state_path:
            with closing(open_database(path, state_migrations())) as connection:
                yield connection


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
