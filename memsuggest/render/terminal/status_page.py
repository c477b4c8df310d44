"""The state of things: the line above every list, and what is said where nothing waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.page import FAINT, HEAD, Page
from memsuggest.text.when import ago

if TYPE_CHECKING:
    from memsuggest.reports.status_report import Status
    from memsuggest.reports.watch_reports import Notice

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


def show_status(page: Page, report: Status) -> None:
    """Print how things stand."""
    show_header(page, mode=report.mode, last_run=report.last_run, pending=report.pending)
    if report.watcher:
        page.line((f"{report.watcher} watches this workspace", FAINT))
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])


def show_notice(page: Page, report: Notice) -> None:
    """Print a notice."""
    page.line((one_line(report.text), HEAD), (f" → review with `{report.review}`", FAINT))
