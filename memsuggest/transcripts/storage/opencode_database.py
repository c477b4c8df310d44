"""OpenCode's sessions since 1.2: in a database. A session in it is named `opencode.db#ses_1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import text_of
from memsuggest.transcripts.storage.foreign_database import VALUE_LIMIT, StoredSession, columns, is_database, opened
from memsuggest.transcripts.storage.opencode_export import decoded, export, kept, message

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

ID = "ses_"
"""How ids of sessions begin."""


def sessions(path: Path) -> list[StoredSession]:
    """List the sessions in a database that a person may have typed in; none in a database of another kind."""
    if not is_database(path):
        return []
    with opened(path) as connection:
        known = columns(connection, "session")
        if not known >= {"id", "directory"} or not columns(connection, "part"):
            return []
        updated = "time_updated" if "time_updated" in known else "0"
        whose = "parent_id IS NULL" if "parent_id" in known else "1"
        rows = connection.execute(
            f"SELECT id, directory, {updated} AS updated, (SELECT count(*) FROM message WHERE session_id = session.id)"  # noqa: S608  # nosec
            f" AS messages FROM session WHERE {whose} ORDER BY id"
        )
        return [
            StoredSession(row["id"], text_of(row["directory"]), _number(row["updated"]), row["messages"])
            for row in rows
            if text_of(row["id"])
        ]


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def content(path: Path, session: str) -> bytes | None:
    """Write the session of that id as `opencode export` would; None in a database of another kind."""
    if not session.startswith(ID) or not is_database(path):
        return None
    with opened(path) as connection:
        row = connection.execute("SELECT * FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            raise TranscriptError(f"{path} holds no session {session}", hint=f"`memsuggest transcripts {path}`")
        return export(_info(row), _messages(connection, session))


def _info(row: sqlite3.Row) -> dict[str, Any]:
    told = {name: row[name] for name in row.keys()}  # noqa: SIM118  a row is no mapping
    revert = told.get("revert")
    return {
        "id": told["id"],
        "directory": told.get("directory"),
        "parentID": told.get("parent_id"),
        "revert": kept(decoded(revert.encode()) or {}, ("messageID",)) if isinstance(revert, str) else None,
    }


def _messages(connection: sqlite3.Connection, session: str) -> Iterator[dict[str, Any]]:
    data = f"CASE WHEN length(data) <= {VALUE_LIMIT} THEN CAST(data AS BLOB) END AS data"
    order = "time_created, id" if "time_created" in columns(connection, "message") else "id"
    query = f"SELECT id, {data} FROM message WHERE session_id = ? ORDER BY {order}"  # noqa: S608  # nosec
    parts = f"SELECT id, {data} FROM part WHERE message_id = ? ORDER BY id"  # noqa: S608  # nosec
    for row in connection.execute(query, (session,)).fetchall():
        found = connection.execute(parts, (row["id"],))
        yield message(row["id"], decoded(row["data"]), (decoded(part["data"]) for part in found))
