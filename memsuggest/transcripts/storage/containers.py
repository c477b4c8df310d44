"""Files that hold chats in a form nobody can read as a transcript: databases, archives, encrypted sessions.

Recognised only to say what to do instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.core.errors import TranscriptError

if TYPE_CHECKING:
    from memsuggest.core.model import Transcript
    from memsuggest.transcripts.storage.source import Source

NAME = "container"


_DATABASE = (
    "a database",
    (
        "export the chat first: `opencode export` for OpenCode, SpecStory for Cursor, `/export` or copy and paste "
        "for other assistants"
    ),
)


def sniff(head: bytes, name: str) -> bool:
    """Recognise a container by its first bytes, or by its place."""
    return _kind(head, name) is not None


def read(source: Source) -> Transcript:
    what, hint = _kind(source.head(), source.name) or _DATABASE
    raise TranscriptError(f"{source.name} is {what}, not a transcript", hint=hint)


def _kind(head: bytes, name: str) -> tuple[str, str] | None:
    place = name.replace("\\", "/")
    if head.startswith(b"SQLite format 3\0"):
        return _DATABASE
    if head.startswith(b"PK\x03\x04"):
        return "a zip archive", "extract the archive and specify the files inside"
    if "cascade/" in place and place.endswith(".pb"):
        return "an encrypted Windsurf session", "copy the chat to a text file with `User:` lines"
    return None
