"""What a person typed, out of a text that assistants and their tools wrote around it.

One filter for every format that keeps such texts: elements are stripped whole, wrappers are opened, texts that only
programs write are dropped. Pure tables and text; knows no file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_STRIPPED = (
    # Claude Code
    "system-reminder", "local-command-caveat", "local-command-stdout", "local-command-stderr", "bash-input",
    "bash-stdout", "bash-stderr", "task-notification", "teammate-message", "ide_opened_file", "ide_selection",
    "ide_diagnostics", "new-diagnostics", "user-prompt-submit-hook", "session-start-hook", "command-message",
    "command-contents", "persisted-output", "tool_use_error", "fork-boilerplate", "mcp-resource-update",
    # Codex
    "user_instructions", "INSTRUCTIONS", "environment_context", "turn_aborted", "skill", "user_shell_command",
    "subagent_notification", "permissions instructions", "collaboration_mode", "model_switch",
    # Cursor
    "user_info", "attached_files", "system_reminder", "timestamp", "open_and_recently_viewed_files", "git_status",
    "project_layout", "agent_skills", "always_applied_workspace_rules", "cursor_commands", "manually_attached_skills",
    # Copilot, VS Code
    "current_datetime", "system_notification", "reminderInstructions", "environment_info", "workspace_info",
    "editorContext", "repoContext", "attachments", "conversation-summary", "conversation_summary",
    # Gemini, Cline and Roo
    "session_context", "hook_context", "environment_details", "explicit_instructions", "file_content",
    # memory that was recalled into the prompt, by us or others
    "memory-context", "graphiti_memory",
)  # fmt: skip
"""Elements that programs put into a message; nothing in them was typed."""

_UNWRAPPED = ("user_query", "user-memory-input", "userRequest")
"""Elements around what was typed: where one is, nothing else in the message was."""

_DROPPED = (
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
    "# AGENTS.md instructions for ",
    "User has approved your plan",
    "User has answered your questions:",
    "The user doesn't want to ",
    "[Request interrupted by user",
    "Unknown slash command:",
    "Unknown skill:",
    "Your tool call was malformed",
    "System: Please continue.",
    "Summarize the task tool output above and continue with your task.",
    "[ERROR] You did not use a tool",
    "[TASK RESUMPTION]",
    "Another Claude session sent a message",
)
"""Beginnings of messages that only programs write."""

_EDITOR = ("# Context from my IDE setup:", "# Files mentioned by the user:", "# Response annotations:")
"""Beginnings of messages that an editor wrote for Codex …"""
_REQUEST = "## My request for Codex:"
"""… in which what was typed follows the last of these."""
_REFERENCED = "\n--- Content from referenced files ---"
"""What was typed ends at the first of these."""

_BEGINNING = 200  # characters; longer than any of these
_INDENT = 80  # characters of a line that are looked at before an element that stays open
_INTERRUPTION = "[Request interrupted by user"
_TAG = re.compile(r"<(/?)(" + "|".join(map(re.escape, _STRIPPED)) + r")(?:\s[^<>]*)?>")
_WRAPPER = re.compile(r"<(/?)(" + "|".join(map(re.escape, _UNWRAPPED)) + r")>")
_COMMAND = ("<command-name>", "<command-args>")
_COMMAND_NAME = re.compile(r"<command-name>\s*/?([^<\n]{1,200}?)\s*</command-name>")
_COMMAND_ARGS = ("<command-args>", "</command-args>")
_STEERING = ("User steering update:\n<user_input>\n", "\n</user_input>")
_STEERED = re.compile(r"\s*(?:\Z|Internal instruction:)")
_USER_INPUT = ("## User Input\n\n```text\n", "\n```\n\nYou **MUST**")
"""How prompt files keep their arguments in a fence; where there are several, nobody knows which is theirs."""
_IMAGE_MARK = re.compile(r"^[ \t]*\[Image: [^\]\n]*\][ \t]*$\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What is left of a message, and what its wrapping told."""

    text: str = ""
    is_interruption: bool = False
    """The message only says that the person stopped the assistant."""
    remember: bool = False
    """The person used the assistant's own command to remember this."""
    command: str | None = None
    """Name of the slash command whose arguments these are."""


def typed_in(message: str) -> Typed:
    """Take from a user-role message what the person typed.

    >>> typed_in("<system-reminder>Be brief.</system-reminder>use tabs").text
    'use tabs'
    >>> typed_in("<command-name>/fix</command-name> <command-args>issue 7</command-args>").text
    'issue 7'
    """
    start = message.lstrip()[:_BEGINNING]
    if start.startswith(_DROPPED):
        return Typed(is_interruption=start.startswith(_INTERRUPTION))
    if start.startswith(_EDITOR):  # before any element is looked at: one may be open in a file that is mentioned
        _, mark, message = message.rpartition(_REQUEST)
        if not mark:
            return Typed()
    if "<" not in message:
        text = _cut(_without_pictures(message))
        return Typed() if text.startswith(_DROPPED) else Typed(text=text)
    return _typed_among_elements(message)


