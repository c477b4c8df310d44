"""Elements that programs put into a person's message: which there are, and the message without them. Pure."""

from __future__ import annotations

import re

STRIPPED = (
    # Claude Code
    "system-reminder", "local-command-caveat", "local-command-stdout", "local-command-stderr", "bash-input",
    "bash-stdout", "bash-stderr", "task-notification", "teammate-message", "ide_opened_file", "ide_selection",
    "ide_diagnostics", "new-diagnostics", "user-prompt-submit-hook", "session-start-hook", "command-message",
    "command-contents", "persisted-output", "tool_use_error", "fork-boilerplate", "mcp-resource-update",
    "ci-monitor-event",
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
    if "<" not in message:
        return _without_pictures(message)
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
    return (_IMAGE_MARK.sub("", text) if "[Image" in text else text).strip()


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
        if _begins_line(message, tag.start()):
            found.append((tag.start(), len(message)))
        elif end > tag.end() and len(tag[0]) > len(tag[2]) + len("<>"):
            found.append((tag.start(), end))
    return found


def _begins_line(message: str, start: int) -> bool:
    """Tell whether only blanks stand before a place in its line, as far as is worth looking."""
    return not message[max(start - _INDENT, 0) : start].rpartition("\n")[2].strip()
