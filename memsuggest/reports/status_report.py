"""The report of `status`: every prompt asks for it, so it loads alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.config import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Mode, last run, pending."""

    mode: Mode
    last_run: int | None
    pending: int
    watcher: str | None = None
    """Who watches this workspace now: `process 4711`."""

    @property
    def badge(self) -> str:
        """For a prompt or a status bar: `mem 3`; empty when nothing waits."""
        return badge_of(self.pending)


def badge_of(pending: int) -> str:
    """Say how many wait, in a few characters."""
    return f"mem {pending}" if pending else ""
