"""The person's text, out of what assistants and their tools wrote around it and into it.

One filter for every format that keeps such texts: messages that only programs write are dropped (`messages`), elements
are stripped whole (`injected`), wrappers are opened (`wrappers`), passages that programs put between the person's words
are cut out (`passages`). Pure tables and text; knows no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memsuggest.transcripts.program_text import is_command, is_from_program, is_interruption, without_passages

__all__ = ["Typed", "element_opened", "joined", "typed_in", "without_injected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The rest of a message, and what its wrapping told."""

    text: str = ""
    is_interruption: bool = False  # the message only says that the person stopped the assistant
    remember: bool = False  # the person used the assistant's own command to remember this
    command: str | None = None  # name of the slash command whose arguments these are
    is_doubtful: bool = False
    """The marks around the words could have been written by what else is in the message."""


def typed_in(message: str, *, is_cursor: bool = False) -> Typed:
    """Take from a user-role message what the person typed.

    `is_cursor` says that the message is Cursor's: then nothing outside its `<user_query>` was typed.

    >>> typed_in("<system-reminder>Be brief.</system-reminder>use tabs").text
    'use tabs'
    >>> typed_in("<command-name>/fix</command-name> <command-args>issue 7</command-args>").text
    'issue 7'
    """
    if is_from_program(message):
        return Typed(is_interruption=is_interruption(message))
    if message.lstrip().startswith(EDITOR):
        # Before any element is looked at: one may be open in a file that is mentioned.
        _, mark, request = message.rpartition(REQUEST)
        message = request if mark else ""
    found = _cursor_query(message) if is_cursor else None
    if found is None:
        found = _typed_among_elements(message) if "<" in message else Typed(text=_cut(without_injected(message)))
    if is_from_program(found.text):
        return Typed(is_interruption=is_interruption(found.text))
    if found.command:
        return found
    text = without_passages(found.text)
    return replace(found, text="" if is_command(text) else text)


def joined(parts: Iterable[Typed]) -> Typed:
    given = list(parts)
    return Typed(
        text="\n".join(part.text for part in given if part.text),
        is_interruption=any(part.is_interruption for part in given),
        remember=any(part.remember for part in given),
        is_doubtful=any(part.is_doubtful for part in given),
    )


def _typed_among_elements(message: str) -> Typed:
    text = without_injected(message)
    if _is_prompt_file(text):
        return Typed(text=_cut(text))
    if _is_prompt_file(message) and not message.rstrip().endswith(">"):
        return Typed()  # an element that the prompt file left open has swallowed what was typed
    # Only a message that is nothing but a command: with more behind it, it was pasted.
    if text.startswith(_COMMAND) and text.endswith(">") and (name := _COMMAND_NAME.search(text)):
        return Typed(text=_between(text, *_COMMAND_ARGS), command=name[1])
    text = _cut(text)
    return _wrapped(text) or Typed(text=text)


STRIPPED = (
    # Claude Code
    "system-reminder", "local-command-caveat", "local-command-stdout", "local-command-stderr", "bash-input",
    "bash-stdout", "bash-stderr", "task-notification", "teammate-message", "ide_opened_file", "ide_selection",
    "ide_diagnostics", "new-diagnostics", "user-prompt-submit-hook", "session-start-hook", "command-message",
    "command-contents", "persisted-output", "tool_use_error", "fork-boilerplate", "mcp-resource-update",
    "ci-monitor-event", "mcp-resource",
    # Codex
    "user_instructions", "INSTRUCTIONS", "environment_context", "turn_aborted", "skill", "user_shell_command",
    "subagent_notification", "permissions instructions", "collaboration_mode", "model_switch",
    # Cursor
    "user_info", "attached_files", "system_reminder", "timestamp", "open_and_recently_viewed_files", "git_status",
    "project_layout", "agent_skills", "always_applied_workspace_rules", "cursor_commands", "manually_attached_skills",
    "image_files", "agent_transcripts", "additional_data", "custom_instructions",
    # Copilot, VS Code
    "current_datetime", "system_notification", "reminderInstructions", "environment_info", "workspace_info",
    "editorContext", "repoContext", "attachments", "conversation-summary", "conversation_summary",
    # Gemini, Cline and Roo
    "session_context", "hook_context", "environment_details", "explicit_instructions", "file_content",
    # what we ask an assistant, and memory that was recalled into the prompt, by us or others
    "memsuggest-packet", "memory-context", "graphiti_memory",
)  # fmt: skip
"""Elements that programs put into a message; nothing in them was typed."""

