"""What assistants hand to a hook, in any of their spellings, and what they take as an answer. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass

_EVENTS = {
    "agentstop": "Stop",
    "stop": "Stop",
    "sessionstart": "SessionStart",
    "sessionend": "SessionEnd",
    "precompact": "PreCompact",
}
_QUIET_SOURCES = {"compact", "clear", "fork"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What happened, where."""

    event: str
    """In VS Code's spelling; empty for one that is none of ours."""
    cwd: str
    source: str

    @property
    def begins_session(self) -> bool:
        """Whether a person sits down to a new session."""
        return self.event == "SessionStart" and self.source not in _QUIET_SOURCES


def payload_of(raw: bytes) -> Payload | None:
    """Return what was handed over; None for what is no payload."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    name = found.get("hook_event_name") or found.get("hookEventName") or _guessed(found)
    texts = {key: found.get(key) for key in ("cwd", "source")}
    return Payload(
        event=_EVENTS.get(str(name).lower(), ""),
        **{key: value if isinstance(value, str) else "" for key, value in texts.items()},
    )


def _guessed(found: dict[str, object]) -> str:
    """Tell the event of Copilot CLI's own spelling, which does not name it, from its fields."""
    if "stopReason" in found:
        return "Stop"
    if "initialPrompt" in found or "source" in found:
        return "SessionStart"
    if "trigger" in found:
        return "PreCompact"
    return "SessionEnd" if "reason" in found else ""


def answer_at_start(line: str) -> str:
    """Return a line in every place in which some assistant looks for it."""
    special = {"hookEventName": "SessionStart", "additionalContext": line}
    return json.dumps({"systemMessage": line, "additionalContext": line, "hookSpecificOutput": special}) + "\n"
