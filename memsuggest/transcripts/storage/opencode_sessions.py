"""OpenCode's sessions where it keeps them: since 1.2 in a database, before in a tree of JSON files.

A session in a database is named `opencode.db#ses_1`. In the tree each message and each part of it is a file of its own,
and a session is named by the file below `storage/session` that describes it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import decode, fields_of, text_of
from memsuggest.transcripts.storage.foreign_database import VALUE_LIMIT, StoredSession, columns, is_database, opened

ID = "ses_"


is_kind = is_database


def sessions(path: Path) -> list[StoredSession]:
    """List the sessions in a database that a person may have typed in; none in a database of another kind."""
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
            StoredSession(
                row["id"],
                text_of(row["directory"]),
                row["updated"] if isinstance(row["updated"], int) else 0,
                row["messages"],
            )
            for row in rows
            if text_of(row["id"])
        ]


def content(path: Path, session: str) -> bytes | None:
    """Write the session of that id as `opencode export` would; None where it is not there."""
    if not session.startswith(ID):
        return None
    with opened(path) as connection:
        row = connection.execute("SELECT * FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            return None
        fields = dict(zip(row.keys(), row, strict=True))
        revert = _decoded(text_of(fields.get("revert")).encode()) or {}
        info = {
            "id": session,
            "directory": fields.get("directory"),
            "parentID": fields.get("parent_id"),
            "revert": _kept(revert, ("messageID",)),
        }
        return _export(info, _messages(connection, session))


def _messages(connection: sqlite3.Connection, session: str) -> Iterator[dict[str, Any]]:
    data = f"CASE WHEN length(data) <= {VALUE_LIMIT} THEN CAST(data AS BLOB) END AS data"
    order = "time_created, id" if "time_created" in columns(connection, "message") else "id"
    query = f"SELECT id, {data} FROM message WHERE session_id = ? ORDER BY {order}"  # noqa: S608  # nosec
    parts = f"SELECT id, {data} FROM part WHERE message_id = ? ORDER BY id"  # noqa: S608  # nosec
    for row in connection.execute(query, (session,)).fetchall():
        yield _message(row["id"], row["data"], (part["data"] for part in connection.execute(parts, (row["id"],))))


def is_session_file(path: Path) -> bool:
    """Tell whether a file describes a session, by its place alone."""
    session = path.parent.parent
    return path.name.startswith(ID) and (session.name, session.parent.name) == ("session", "storage")


def file_content(path: Path) -> bytes:
    """Write the session that a file of `storage/session` describes as `opencode export` would."""
    info = _decoded(_bytes_of(path))
    if info is None:
        raise TranscriptError(f"{path} is truncated or damaged", hint="try `opencode export`")
    return _export(
        info,
        (
            _message(message.stem, _bytes_of(message), map(_bytes_of, _listed(path, "part", message.stem)))
            for message in _listed(path, "message", path.stem)
        ),
    )


def file_folder(path: Path) -> str:
    return text_of(fields_of(_decoded(_bytes_of(path))).get("directory"))


def file_changed(path: Path) -> int:
    """Return when the session was written to last, in nanoseconds since the epoch; raises OSError."""
    newest = _listed(path, "message", path.stem)[-1:]
    parts = [part for message in newest for part in _listed(path, "part", message.stem)]
    return max(file.stat().st_mtime_ns for file in (path, *newest, *parts))


def _listed(session: Path, kind: str, name: str) -> list[Path]:
    """List the JSON files of a folder beside a session's by name, which is the order that they came in."""
    try:
        folder = session.parent.parent.parent / kind / name
        return sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    except OSError:
        return []


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.stat().st_size <= VALUE_LIMIT else None
    except OSError:
        return None


_PARTS = frozenset({"text", "file", "patch", "tool"})
_INFO = ("role", "time", "agent", "mode", "modelID", "path", "error")
_PART = ("type", "text", "synthetic", "ignored", "files", "filename", "source", "tool")
_STATE = ("input", "status", "error")


def _decoded(data: bytes | None) -> dict[str, Any] | None:
    try:
        found = decode(data) if data is not None else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _message(name: str, data: bytes | None, parts: Iterable[bytes | None]) -> dict[str, Any]:
    """Put a message together; what cannot be read of it is said in it."""
    info = _decoded(data)
    if info is None:
        return {"unreadable": f"the message {name}"}
    kept: list[dict[str, Any]] = []
    lost = 0
    for part in map(_decoded, parts):
        if part is None:
            lost += 1
        elif text_of(part.get("type")) in _PARTS:
            kept.append(_kept(part, _PART))
            if isinstance(state := part.get("state"), dict):
                answers = fields_of(state.get("metadata")).get("answers")
                kept[-1]["state"] = _kept(state, _STATE) | {"metadata": {"answers": answers}}
    message: dict[str, Any] = {"info": {**_kept(info, _INFO), "id": name}, "parts": kept}
    return message | {"unreadable": f"{lost} parts of the message {name}"} if lost else message


def _kept(fields: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}


def _export(info: dict[str, Any], messages: Iterable[dict[str, Any]]) -> bytes:
    return b'{"info":%b,"messages":[%b]}' % (_encoded(info), b",".join(map(_encoded, messages)))


def _encoded(value: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # nested more deeply, or a larger number, than anybody writes
        return orjson.dumps({"unreadable": "a message"})
