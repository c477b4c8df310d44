"""Cursor's chats: one database for all workspaces, beside it one for each that says which are its own.

Such a database also holds keys and tokens, so only the records of chats are ever asked for. A chat is handed on as one
piece of JSON, without what nobody reads: thoughts, results of tools, the model's own messages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import decode, fields_of, items_of, object_in, path_of, text_of
from memsuggest.transcripts.storage.foreign_database import VALUE_LIMIT, StoredSession, columns, is_database, opened

_CHAT, _MESSAGE = "composerData:", "bubbleId:"
_BEHIND_CHATS = "composerData;"  # the first key behind those of chats: no others are asked for
_KEPT = ("bubbleId", "type", "text", "createdAt")
_CALL = ("name", "rawArgs", "status", "userDecision")


is_kind = is_database


def sessions(path: Path) -> list[StoredSession]:
    """List the chats in a database that a person may have typed in; none in a database of another kind."""
    with opened(path) as connection:
        if not columns(connection, "cursorDiskKV") >= {"key", "value"}:
            return []
        query = (
            "SELECT CAST(value AS BLOB) AS value FROM cursorDiskKV WHERE key >= ? AND key < ? AND length(value) <= ?"
        )
        rows = connection.execute(query, (_CHAT, _BEHIND_CHATS, VALUE_LIMIT))
        decoded = [_object_in(row["value"]) for row in rows]
    chats = [chat for chat in decoded if text_of(chat.get("composerId"))]
    inner = {name for chat in chats for name in items_of(chat.get("subComposerIds")) if isinstance(name, str)}
    own = [chat for chat in chats if chat["composerId"] not in inner]
    folders = _folders_beside(path) if any(not _folder(chat) for chat in own) else {}
    found = (
        StoredSession(
            chat["composerId"],
            _folder(chat) or folders.get(chat["composerId"], ""),
            _milliseconds(chat.get("lastUpdatedAt")) or _milliseconds(chat.get("createdAt")),
            len(_headers(chat)),
        )
        for chat in own
    )
    return sorted(chat for chat in found if chat.messages)


def content(path: Path, session: str) -> bytes | None:
    """Write the chat of that id as one piece of JSON; None where it is not there."""
    with opened(path) as connection:
        chat = _value(connection, "cursorDiskKV", _CHAT + session)
        if not chat:
            return None
        export = {
            "composerId": session,
            "folder": _folder(chat) or _folders_beside(path).get(session, ""),
            "conversation": list(_messages(connection, session, chat)),
        }
    return orjson.dumps(export)


def _messages(connection: sqlite3.Connection, session: str, chat: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for header in _headers(chat):
        name = text_of(header.get("bubbleId"))
        message = header if "text" in header else _value(connection, "cursorDiskKV", f"{_MESSAGE}{session}:{name}")
        if not message:
            yield {"unreadable": f"the message {name}"}
            continue
        call = fields_of(message.get("toolFormerData"))
        kept = {key: message[key] for key in _KEPT if isinstance(message.get(key), (str, int))}
        yield kept | {"bubbleId": name} | ({"call": {key: text_of(call.get(key)) for key in _CALL}} if call else {})


def _headers(chat: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of a chat in their order: by name, or whole, as older versions kept them."""
    listed = items_of(chat.get("fullConversationHeadersOnly")) or items_of(chat.get("conversation"))
    return [header for header in listed if isinstance(header, dict)]


def _value(connection: sqlite3.Connection, table: str, key: str) -> dict[str, Any]:
    query = f"SELECT CAST(value AS BLOB) AS value FROM {table} WHERE key = ? AND length(value) <= ?"  # noqa: S608  # nosec
    row = connection.execute(query, (key, VALUE_LIMIT)).fetchone()
    return _object_in(row["value"]) if row else {}


def _object_in(data: object) -> dict[str, Any]:
    return object_in(data) if isinstance(data, bytes) else {}


def _folder(chat: dict[str, Any]) -> str:
    return path_of(fields_of(chat.get("workspaceIdentifier")).get("uri"))


def _milliseconds(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e15 else 0


def _folders_beside(path: Path) -> dict[str, str]:
    """Read from the workspaces' own databases which chats are theirs, chat → folder."""
    found: dict[str, str] = {}
    try:
        storages = sorted((path.parent.parent / "workspaceStorage").iterdir())
    except OSError:
        return found
    for storage in storages:
        try:
            place = fields_of(decode((storage / "workspace.json").read_bytes())).get("folder")
            with opened(storage / "state.vscdb") as connection:
                own = _value(connection, "ItemTable", "composer.composerData")
        except (OSError, ValueError, TranscriptError):
            continue
        listed = [fields_of(chat).get("composerId") for chat in items_of(own.get("allComposers"))]
        chats = (chat for chat in (*listed, *items_of(own.get("selectedComposerIds"))) if isinstance(chat, str))
        found |= dict.fromkeys(chats, path_of(place))
    return found
