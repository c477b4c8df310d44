"""Chats that carry foreign text, in every format: what a hostile page, file or tool can get into a transcript.

A chat is a list of events; each format writes those that it can carry, the way its assistant does. Nothing in here
was said by anybody.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPO = "/work/shop"
AT = "2026-03-01T09:{:02}:00.000Z"


@dataclass(frozen=True, slots=True)
class Event:
    """What happens in a chat: `typed` by the person, `said` by the assistant, or a carrier of foreign text."""

    kind: str
    text: str


CARRIERS = (
    "said", "tool", "error", "web", "file", "issue", "reminder", "attachment", "selection", "command", "skill",
    "subagent", "summary", "written", "hook", "plan", "option", "rules", "context", "environment", "notification",
    "path", "thinking", "recalled", "synthetic", "prompt file", "reference", "value", "resource", "mention", "behind",
)  # fmt: skip
"""Ways for foreign text into a chat; no format knows them all."""


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_jsonl(records: Sequence[object]) -> str:
    return "".join(as_json(record) + "\n" for record in records)


def uri(path: str) -> dict[str, object]:
    return {"$mid": 1, "fsPath": path, "path": path, "external": f"file://{path}", "scheme": "file"}


def take_all(events: Sequence[Event], takes: dict[str, Callable[[str], None]]) -> bool:
    """Write the events; False when the format does not know one of them."""
    if any(event.kind not in takes for event in events):
        return False
    for event in events:
        takes[event.kind](event.text)
    return True
