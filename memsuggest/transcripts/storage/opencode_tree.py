"""OpenCode's sessions before 1.2: a tree of JSON files, one for each message and each part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import fields_of, text_of
from memsuggest.transcripts.storage.foreign_database import VALUE_LIMIT
from memsuggest.transcripts.storage.opencode_export import decoded, export, message

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HINT = "`opencode export` still writes it"


def content(path: Path) -> bytes:
    """Write the session that a file of `storage/session` describes as `opencode export` would."""
    info = decoded(_bytes_of(path))
    if info is None:
        raise TranscriptError(f"{path} is cut off or damaged", hint=_HINT)
    storage = path.parent.parent.parent
    return export(info, _messages(storage, path.stem))


def holds(path: Path) -> bool:
    """Tell whether a file describes a session, by its place alone."""
    session = path.parent.parent
    return path.name.startswith("ses_") and (session.name, session.parent.name) == ("session", "storage")


def folder(path: Path) -> str:
    """Read the folder that a session worked in."""
    return text_of(fields_of(decoded(_bytes_of(path))).get("directory"))


def changed(path: Path) -> int:
    """Return when the session was written to last, in nanoseconds since the epoch; raises OSError."""
    storage = path.parent.parent.parent
    newest = _listed(storage / "message" / path.stem)[-1:]
    parts = [part for message in newest for part in _listed(storage / "part" / message.stem)]
    return max(each.stat().st_mtime_ns for each in (path, *newest, *parts))


def _messages(storage: Path, session: str) -> Iterator[dict[str, Any]]:
    for written in _listed(storage / "message" / session):
        parts = _listed(storage / "part" / written.stem)
        yield message(written.stem, decoded(_bytes_of(written)), (decoded(_bytes_of(part)) for part in parts))


def _listed(folder: Path) -> list[Path]:
    """List the JSON files of a folder by name, which is the order that they came in."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    except OSError:
        return []


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.stat().st_size <= VALUE_LIMIT else None
    except OSError:
        return None
