"""Decisions: what was moved, dismissed and taken back, and what can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import is_maybe
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.page import FAINT, GOOD, HEAD, ID, INDENT, PATH, SHORT, UNDO, Page, sentence, show_diff
from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.listed import as_written, where
from memsuggest.text.when import ago

if TYPE_CHECKING:
    from memsuggest.reports import decision_reports

_NAMED = 3
"""Rules of one decision that are named; of more, their number."""


def show_dismissed(page: Page, report: decision_reports.Dismissed) -> None:
    """Print what was silenced."""
    for suggestion in report.suggestions:
        reach = (
            f"for {suggestion.edit.path}"
            if report.only_here
            else "for good"
            if suggestion.maintenance
            else "everywhere"
        )
        page.line(f"dismissed {reach}: {one_line(as_written(suggestion))}")
        if report.only_here and suggestion.fact and not is_maybe(suggestion.fact):
            now = next((where(one) for one in report.elsewhere if one.id == suggestion.id), "")
            page.line("  → ", (now, PATH) if now else ("no other file is a place for it", FAINT))
    for maybe in report.maybes:
        page.line(f"dismissed everywhere: {one_line(maybe.content)}")
    for session in report.silenced:
        page.line(f"the chat {one_line(session)[:8]} is not read again")
    page.line((UNDO, FAINT))


def show_moved(page: Page, report: decision_reports.Moved) -> None:
    """Print where a suggestion waits now, and what would be written there."""
    one = report.suggestion
    if report.stays:
        page.line("it stays where it is: ", (where(one), PATH))
        return
    page.line(("moved", GOOD), f"  {one_line(as_written(one), limit=90)} → ", (where(one), PATH))
    page.line(("  " + sentence(one.why), FAINT))
    page.line()
    show_diff(page, unified(one.edit))
    page.line()
    page.line((f"`memsuggest apply {one.id[:SHORT]}` writes it there; {UNDO}", FAINT))


def show_places(page: Page, report: decision_reports.Places) -> None:
    """Print where else a suggestion could go."""
    page.line(one_line(as_written(report.suggestion)))
    page.line("  → ", (where(report.suggestion), PATH))
    for number, place in enumerate(report.places, 1):
        page.line(f"  {number}  ", (f"{place.uri} › {place.heading}" if place.heading else place.uri, PATH))


def show_undone(page: Page, report: decision_reports.Undone) -> None:
    """Print what was taken back."""
    page.line(("took back", GOOD), f"  {_words(report.taken)} ", (f"({ago(report.taken.at, now=page.now)})", FAINT))
    for path in report.paths:
        page.line(("restored", GOOD), "  ", (path, PATH))
    for content, place in zip(report.contents, report.places, strict=True):
        page.line("pending again: ", one_line(content), " → ", (one_line(place), PATH))
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
