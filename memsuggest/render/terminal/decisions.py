"""What was taken back, and what can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe import one_line
from memsuggest.render.terminal.page import FAINT, GOOD, HEAD, ID, INDENT, PATH, SHORT, Page
from memsuggest.render.when import ago

if TYPE_CHECKING:
    from memsuggest.reports import decision_reports

_NAMED = 3
"""Rules of one decision that are named; of more, their number."""


def show_undone(page: Page, report: decision_reports.Undone) -> None:
    """Print what was taken back."""
    page.line(("took back", GOOD), f"  {_words(report.taken)} ", (f"({ago(report.taken.at, now=page.now)})", FAINT))
    for path in report.paths:
        page.line(("restored", GOOD), "  ", (path, PATH))
    for content in report.contents:
        page.line("pending again: ", one_line(content))
    for content in report.facts:
        page.line("remembered again as before: ", one_line(content))


def show_taken_rows(page: Page, report: decision_reports.TakenRows) -> None:
    """Print the last decisions, the last one first."""
    if not report.rows:
        page.line("nothing was decided here that could be taken back")
        return
    page.line(("Last decisions", HEAD), (" · `memsuggest undo` takes back the first", FAINT))
    for row in report.rows:
        name = row.ids[0][:SHORT] if row.ids else ""
        when = (f"  {ago(row.at, now=page.now)}", FAINT)
        page.line("  ", (f"{name:<{SHORT}}", ID), "  ", _words(row), when, hang=INDENT)


def _words(taken: decision_reports.Taken) -> str:
    """Return a decision in words."""
    named = [f"“{one_line(content, limit=90)}”" for content in taken.contents[:_NAMED]]
    more = len(taken.contents) - len(named)
    named += [f"{more} more"] if more else []
    files = ", ".join(one_line(path) for path in dict.fromkeys(taken.paths))
    return " ".join(filter(None, (taken.verb, ", ".join(named), f"→ {files}" if files else "")))