def _typed_among_elements(message: str) -> Typed:
    text = without_injected(message)
    if _is_prompt_file(text):
        return Typed(text=_between(text, *_USER_INPUT))
    if _is_prompt_file(message) and not message.rstrip().endswith(">"):
        return Typed()  # an element that the prompt file left open has swallowed what was typed
    is_command = text.startswith(_COMMAND) and text.endswith(">")  # with more behind it, somebody pasted one
    command = _COMMAND_NAME.search(text) if is_command else None
    if command:
        return Typed(text=_between(text, *_COMMAND_ARGS), command=command[1])
    text = _cut(text)
    found = _wrapped(text)
    text = found.text if found else text
    if text.startswith(_DROPPED):
        return Typed(is_interruption=text.startswith(_INTERRUPTION))
    return found or Typed(text=text)


def without_injected(message: str) -> str:
    """Strip the elements that programs put into a message, with all they hold; linear in its length.

    A second end tag means that the text inside broke out of its element: all up to it goes too. A tag that is only
    mentioned in a sentence stays.
    """
    kept: list[str] = []
    position = 0
    for start, end in sorted(_injected_stretches(message)):
        if start >= position:
            kept.append(message[position:start])
        position = max(position, end)
    kept.append(message[position:])
    return _without_pictures("".join(kept))


def element_opened(line: str) -> str | None:
    """Name the injected element that a line begins with and does not end.

    >>> element_opened("<system-reminder>")
    'system-reminder'
    """
    tag = _TAG.match(line.lstrip()) if "<" in line else None
    return tag[2] if tag and not tag[1] and f"</{tag[2]}>" not in line else None


def _without_pictures(text: str) -> str:
    """Take out the lines that only say where a pasted picture was kept."""
    return (_IMAGE_MARK.sub("", text) if "[Image: " in text else text).strip()


def _injected_stretches(message: str) -> list[tuple[int, int]]:
    """Pair the tags of each name; an end tag too many belongs to the last pair of its name.

    One start tag too many took the end of another that had attributes: nobody mentions those in a sentence.
    """
    found: list[tuple[int, int]] = []
    opened: dict[str, list[re.Match[str]]] = {}
    closed: dict[str, tuple[int, int]] = {}
    for tag in _TAG.finditer(message):
        starts = opened.setdefault(tag[2], [])
        if not tag[1]:
            starts.append(tag)
            continue
        start = starts.pop().start() if starts else closed.get(tag[2], (None,))[0]
        if start is not None:
            found.append((start, tag.end()))
            closed[tag[2]] = start, tag.end()
    for tag in (tag for starts in opened.values() for tag in starts):
        end = closed.get(tag[2], (0, 0))[1]
        if _begins_line(message, tag.start()):
            found.append((tag.start(), len(message)))
        elif end > tag.end() and len(tag[0]) > len(tag[2]) + len("<>"):
            found.append((tag.start(), end))
    return found


def _begins_line(message: str, start: int) -> bool:
    """Tell whether only blanks stand before a place in its line, as far as is worth looking."""
    return not message[max(start - _INDENT, 0) : start].rpartition("\n")[2].strip()


def _wrapped(text: str) -> Typed | None:
    """Open the wrapper that ends a message, which nothing but elements may come before.

    A wrapper inside a sentence was pasted. Of several the last one counts: those before it were forged in what programs
    put there. One inside another is part of what was typed.
    """
    tags = list(_WRAPPER.finditer(text))
    if not tags or not tags[-1][1] or tags[-1].end() < len(text) or not text.startswith("<"):
        return None
    opened: list[re.Match[str]] = []
    found = None
    for tag in tags:
        if not tag[1]:
            opened.append(tag)
        elif opened and opened[-1][2] == tag[2]:
            found = (opened.pop(), tag)
    if found is None or found[1] is not tags[-1] or not _ends_element(text[: found[0].start()]):
        return None
    start, end = found
    return Typed(text=text[start.end() : end.start()].strip(), remember=start[2] == "user-memory-input")


def _ends_element(before: str) -> bool:
    return before.rstrip()[-1:] in ("", ">")


def _cut(text: str) -> str:
    """Cut what programs put before and after the typed text without wrapping it."""
    if text.startswith(_STEERING[0]) and _STEERED.match(text.partition(_STEERING[1])[2]):
        text = _between(text, *_STEERING)
    elif _is_prompt_file(text):
        text = _between(text, *_USER_INPUT)
    return text.partition(_REFERENCED)[0].strip()


def _is_prompt_file(text: str) -> bool:
    return text.count(_USER_INPUT[0]) == 1 and _USER_INPUT[1] in text


def _between(text: str, before: str, after: str) -> str:
    return text.partition(before)[2].partition(after)[0].strip()
