"""Membership of a session in a workspace, by what its records say near their beginning and their end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.discovery.surroundings import as_in, json_in
from memsuggest.transcripts.formats.vscode.uris import path_of
from memsuggest.transcripts.parsing.json_records import fields_of, text_of
from memsuggest.transcripts.storage.source import Position, Source
from memsuggest.transcripts.storage.virtual_sessions import folders_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_LOOKED_AT = 128 * 1024  # bytes at either end
_STRING = rb'("(?:[^"\\]|\\.){1,4096}+")'
_FOLDER = re.compile(rb'"(?:cwd|gitRoot|directory)"\s*:\s*' + _STRING)
_FILE = re.compile(rb'"(?:fsPath|path|workingDirectory)"\s*:\s*' + _STRING)
_CLINE_FOLDER = re.compile(rb"Current W(?:orking|orkspace) Directory \(((?:[^()\\]|\\.){1,4096}+)\)")


def is_about(path: str, root: Path, name: str) -> bool:
    """Tell whether the session in a file worked in the root, or below it."""
    folders = _FOLDERS.get(name, named_folders)(path)
    return any(as_in(folder, root) is not None for folder in dict.fromkeys(folders))


def named_folders(path: str) -> Iterator[str]:
    """Return the folders that the records of a session name near its ends."""
    yield from map(_string, _FOLDER.findall(_ends(path)))


def _files(path: str) -> Iterator[str]:
    """The files that a chat without a folder names: those attached to it, read or edited."""
    yield from (path_of(_string(raw)) for raw in _FILE.findall(_ends(path)))


def _cline_folders(path: str) -> Iterator[str]:
    """The folders that the files of a task name: the messages that were sent, those that were shown, its summary."""
    task = Path(path).parent
    for name in ("api_conversation_history.json", "ui_messages.json"):
        # What was shown holds what was sent as JSON inside a string: one more layer of backslashes.
        found = _CLINE_FOLDER.findall(_ends(str(task / name)))
        yield from (_string(b'"' + raw + b'"').replace("\\\\", "\\") for raw in found)
    yield text_of(fields_of(json_in(task / "history_item.json")).get("workspace"))


def _opencode_folders(path: str) -> Iterable[str]:
    return folders_of(Path(path))


_FOLDERS: dict[str, Callable[[str], Iterable[str]]] = {
    "cline": _cline_folders,
    "opencode": _opencode_folders,
    "vscode-chat": _files,
}
"""How to find the folders of sessions that do not name them as others do."""


def _ends(path: str) -> bytes:
    """The first and the last bytes of a file."""
    source = Source.at(Path(path))
    try:
        head = source.head(_LOOKED_AT)
        size = Path(path).stat().st_size
        return head + source.piece(Position(max(size - _LOOKED_AT, _LOOKED_AT)), _LOOKED_AT)
    except (TranscriptError, OSError):
        return b""


def _string(raw: bytes) -> str:
    try:
        return str(json.loads(raw))
    except ValueError:
        return ""
