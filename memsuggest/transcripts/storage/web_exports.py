"""Exports of ChatGPT and claude.ai: all conversations in one file, in an archive or not, told apart by their ids.

Nothing in such a file says which workspace a conversation is about: it is read where the person names it.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from functools import lru_cache
from pathlib import Path

import orjson

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.storage.foreign_database import StoredSession

HEAD = 64 * 1024  # bytes that an export is recognised by
_LIMIT = 256 * 1024 * 1024  # bytes of all conversations
_INSIDE = ("conversations.json", "conversations-000.json")
_ZIP = b"PK\x03\x04"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_IDS = ("conversation_id", "id", "uuid")
_TIMES = ("update_time", "updated_at", "create_time", "created_at")


def sessions(path: Path) -> list[StoredSession]:
    """List the conversations of an export. Raises TranscriptError."""
    return [session for session, _ in _conversations(path, *_stamp(path)).values()]


def content(path: Path, session: str) -> bytes | None:
    """Return the conversation of that id; None where it is not there. Raises TranscriptError."""
    _, found = _conversations(path, *_stamp(path)).get(session, (None, None))
    return found


def is_kind(path: Path) -> bool:
    """Tell by its first bytes whether a file is an export, or an archive with one in it."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
        if head.startswith(_ZIP):
            with zipfile.ZipFile(path) as archive:
                return _name_inside(archive) is not None
    except (OSError, zipfile.BadZipFile, NotImplementedError):
        return False
    shape = outline(head.removeprefix(b"\xef\xbb\xbf").lstrip())
    return shape.opening == "[" and not shape.inner.isdisjoint({"mapping", "chat_messages"})


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise TranscriptError(f"cannot read {path}: {error.strerror}", hint="check that the file exists") from None
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=1)
def _conversations(path: Path, _changed: int, _size: int) -> dict[str, tuple[StoredSession, bytes]]:
    """Take an export apart; it is kept, for its conversations are asked for one after the other."""
    try:
        listed = items_of(orjson.loads(_content(path)))
    except ValueError as error:
        raise TranscriptError(f"{path} is truncated or damaged: {error}", hint="export the chats again") from None
    found = {}
    for conversation in map(fields_of, listed):
        name = next(filter(None, map(text_of, map(conversation.get, _IDS))), "")
        messages = fields_of(conversation.get("mapping")) or items_of(conversation.get("chat_messages"))
        if not (name and messages):
            continue
        try:
            try:
                content = orjson.dumps(conversation)
            except TypeError:  # it writes fewer levels than it reads, Python's own writer nearly as many
                content = json.dumps(conversation, ensure_ascii=False).encode()
        except RecursionError:
            why = f"conversation {name} in {path} is nested too deeply"
            raise TranscriptError(why, hint="remove the conversation from the file to read the others") from None
        at = next(filter(None, map(instant, map(conversation.get, _TIMES))), None)
        found[name] = StoredSession(name, "", int(at.timestamp() * 1000) if at else 0, len(messages)), content
    return found


def _content(path: Path) -> bytes:
    try:
        if not zipfile.is_zipfile(path):
            size = path.stat().st_size
            content = path.read_bytes() if size <= _LIMIT else b""
        else:
            with zipfile.ZipFile(path) as archive:
                name = _name_inside(archive) or ""
                size = archive.getinfo(name).file_size
                content = archive.read(name) if size <= _LIMIT else b""
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, KeyError) as error:
        hint = "extract the archive and specify the file inside"
        raise TranscriptError(f"cannot read {path}: {error}", hint=hint) from None
    if size > _LIMIT:
        what = f"{path} is larger than {_LIMIT // 1024 // 1024} MB"
        raise TranscriptError(what, hint="split the file into smaller ones")
    return content


def _name_inside(archive: zipfile.ZipFile) -> str | None:
    # Other methods are not what these services write, and each fails in its own way on damaged data.
    names = {entry.filename for entry in archive.infolist() if entry.compress_type in _METHODS}
    return next((name for name in _INSIDE if name in names), None)
