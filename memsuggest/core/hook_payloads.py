"""Payloads of hooks, in any spelling of the assistants, and the answers that they take. Pure."""

from __future__ import annotations

import json
from typing import NamedTuple

PROMPT = "UserPromptSubmit"
_EVENTS = {
    "agentstop": "Stop",
    "stop": "Stop",
    "sessionstart": "SessionStart",
    "sessionend": "SessionEnd",
    "precompact": "PreCompact",
    "userpromptsubmit": PROMPT,
    "userpromptsubmitted": PROMPT,
}
_BY_FIELD = {
    "stopReason": "Stop",
    "initialPrompt": "SessionStart",
    "source": "SessionStart",
    "trigger": "PreCompact",
    "reason": "SessionEnd",
    "prompt": PROMPT,
}
"""The events of Copilot CLI's own spelling, which does not name them, by a field of each; the first counts."""
_QUIET_SOURCES = {"compact", "clear", "fork"}


class Payload(NamedTuple):
    """An event, and its place."""

    event: str
    """In VS Code's spelling; empty for one that is none of ours."""
    cwd: str = ""
    source: str = ""
    prompt: str = ""
    """The prompt that is handed in, or with which a session is begun."""
    session: str = ""
    is_named: bool = True
    """False for Copilot CLI, whose payloads name no event."""

    @property
    def begins_session(self) -> bool:
        return self.event == "SessionStart" and self.source not in _QUIET_SOURCES


def payload_of(raw: bytes) -> Payload | None:
    """Return what was handed over; None for what is no payload."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    name = (
        found.get("hook_event_name")
        or found.get("hookEventName")
        or next((event for field, event in _BY_FIELD.items() if field in found), "")
    )
    return Payload(
        event=_EVENTS.get(str(name).lower(), ""),
        cwd=_text(found, "cwd"),
        source=_text(found, "source"),
        prompt=_text(found, "prompt", "initialPrompt", "initial_prompt"),
        session=_text(found, "session_id", "sessionId"),
        is_named="hook_event_name" in found,
    )


def _text(found: dict[str, object], *names: str) -> str:
    return next((value for name in names if isinstance(value := found.get(name), str)), "")


def answer_at_start(payload: Payload, line: str, memory: str = "", *, said: str | None = None) -> str:
    """Return lines for the person, and memory for the assistant with the first of them, or with what else is `said`."""
    context = "\n".join(part for part in (memory.rstrip("\n"), line if said is None else said) if part)
    if not context:
        return ""
    return json.dumps(({"systemMessage": line} if line else {}) | _context(payload, "SessionStart", context)) + "\n"


def answer_to_prompt(payload: Payload, memory: str) -> str:
    """Return memory for the assistant beside a prompt; nothing where there is none."""
    return json.dumps(_context(payload, PROMPT, memory)) + "\n" if memory else ""


def _context(payload: Payload, event: str, text: str) -> dict[str, object]:
    """Return the text where each assistant looks for it: Copilot CLI reads the outer key alone, however it asks."""
    nested = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}} if payload.is_named else {}
    return {"additionalContext": text, **nested}
