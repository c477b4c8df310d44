"""Messages that a program wrote from beginning to end: notes of hosts, buttons, commands without words. Pure tables.

One row a text. A row belongs here only when a person's words never stand in such a message; where they may, it belongs
to `passages`.
"""

from __future__ import annotations

import re

_BEGINNINGS = (
    # Claude Code
    "<task-notification>",
    "<teammate-message",
    "<local-command-",
    "<bash-",
    "This session is being continued from a previous conversation",
    "Caveat: The messages below were generated",
    "Implement the following plan:",
    "Stop hook feedback:",
    "Operation stopped by hook:",
    "Continue from where you left off.",
    "Please continue the conversation from where we left",
    "Base directory for this skill:",
    "User has approved your plan",
    "User has answered your questions:",
    "The user doesn't want to ",
    "[Request interrupted by user",
    "Unknown slash command:",
    "Unknown skill:",
    "Your tool call was malformed",
    "Another Claude session sent a message",
    "Your task is to create a detailed summary of the conversation so far",
    "Please analyze this codebase and create a CLAUDE.md file",
    # services that report to an assistant about a build
    "<ci-monitor-event",
    # Codex
    "# AGENTS.md instructions for ",
    "Generate a file named AGENTS.md that serves as a contributor guide for this repository",
    # OpenCode
    "Summarize the task tool output above and continue with your task.",
    "Please analyze this codebase and create an AGENTS.md file",
    # Gemini CLI
    "System: Please continue.",
    # Cline and Roo Code
    "[ERROR] You did not use a tool",
    "[TASK RESUMPTION]",
    # Cursor
    "[Previous conversation summary]:",
    # Copilot, VS Code
    "Analyze this codebase to generate or update `.github/copilot-instructions.md`",
    "----\n*This section details on the original issue you should resolve*",
)
"""Beginnings of messages that only programs write."""

_INTERRUPTION = "[Request interrupted by user"
_BEGINNING = 200  # characters; longer than any of these

_TERMINAL = re.compile(r"\[Terminal \S{1,80} notification: ")
"""VS Code tells the assistant that a command has ended, with all that it printed."""

_AGAIN = (
    "Try Again", "Retry", "Continue to iterate?", "Erneut versuchen", "Wiederholen", "Noch einmal versuchen",
    "Réessayer", "Reintentar", "Intentar de nuevo", "Inténtelo de nuevo", "Tentar Novamente", "Tentar novamente",
    "Riprova", "Повторить попытку", "Повторите попытку", "Spróbuj ponownie", "Zkusit znovu", "Yeniden Dene",
    "Újrapróbálkozás", "重试", "再试一次", "重試", "再試一次", "やり直す", "再試行", "もう一度試す", "다시 시도",
)  # fmt: skip
"""What VS Code's button for a failed request is called in its languages."""
_ASKED = ("Continue", "Pause", "Enable", "Allow", "Accept", "Dismiss", "Cancel", "Keep", "Undo", "Switch", "Approve")
_BUTTON = re.compile(
    rf"(?:@\w{{1,40}} )?(?:{'|'.join(map(re.escape, _AGAIN))})"
    # The button of a question, then the question: `Continue: "Continue to iterate?"`, in any language behind `@agent`.
    rf"|(?:@agent [^\n\"“:：.!?]{{1,40}}|(?:@\w{{1,40}} )?(?:{'|'.join(_ASKED)}))[:：] ?[\"“][^\"“”\n]{{1,200}}[\"”]"
)

_BUTTON_SIZE = 300  # characters

_WITH_ARGUMENTS = (
    "add", "drop", "read-only", "ls", "run", "git", "map", "map-refresh", "model", "editor-model", "weak-model",
    "models", "add-dir", "cd", "resume", "theme", "output-style", "reasoning-effort", "think-tokens", "chat-mode",
)  # fmt: skip
"""Commands whose arguments are files, shell commands or names, never a sentence."""
_ALONE = (
    # Claude Code, Codex, Gemini CLI
    "exit", "quit", "clear", "compact", "cost", "status", "login", "logout", "doctor", "config", "context", "usage",
    "rewind", "mcp", "agents", "hooks", "permissions", "vim", "upgrade", "terminal-setup", "ide", "stats", "help",
    "init", "memory", "plan", "plugin", "new", "approvals", "bug", "export", "tasks", "fast",
    # aider
    "read", "test", "lint", "commit", "undo", "diff", "tokens", "reset", "settings", "load", "save", "paste", "copy",
    "voice", "multiline-mode", "report", "web", "ask", "code", "architect", "editor", "edit",
)  # fmt: skip
"""Commands that may have words behind them, or the name of somebody's own command: at most one word is none."""
_COMMAND = re.compile(
    rf"[ynYN]?/(?:{'|'.join(_WITH_ARGUMENTS)})(?:[ \t][^\n]{{0,2000}})?"  # a `y` was meant for the question before
    rf"|[ynYN]?/(?:{'|'.join(_ALONE)})(?:[ \t]\S{{1,400}})?"
    # The echo of a command's name, and what Claude Code says when it ends.
    r"|/(?P<name>exit|quit)\s+(?P=name)(?:\s+[^\n]{0,80})?"
)


def is_from_program(message: str) -> bool:
    """Tell whether nobody typed anything in a message.

    >>> is_from_program("@agent Try Again")
    True
    >>> is_from_program("try again with tabs")
    False
    """
    start = message.lstrip()[:_BEGINNING]
    if start.startswith(_BEGINNINGS) or (start.startswith("[T") and _TERMINAL.match(start)):
        return True
    return len(message) < _BUTTON_SIZE and bool(_BUTTON.fullmatch(message.strip()))


def is_interruption(message: str) -> bool:
    """Tell whether a message only says that the person stopped the assistant."""
    return message.lstrip().startswith(_INTERRUPTION)


def is_command(text: str) -> bool:
    """Tell whether a text is a command without words, perhaps with the echo of its name.

    >>> is_command("/drop src/app.py")
    True
    >>> is_command("/review look at the parser")
    False
    """
    return text[:1] in _MAY_BEGIN_COMMAND and bool(_COMMAND.fullmatch(text))


_MAY_BEGIN_COMMAND = frozenset("/ynYN")
