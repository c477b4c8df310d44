"""Every format by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import editors, logs, records, texts, webs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .event import Event

FORMATS: dict[str, Callable[[Sequence[Event]], str | None]] = {
    "claude-code": logs.claude,
    "codex": logs.codex,
    "copilot-cli": logs.copilot_cli,
    "gemini-json": logs.gemini_json,
    "gemini-journal": logs.gemini_journal,
    "vscode-export": editors.vscode_export,
    "vscode-log": editors.vscode_log,
    "cline-shown": editors.cline_shown,
    "cline-sent": editors.cline_sent,
    "opencode": editors.opencode,
    "generic": editors.generic,
    "cursor-agent": editors.cursor_agent,
    "cursor-chat": webs.cursor_chat,
    "chatgpt": webs.chatgpt,
    "claude-ai": webs.claude_ai,
    "pi": records.pi,
    "entire": records.entire,
    "specstory": texts.specstory,
    "dialogue": texts.dialogue,
    "aider": texts.aider,
    "claude-export": texts.claude_export,
    "copilot-copy": texts.copilot_copy,
    "copilot-github": texts.copilot_github,
    "cline-export": texts.cline_export,
}
"""Writes a chat in that format; None where the format cannot carry something in it."""
