"""Whether a session is about a workspace, by what its records say near their beginning and their end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.places import is_same_or_below
from memsuggest.transcripts.source import Position, Source

if TYPE_CHECKING:
    from collections.abc import Callable

_LOOKED_AT = 128 * 1024  # bytes at either end
_FOLDER = re.compile(rb'"(?:cwd|gitRoot|directory)"\s*:\s*("(?:[^"\\]|\\.){1,4096}+")')
_CLINE_FOLDER = re.compile(rb"Current W(?:orking|orkspace) Directory \(((?:[^()\\]|\\.){1,4096}+)\)")


def is_about(path: str, root: Path, name: str) -> bool:
    """Tell whether the session in a file worked in the root, or below it."""
    return any(is_same_or_below(folder, root) for folder in _FOLDERS.get(name, _named_folders)(path))


def _named_folders(path: str) -> set[str]:
    """The folders that the records of a session name."""
    return {folder for raw in _FOLDER.findall(_ends(path)) if (folder := _string(raw))}


def _cline_folders(path: str) -> set[str]:
    """The folders that the messages beside a task's shown ones name."""
    head = _ends(str(Path(path).with_name("api_conversation_history.json")))
    return {_string(b'"' + raw + b'"') for raw in _CLINE_FOLDER.findall(head)}


_FOLDERS: dict[str, Callable[[str], set[str]]] = {"cline": _cline_folders}
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
