"""Memories and stores that the tests of apps need."""

from __future__ import annotations

from pathlib import Path

from memsuggest.core.model import AppMemory
from memsuggest.memory.app_memory import AppMemories, open_app_memories

NOW = 1_770_000_000_000
TOPICS = (
    *("invoice totals", "search box", "login redirect", "harbor queue", "tax table", "nightly export"),
    *("settings page", "release notes", "receipt texts", "order paging", "worker health", "image cache"),
)


def store_at(folder: Path) -> AppMemories:
    return open_app_memories(folder / "profile.db")


def new(number: int, *, app: str = "claude-code", importance: int = 3, content: str = "") -> AppMemory:
    """A memory of the conversation of that number."""
    topic = TOPICS[number % len(TOPICS)]
    return AppMemory(
        id=0,
        created_at=0,
        updated_at=0,
        app_id=app,
        content=content or f"Asked: “fix the {topic}”. Round {number}.",
        conversation=f"{app}-{number}",
        importance=importance,
        digest=str(number),
    )


def memory(number: int, content: str, *, importance: int = 3, at: int = 0) -> AppMemory:
    return AppMemory(
        id=number, app_id="claude-code", content=content, created_at=at, updated_at=at, importance=importance
    )
