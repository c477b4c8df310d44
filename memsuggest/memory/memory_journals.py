"""The journals of all workspaces, and old copies of databases, rid of what was forgotten for good.

Each clone has its journal in its own state database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from memsuggest.core.context import Context, state_migrations
from memsuggest.core.database import delete_copies, open_database
from memsuggest.core.workspace import Folders
from memsuggest.memory.entry import Entry
from memsuggest.memory.memory_journal import entries_in_journal, forget_memory_changes

_STATES = "workspaces/*/state.db"


def forget_in_journals(
    context: Context, *, ids: Sequence[str] = (), texts: Sequence[str] = (), app_id: str = ""
) -> None:
    """Let go of every decision, of all workspaces, that keeps the words of what was forgotten for good."""
    if not context.is_dry:
        _delete_copies(context.folders)
        for journal in _journals_of(context):
            forget_memory_changes(journal, ids=ids, texts=texts, app_id=app_id)


def forget_app_in_journals(folders: Folders, *, texts: Sequence[str] = (), app_id: str = "") -> None:
    """Do the same without a workspace, for an app or some of its words."""
    _delete_copies(folders)
    for journal in _journals(folders.state):
        forget_memory_changes(journal, texts=texts, app_id=app_id)


def removed_entries(context: Context) -> tuple[Entry, ...]:
    """Return the entries that no layer holds any more, and that `undo` would bring back."""
    there = {entry.id for entry in context.profile.entries.entries(everywhere=True)}
    journals = (context.state,) if context.is_dry else _journals_of(context)
    found = {entry.id: entry for journal in journals for entry in entries_in_journal(journal) if entry.id not in there}
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
