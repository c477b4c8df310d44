"""Reports of `status`, which every prompt asks for, and of a watcher; notices: one line that something is pending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from memsuggest.core.config import Mode
from memsuggest.core.json_shape import Key
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.render.page import FAINT, HEAD, Page
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import ago, iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of things."""

    mode: Mode
    last_run: Annotated[int | None, "When chats were last read, in ISO 8601 format; null if never.", iso]
    pending: Annotated[int, "The number of pending suggestions."]
    watcher: Annotated[str | None, "The process currently watching this workspace, for example `process 4711`."] = None

    @property
    def badge(self) -> str:
        return badge_of(self.pending)

    def show(self, page: Page) -> None:
        show_header(page, mode=self.mode, last_run=self.last_run, pending=self.pending)
        if self.watcher:
            page.faint(f"{self.watcher} is watching this workspace")
        if self.mode is Mode.OFF:
            page.line(EMPTY[Mode.OFF])


def badge_of(pending: int) -> str:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line of `watch`, whenever something is worth writing down."""

    text: Annotated[str, "The notice, for display.", Key("notice")]
    review: Annotated[str, "The command that shows the suggestions."]
    suggestions: Annotated[tuple[str, ...], "IDs of the suggestions."]

    @property
    def line(self) -> str:
        return f"{self.text} → review with `{self.review}`"

    def show(self, page: Page) -> None:
        page.line((one_line(self.text), HEAD), (f" → review with `{self.review}`", FAINT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The counts of a watcher."""

    mode: Mode
    transcripts: int
    """That it follows."""
    learned: int
    """Facts since it began."""
    pending: int


BATCH = 5
"""New suggestions that are worth a notice by themselves in `occasional` mode."""
MANY = 5
"""New suggestions of one moment above which even `eager` counts them instead of telling each."""
_SHORT = 7


def notices_of(mode: Mode, fresh: Sequence[MemorySuggestion], *, is_end: bool) -> list[Notice]:
    """Return what to tell about suggestions that nobody was told of; `is_end`: a session ended."""
    if mode is Mode.EAGER and len(fresh) <= MANY:
        return [
            Notice(
                text=f"Learned: '{suggestion.content}'",
                review=f"memsuggest show {suggestion.id[:_SHORT]}",
                suggestions=(suggestion.id,),
            )
            for suggestion in fresh
        ]
    is_due = mode is Mode.EAGER or (mode is Mode.OCCASIONAL and (is_end or len(fresh) >= BATCH))
    ids = tuple(suggestion.id for suggestion in fresh)
    counted = Notice(text=waiting(len(fresh)), review="memsuggest review", suggestions=ids)
    return [counted] if fresh and is_due else []


def waiting(count: int) -> str:
    """Say that so many suggestions wait.

    >>> waiting(5)
    '5 suggestions to improve your customizations'
    """
    return f"{count} suggestion{'' if count == 1 else 's'} to improve your customizations"
