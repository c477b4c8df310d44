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
    dialogue,
    entire,
    gemini_cli,
    generic,
    opencode,
    pi,
    specstory,
    vscode,
)
from memsuggest.transcripts.formats.copilot import copied_chat, events, github_export
from memsuggest.transcripts.formats.cursor import agent_jsonl, agent_text, database_chat
from memsuggest.transcripts.formats.web import chatgpt, claude_ai
from memsuggest.transcripts.parsing.continuing import ContinuingReader
from memsuggest.transcripts.storage import containers
from memsuggest.transcripts.storage.source import Source


class Reader(Protocol):
    """Knows one format; modules implement it."""

    NAME: str
    """What the format is called: `claude-code`, `vscode-chat`, …"""

    def sniff(self, head: bytes, name: str) -> bool:
        """Tell from the first bytes (and, last of all, the file's name) whether this is the format."""
        ...

    def read(self, source: Source) -> Transcript:
        """Read one session, raw; bad lines become `Skipped`, a file that is none a TranscriptError."""
        ...


_ALL: tuple[Reader, ...] = (
    containers, events, codex, vscode, opencode, chatgpt, claude_ai, gemini_cli, pi, claude_code, agent_jsonl,
    agent_text, database_chat, cline, specstory, aider, entire, github_export, copied_chat, claude_code_export, generic,
    dialogue,
)  # fmt: skip
READERS: dict[str, Reader] = {reader.NAME: reader for reader in (*extensions("formats"), *_ALL)}
"""Every format, most telling signature first: the first reader whose `sniff` says yes reads."""

_GROWING: tuple[ContinuingReader, ...] = (claude_code, codex, events, agent_jsonl, generic)
CONTINUING = {reader.NAME: reader for reader in _GROWING}
"""Formats that only grow at their end, whose readers can go on where they stopped."""
