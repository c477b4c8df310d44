"""Memories of apps, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.model_pages import show_requests
from memsuggest.render.terminal.page import FAINT, GOOD, HEAD, ID, PATH, WARN, Page, count, show_skipped
from memsuggest.text.when import iso

if TYPE_CHECKING:
    from memsuggest.model import AppDecision, AppMemory
    from memsuggest.reports import app_reports


def show_apps(page: Page, report: app_reports.AppRows) -> None:
    """Print all apps, a line each."""
    wide = max((len(row.app_id) for row in report.rows), default=0)
    for row in report.rows:
        page.line(
            (f"{row.app_id:<{wide}}", HEAD),
            f"  {row.memories} of {count(report.limit, 'memory', 'memories')}",
            (f"  changed {iso(row.changed_at)}", FAINT),
        )
    if not report.rows:
        page.line(
            "nothing is remembered of any app yet; ", ("`memsuggest apps learn PATH` reads a finished chat", FAINT)
        )


def show_app(page: Page, report: app_reports.AppShown) -> None:
    """Print an app's memories, and what was decided about them."""
    page.line((report.app_id, HEAD), f"  {len(report.memories)} of {count(report.limit, 'memory', 'memories')}")
    for one in report.memories:
        _show_memory(page, one)
    if report.decisions and not page.quiet:
        page.line()
        page.line(("Decisions", HEAD), ", newest first")
        for decision in report.decisions:
            _show_decision(page, decision)


def _show_memory(page: Page, memory: AppMemory) -> None:
    marks = [memory.maker.value, f"importance {memory.importance}", *memory.tags]
    merged = f", with {count(len(memory.related), 'chat', 'chats')} merged in" if memory.related else ""
    page.line(f"{memory.id:>4}  ", one_line(memory.content))
    page.line((f"      {_day(memory.created_at)}  {', '.join(marks)}{merged}", FAINT))


def _show_decision(page: Page, decision: AppDecision) -> None:
    page.line(
        (f"  {iso(decision.at)}  ", FAINT),
        (f"{decision.action.value:<6}", WARN if decision.action.value in ("delete", "purge") else GOOD),
        f"  {decision.memory_id or '':>4}  by {decision.by.value}{': ' if decision.reason else ''}",
        one_line(decision.reason),
    )


def _day(milliseconds: int) -> str:
    return (iso(milliseconds) or "")[:10]


def show_context(page: Page, report: app_reports.AppContext) -> None:
    """Print what an app is told, as it is told."""
    if report.text:
        page.block(report.text)
    elif not page.quiet:
        page.line((f"nothing is remembered of {report.app_id} here", FAINT))
    if report.elsewhere and not page.quiet:
        page.line()
        left_out = count(report.elsewhere, "memory", "memories")
        page.line((f"left out: {left_out} of other workspaces; `--everywhere` has them", FAINT))


def show_learned(page: Page, report: app_reports.AppsLearned) -> None:
    """Print what became of each conversation."""
    for row in report.rows:
        _show_learned(page, row)
    if not report.rows:
        page.line("no finished chat was found there")
    show_skipped(page, report.skipped)
    show_requests(page, [request for row in report.rows for request in row.requests])


def _show_learned(page: Page, report: app_reports.AppLearned) -> None:
    if report.path:
        page.line((one_line(report.path), PATH))
    if report.memory is None or report.why:
        page.line((f"  {report.app_id}: nothing new is remembered: {one_line(report.why)}", FAINT))
        return
    page.line("  ", (report.app_id, HEAD), (f"  {report.memory.id}  ", ID), one_line(report.memory.content))
    if report.why_by_rule:
        page.line((f"  by our own rules: {one_line(report.why_by_rule)}", FAINT))
    for decision in report.decisions:
        if decision.memory_id != report.memory.id or decision.action.value not in ("create", "update"):
            _show_decision(page, decision)


def show_forgotten(page: Page, report: app_reports.AppForgotten) -> None:
    """Print the receipt for what was deleted."""
    if not report.ids:
        page.line(f"{report.app_id} has no memories")
        return
    ids = ", ".join(map(str, report.ids))
    page.line(
        (f"{count(len(report.ids), 'memory', 'memories')} of {report.app_id} deleted", GOOD),
        f" ({ids}), {report.left} left; the log keeps that they went, not what they said",
    )
