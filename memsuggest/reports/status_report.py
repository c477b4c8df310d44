"""The report of `status`: every prompt asks for it, so it loads alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from memsuggest.config import Mode
from memsuggest.text.when import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of things."""

    mode: Mode
    last_run: Annotated[int | None, "When chats were last read, as ISO 8601; null: never.", iso]
    pending: Annotated[int, "How many suggestions wait."]
    watcher: Annotated[str | None, "Who watches this workspace now, as `process 4711`."] = None

    @property
    def badge(self) -> str:
        """For a prompt or a status bar: `mem 3`; empty when nothing waits."""
        return badge_of(self.pending)


def badge_of(pending: int) -> str:
    """Say how many wait, in a few characters."""
    return f"mem {pending}" if pending else ""
