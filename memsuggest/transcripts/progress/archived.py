"""Sessions that were archived, as their files were then. Volatile: losing it costs a second reading, no entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.database import light_transaction, store_errors

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memsuggest.transcripts.discovery import FoundTranscript


def archived_m001(connection: sqlite3.Connection) -> None:
    """Create the table."""
    connection.execute(
        "CREATE TABLE archived (path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID"
    )


def archived_m002(connection: sqlite3.Connection) -> None:
    """Archive once more what was archived before turns were kept."""
    connection.execute("DELETE FROM archived")


MIGRATIONS = (archived_m001, archived_m002)


def not_archived(connection: sqlite3.Connection, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return the transcripts that were not archived as they are now."""
    with store_errors(connection):
        known = {path: (size, at) for path, size, at in connection.execute("SELECT path, size, mtime_ns FROM archived")}
    return [one for one in found if known.get(one.place) != (one.size, one.mtime_ns)]


def mark_archived(connection: sqlite3.Connection, one: FoundTranscript) -> None:
    """Remember that a transcript was archived as it is."""
    with light_transaction(connection):
        connection.execute("INSERT OR REPLACE INTO archived VALUES (?, ?, ?)", (one.place, one.size, one.mtime_ns))
