"""The table of transcript formats: a format is a row here and a module or folder beside it."""

from __future__ import annotations

from typing import Protocol

from memsuggest.core.errors import TranscriptError
from memsuggest.core.extensions import extensions
from memsuggest.core.model import Transcript
from memsuggest.transcripts.formats import (
    aider,
    claude_code,
    claude_code_export,
    cline,
    codex,
    copied_texts,
    copilot_events,
    cursor_agent,
    dialogue,
    gemini_cli,
    generic,
    opencode,
    pi,
    specstory,
    stored_chats,
    vscode,
)
from memsuggest.transcripts.parsing.continuing import Format, ReadsOn
from memsuggest.transcripts.storage.source import Source


class Reader(Protocol):
    """Knows one format; modules implement it."""

    @property
    def NAME(self) -> str: ...  # noqa: N802  (of modules, a constant)

    def sniff(self, head: bytes, name: str, /) -> bool:
        """Tell from the first bytes (and, last of all, the file's name) whether this is the format."""
        ...

    def read(self, source: Source, /) -> Transcript:
        """Read one session, raw; bad lines become `Skipped`, a file that is none a TranscriptError."""
        ...


def _container(head: bytes, name: str) -> tuple[str, str]:
    """Say what a file is that holds chats in a form nobody can read, and what to do instead; empty for others."""
    place = name.replace("\\", "/")
    if head.startswith(b"PK\x03\x04"):
        return "a zip archive", "extract the archive and specify the files inside"
    if "cascade/" in place and place.endswith(".pb"):
        return "an encrypted Windsurf session", (
            "copy the chat to a text file, and start each of your messages with `User:`"
        )
    exporters = "`opencode export` for OpenCode, SpecStory for Cursor, `/export` or copy and paste for other assistants"
    is_database = head.startswith(b"SQLite format 3\0")
    return ("a database", f"export the chat first: {exporters}") if is_database else ("", "")


def _refuse(source: Source) -> Transcript:
    what, hint = _container(source.head(), source.name)
    raise TranscriptError(f"{source.name} is {what}, not a transcript", hint=hint)


CONTAINER = Format("container", lambda head, name: bool(_container(head, name)[0]), _refuse)
"""Files that hold chats in a form nobody can read as a transcript: databases, archives, encrypted sessions."""
_ALL: tuple[Reader, ...] = (
    CONTAINER, copilot_events, codex, vscode, opencode, stored_chats.CHATGPT, stored_chats.CLAUDE_AI, gemini_cli, pi,
    claude_code, cursor_agent, copied_texts.CURSOR, stored_chats.CURSOR, cline, specstory, aider, pi.ENTIRE,
    copied_texts.GITHUB, copied_texts.COPY, claude_code_export, generic, dialogue,
)  # fmt: skip
READERS: dict[str, Reader] = {reader.NAME: reader for reader in (*extensions("formats"), *_ALL)}
"""Every format, most telling signature first: the first reader whose `sniff` says yes reads."""

CONTINUING: dict[str, ReadsOn] = {
    reader.NAME: reader.read_on for reader in (claude_code, codex, copilot_events, cursor_agent, generic)
}
"""Formats that only grow at their end, whose readers can go on where they stopped."""
