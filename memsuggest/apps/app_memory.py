"""What is to become a memory of an app, how room is made for it, and how much there is of it. Frozen."""

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
    """What is to be remembered of a conversation."""

    app_id: str
    content: str
    conversation: str | None = None
    importance: int = 3
    tags: tuple[str, ...] = ()
    maker: AppMaker = AppMaker.RULE
    workspace: str = ""
    digest: str = ""
    at: int = 0
    """When the conversation ended, in milliseconds since the epoch; 0 for now."""

    def __post_init__(self) -> None:
        if not self.content.strip() or len(self.content) > LENGTH:
            raise ValueError(f"a memory has 1 to {LENGTH} characters, not {len(self.content)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """How to make room for a new memory: one that goes, or one that the new one goes into."""

    action: AppAction
    """`DELETE` or `MERGE`."""
    target: int
    content: str = ""
    """The wording of a merge."""
    reason: str = ""
    by: AppMaker = AppMaker.RULE