_INDENT = 80  # characters of a line that are looked at before an element that stays open
_TAG = re.compile(r"<(/?)(" + "|".join(map(re.escape, STRIPPED)) + r")(?:\s[^<>]*)?>")
_IMAGE_MARK = re.compile(r"^[ \t]*\[Image(?:: [^\]\n]*| #?\d{1,3})\][ \t]*$\n?", re.MULTILINE)


def without_injected(message: str) -> str:
    """Strip the elements that programs put into a message, with all they hold; linear in its length.

    Of several elements of one name, what stands between them goes too: a text inside one may have closed it and opened
    it again. So does what stands before an end tag too many. A tag that is only mentioned in a sentence stays.

    >>> without_injected("<git_status>a</git_status> obey <git_status>b</git_status> use tabs")
    'use tabs'
    """
    kept: list[str] = []
    position = 0
    for start, end in sorted(_injected_stretches(message)) if "<" in message else ():
        if start >= position:
            kept.append(message[position:start])
        position = max(position, end)
    text = "".join([*kept, message[position:]])
    return (_IMAGE_MARK.sub("", text) if "[Image" in text else text).strip()


def element_opened(line: str) -> str | None:
    """Name the injected element that a line begins with and does not end.

    >>> element_opened("<system-reminder>")
    'system-reminder'
    """
    tag = _TAG.match(line.lstrip()) if "<" in line else None
    return tag[2] if tag and not tag[1] and f"</{tag[2]}>" not in line else None


def _injected_stretches(message: str) -> list[tuple[int, int]]:
    """Find one stretch for each name: from its first element to its last.

    A start tag too many took the end of another that had attributes: nobody mentions those in a sentence. One inside
    another element is part of what that holds.
    """
    spans: dict[str, tuple[int, int]] = {}
    opened: dict[str, list[re.Match[str]]] = {}
    for tag in _TAG.finditer(message):
        starts = opened.setdefault(tag[2], [])
        if not tag[1]:
            starts.append(tag)
        elif starts or tag[2] in spans:
            start = starts.pop().start() if starts else tag.start()
            first = spans.get(tag[2], (start, 0))[0]
            spans[tag[2]] = min(first, start), tag.end()
    found = list(spans.values())
    for tag in (tag for starts in opened.values() for tag in starts):
        if any(start < tag.start() < end for name, (start, end) in spans.items() if name != tag[2]):
            continue
        end = spans.get(tag[2], (0, 0))[1]
        if not message[max(tag.start() - _INDENT, 0) : tag.start()].rpartition("\n")[2].strip():  # it begins a line
            found.append((tag.start(), len(message)))
        elif end > tag.end() and len(tag[0]) > len(tag[2]) + len("<>"):
            found.append((tag.start(), end))
    return found


_MEMORY, _QUERY = "user-memory-input", "user_query"
UNWRAPPED = (_QUERY, _MEMORY, "userRequest")
"""Elements around what was typed: where one is, nothing else in the message was."""

EDITOR = ("# Context from my IDE setup:", "# Files mentioned by the user:", "# Response annotations:")
"""Beginnings of messages that an editor wrote for Codex …"""
REQUEST = "## My request for Codex:"
"""… in which what was typed follows the last of these."""
_REFERENCED = "--- Content from referenced files ---"
"""What Gemini CLI puts behind a prompt, before the files that it names: nothing from here on was typed."""

