"""Where OpenCode keeps its sessions: a database since 1.2, before it a tree of JSON files; read as exports are.

A session in a database is named `opencode.db#ses_1`. Only what the reader uses is taken: results of tools and the
snapshots of whole files are left where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import decode, fields_of, text_of
from memsuggest.transcripts.storage.foreign_database import VALUE_LIMIT, StoredSession, columns, opened

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

ID = "ses_"
"""How ids of sessions begin."""
_PARTS = frozenset({"text", "file", "patch", "tool"})
_INFO = ("role", "time", "agent", "mode", "modelID", "path", "error")
_PART = ("type", "text", "synthetic", "ignored", "files", "filename", "source", "tool")
_STATE = ("input", "status", "error")
_HINT = "`opencode export` still writes it"


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
            StoredSession(row["id"], text_of(row["directory"]), _number(row["updated"]), row["messages"])
            for row in rows
            if text_of(row["id"])
        ]


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def session_in_database(path: Path, session: str) -> bytes:
    """Write the session of that id as `opencode export` would; raises TranscriptError."""
    with opened(path) as connection:
        row = connection.execute("SELECT * FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            raise TranscriptError(f"{path} holds no session {session}", hint=f"`memsuggest transcripts {path}`")
        return _export(_info(row), _messages(connection, session))


def _info(row: sqlite3.Row) -> dict[str, Any]:
    told = {name: row[name] for name in row.keys()}  # noqa: SIM118  a row is no mapping
    revert = told.get("revert")
    return {
        "id": told["id"],
        "directory": told.get("directory"),
        "parentID": told.get("parent_id"),
        "revert": _kept(_decoded(revert.encode()) or {}, ("messageID",)) if isinstance(revert, str) else None,
    }


def _messages(connection: sqlite3.Connection, session: str) -> Iterator[dict[str, Any]]:
    data = f"CASE WHEN length(data) <= {VALUE_LIMIT} THEN CAST(data AS BLOB) END AS data"
    order = "time_created, id" if "time_created" in columns(connection, "message") else "id"
    query = f"SELECT id, {data} FROM message WHERE session_id = ? ORDER BY {order}"  # noqa: S608  # nosec
    parts = f"SELECT id, {data} FROM part WHERE message_id = ? ORDER BY id"  # noqa: S608  # nosec
    for row in connection.execute(query, (session,)).fetchall():
        found = connection.execute(parts, (row["id"],))
        yield _message(row["id"], _decoded(row["data"]), (_decoded(part["data"]) for part in found))


def session_in_tree(path: Path) -> bytes:
    """Write the session that a file of `storage/session` describes as `opencode export` would."""
    info = _decoded(_content(path))
    if info is None:
        raise TranscriptError(f"{path} is cut off or damaged", hint=_HINT)
    storage = path.parent.parent.parent
    return _export(info, _messages_in_tree(storage, path.stem))


def is_in_tree(path: Path) -> bool:
    """Tell whether a file describes a session, by its place alone."""
    session = path.parent.parent
    return path.name.startswith("ses_") and (session.name, session.parent.name) == ("session", "storage")


def folder_in_tree(path: Path) -> str:
    """Read the folder that a session worked in."""
    return text_of(fields_of(_decoded(_content(path))).get("directory"))


def changed_in_tree(path: Path) -> int:
    """Return when the session was written to last, in nanoseconds since the epoch; raises OSError."""
    storage = path.parent.parent.parent
    newest = _listed(storage / "message" / path.stem)[-1:]
    parts = [part for message in newest for part in _listed(storage / "part" / message.stem)]
    return max(each.stat().st_mtime_ns for each in (path, *newest, *parts))


def _messages_in_tree(storage: Path, session: str) -> Iterator[dict[str, Any]]:
    for message in _listed(storage / "message" / session):
        parts = _listed(storage / "part" / message.stem)
        yield _message(message.stem, _decoded(_content(message)), (_decoded(_content(part)) for part in parts))


def _listed(folder: Path) -> list[Path]:
    """List the JSON files of a folder by name, which is the order that they came in."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    except OSError:
        return []


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.stat().st_size <= VALUE_LIMIT else None
    except OSError:
        return None


def _decoded(data: bytes | None) -> dict[str, Any] | None:
    """Decode an object; None for anything else."""
    try:
        found = decode(data) if data is not None else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _message(name: str, data: dict[str, Any] | None, parts: Iterator[dict[str, Any] | None]) -> dict[str, Any]:
    """Put a message together; what cannot be read of it is said in it."""
    if data is None:
        return {"unreadable": f"the message {name}"}
    kept: list[dict[str, Any]] = []
    lost = 0
    for part in parts:
        lost += part is None
        if part is not None and text_of(part.get("type")) in _PARTS:
            kept.append(_pruned(part))
    message: dict[str, Any] = {"info": {**_kept(data, _INFO), "id": name}, "parts": kept}
    return message | {"unreadable": f"{lost} parts of the message {name}"} if lost else message


def _pruned(part: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(state := part.get("state"), dict):
        return _kept(part, _PART)
    answers = fields_of(state.get("metadata")).get("answers")
    return _kept(part, _PART) | {"state": _kept(state, _STATE) | {"metadata": {"answers": answers}}}


def _kept(fields: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}


def _export(info: dict[str, Any], messages: Iterator[dict[str, Any]]) -> bytes:
    return b'{"info":%b,"messages":[%b]}' % (_encoded(info), b",".join(map(_encoded, messages)))


def _encoded(value: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # nested more deeply, or a larger number, than anybody writes
        return orjson.dumps({"unreadable": "a message"})
