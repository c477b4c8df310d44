"""The table of transcript formats: a format is a row here and a module or folder beside it."""

from __future__ import annotations

from typing import Protocol

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
    entire,
    gemini_cli,
    generic,
    opencode,
    pi,
    specstory,
    stored_chats,
    vscode,
)
from memsuggest.transcripts.parsing.continuing import ContinuingReader
from memsuggest.transcripts.storage import containers
from memsuggest.transcripts.storage.source import Source


class Reader(Protocol):
    """Knows one format; modules implement it."""

    @property
    def NAME(self) -> str:  # noqa: N802  (of modules, a constant)
        """The name of the format: `claude-code`, `vscode-chat`, …"""
        ...

    def sniff(self, head: bytes, name: str, /) -> bool:
        """Tell from the first bytes (and, last of all, the file's name) whether this is the format."""
        ...

    def read(self, source: Source, /) -> Transcript:
        """Read one session, raw; bad lines become `Skipped`, a file that is none a TranscriptError."""
        ...


_ALL: tuple[Reader, ...] = (
    containers, copilot_events, codex, vscode, opencode, stored_chats.CHATGPT, stored_chats.CLAUDE_AI, gemini_cli, pi,
    claude_code, cursor_agent, copied_texts.CURSOR, stored_chats.CURSOR, cline, specstory, aider, entire,
    copied_texts.GITHUB, copied_texts.COPY, claude_code_export, generic, dialogue,
)  # fmt: skip
READERS: dict[str, Reader] = {reader.NAME: reader for reader in (*extensions("formats"), *_ALL)}
"""Every format, most telling signature first: the first reader whose `sniff` says yes reads."""

_GROWING: tuple[ContinuingReader, ...] = (claude_code, codex, copilot_events, cursor_agent, generic)
CONTINUING = {reader.NAME: reader for reader in _GROWING}
"""Formats that only grow at their end, whose readers can go on where they stopped."""
