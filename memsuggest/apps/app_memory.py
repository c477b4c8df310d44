"""New memories of an app, the ways to make room for one, and the sizes of both. Frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.model import AppMaker

if TYPE_CHECKING:
    from memsuggest.model import AppAction

LIMIT = 10
"""Memories of an app, unless the setting says otherwise."""
LENGTH = 240
"""Characters of a memory: about two hundred, and the end of a sentence."""
MOST_IMPORTANT = 10
BY_HAND = 8
"""Importance of what the person wrote by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory of a conversation, before it is stored."""

    app_id: str
    content: str
    conversation: str | None = None
    importance: int = 3
    tags: tuple[str, ...] = ()
    maker: AppMaker = AppMaker.RULE
    workspace: str = ""
    digest: str = ""
    at: int = 0
    """End of the conversation, in milliseconds since the epoch; 0 for now."""

    def __post_init__(self) -> None:
        if not self.content.strip() or len(self.content) > LENGTH:
            raise ValueError(f"a memory has 1 to {LENGTH} characters, not {len(self.content)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """Room for a new memory: one that goes, or one that the new one goes into."""

    action: AppAction
    """`DELETE` or `MERGE`."""
    target: int
    content: str = ""
    """The wording of a merge."""
    reason: str = ""
    by: AppMaker = AppMaker.RULE
