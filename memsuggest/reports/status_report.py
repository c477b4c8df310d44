"""The report of `status`: every prompt asks for it, so it loads alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from memsuggest.config import Mode
from memsuggest.render.page import FAINT, HEAD, Page
from memsuggest.text.when import ago, iso


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

    def show(self, page: Page) -> None:
        """Print how things stand."""
        show_header(page, mode=self.mode, last_run=self.last_run, pending=self.pending)
        if self.watcher:
            page.line((f"{self.watcher} watches this workspace", FAINT))
        if self.mode is Mode.OFF:
            page.line(EMPTY[Mode.OFF])


def badge_of(pending: int) -> str:
    """Say how many wait, in a few characters."""
    return f"mem {pending}" if pending else ""


EMPTY = {
    Mode.OFF: "Memory is disabled. Enable it with `memsuggest config set mode occasional`.",
    Mode.MANUAL: "No suggestions yet. Run `memsuggest reconcile`.",
}
CAUGHT_UP = "All caught up! ✓"


def show_header(page: Page, *, mode: Mode, last_run: int | None, pending: int) -> None:
    """Print how things stand."""
    page.line(
        ("Memory suggestions", HEAD), f" · mode: {mode} · last run: {ago(last_run, now=page.now)} · {pending} pending"
    )
