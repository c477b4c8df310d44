"""Files that hold chats in a form nobody can read as a transcript: databases, archives, encrypted sessions.

Recognised only to say what to do instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.errors import TranscriptError

if TYPE_CHECKING:
    from memsuggest.core.model import Transcript
    from memsuggest.transcripts.storage.source import Source

NAME = "container"


class _Container(NamedTuple):
    magic: bytes
    ending: str
    """Of the file's name, where the first bytes tell nothing."""
    what: str
    hint: str


_CONTAINERS = (
    _Container(
        b"SQLite format 3\0",
        "",
        "a database",
        "export the chat first: `opencode export`, SpecStory for Cursor, `/export` or a copy elsewhere",
    ),
    _Container(b"PK\x03\x04", "", "a zip archive", "unpack it and pass the files inside"),
    _Container(b"", "cascade/*.pb", "an encrypted Windsurf session", "copy the chat to a text file with `User:` lines"),
)


def sniff(head: bytes, name: str) -> bool:
    """Recognise a container by its first bytes, or by its place."""
    return _kind(head, name) is not None


def read(source: Source) -> Transcript:
    """Raise a TranscriptError that says what to do instead."""
    kind = _kind(source.head(), source.name) or _CONTAINERS[0]
    raise TranscriptError(f"{source.name} is {kind.what}, not a transcript", hint=kind.hint)


def _kind(head: bytes, name: str) -> _Container | None:
    place = name.replace("\\", "/")
    for kind in _CONTAINERS:
        folder, _, ending = kind.ending.partition("*")
        if head.startswith(kind.magic) if kind.magic else (folder in place and place.endswith(ending)):
            return kind
    return None