_WRAPPER = re.compile(r"<(/?)(" + "|".join(map(re.escape, UNWRAPPED)) + r")>")
_COMMAND = ("<command-name>", "<command-args>")
_COMMAND_NAME = re.compile(r"<command-name>\s*/?([^<\n]{1,200}?)\s*</command-name>")
_COMMAND_ARGS = ("<command-args>", "</command-args>")
_STEERING = ("User steering update:\n<user_input>\n", "\n</user_input>")
_STEERED = re.compile(r"\s*(?:\Z|Internal instruction:)")
_USER_INPUT = ("## User Input\n\n```text\n", "\n```\n\nYou **MUST**")
"""How prompt files keep their arguments in a fence; where there are several, nobody knows which is theirs."""


def _cursor_query(message: str) -> Typed | None:
    """Open the query of a message of Cursor's, before and behind which Cursor puts texts of its own, or others'.

    Of several the last one counts, in doubt; none where the message without injected elements has another one last.
    """
    left, last = _queries(without_injected(message)), _queries(message)[-1:]
    if not left and not last and f"{_QUERY}>" in message:
        return Typed()  # marks that do not pair: nobody knows which of them are Cursor's
    if not left and message.rstrip().endswith(f"</{_QUERY}>"):  # what stands before it has swallowed it
        left = [*map(without_injected, last)]
    if not left:
        return None
    return Typed(text=left[-1] if left[-1:] == [*map(without_injected, last)] else "", is_doubtful=len(left) > 1)


def _queries(text: str) -> list[str]:
    """The contents of the queries that begin a line; one inside another is part of it."""
    found: list[str] = []
    opened: list[int] = []
    for tag in _WRAPPER.finditer(text):
        if tag[2] != _QUERY:
            continue
        if not tag[1]:
            opened.append(tag.end())
        elif opened:
            start = opened.pop()
            if not opened and text[: start - len(tag[0]) + 1].rstrip(" \t")[-1:] in ("", "\n", ">"):
                found.append(text[start : tag.start()].strip())
    return found


def _wrapped(text: str) -> Typed | None:
    """Open the wrapper that ends a message, which nothing but elements may come before.

    A wrapper inside a sentence was pasted. Of several the last one counts: those before it were forged in what programs
    put there. One inside another is part of what was typed.
    """
    tags = list(_WRAPPER.finditer(text))
    if not tags or not tags[-1][1] or tags[-1].end() < len(text):
        return None
    opened: list[re.Match[str]] = []
    found = None
    for tag in tags:
        if not tag[1]:
            opened.append(tag)
        elif opened and opened[-1][2] == tag[2]:
            found = (opened.pop(), tag)
    if found is None or found[1] is not tags[-1]:
        return None
    start, end = found
    before = text[: start.start()]
    if text.startswith("<") and before.rstrip()[-1:] in ("", ">"):
        return Typed(text=text[start.end() : end.start()].strip(), remember=start[2] == _MEMORY)
    return None


def _cut(text: str) -> str:
    if text.startswith(_STEERING[0]) and _STEERED.match(text.partition(_STEERING[1])[2]):
        text = _between(text, *_STEERING)
    elif _is_prompt_file(text):
        text = _between(text, *_USER_INPUT)
    start = text.find(_REFERENCED)
    while start > 0 and text[start - 1] != "\n":  # a mark in the middle of a line is only mentioned
        start = text.find(_REFERENCED, start + 1)
    return (text if start < 0 else text[:start]).strip()


def _is_prompt_file(text: str) -> bool:
    return text.count(_USER_INPUT[0]) == 1 and _USER_INPUT[1] in text


def _between(text: str, before: str, after: str) -> str:
    return text.partition(before)[2].partition(after)[0].strip()
