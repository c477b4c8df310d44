"""One suggestion on one screen: the rule, where it goes and why, the quote, the lines around; no more than fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.clashes import clash_lines
from memsuggest.render.terminal.evidence_lines import facts_line, source_line
from memsuggest.render.terminal.page import (
    BAD,
    FAINT,
    GOOD,
    HEAD,
    ID,
    PATH,
    SHORT,
    WARN,
    Page,
    diff_hang,
    sentence,
    show_diff,
)
from memsuggest.suggestions.diff import CONTEXT, unified
from memsuggest.suggestions.listed import as_written, where

if TYPE_CHECKING:
    from memsuggest.reports import decision_reports

_MAINTENANCE = "care of your files: nobody said this, the file shows it"
_QUESTION = 2
"""Rows that the question takes."""
_LONGEST_NOTE = 4
"""Rows that a note takes at most."""
_LEAST = 5
"""Rows of a diff that are shown on the smallest of screens."""


def show_screen(page: Page, report: decision_reports.Screen) -> None:
    """Print one suggestion so that it fits the terminal, with the question's room left below it."""
    page.clear()
    shown = report.shown
    suggestion, fact = shown.suggestion, shown.suggestion.fact
    rows = _Rows(page)
    for note in report.notes:
        rows.line((one_line(note, limit=_LONGEST_NOTE * rows.width), BAD if note.startswith("error: ") else GOOD))
    rows.line(
        (f"({report.number} of {report.count})", FAINT),
        "  ",
        (suggestion.id[:SHORT], ID),
        ("  new" if report.is_new else "", GOOD),
    )
    rows.line((one_line(as_written(suggestion)), HEAD), hang=0)
    rows.line(("  " + (facts_line(fact) if fact else _MAINTENANCE), FAINT))
    for citation in suggestion.citations[:1]:
        rows.line("  “", one_line(citation.quote, limit=2 * rows.width), "”", hang=3)
        more = len(suggestion.citations) - 1
        rows.line(("   " + source_line(citation) + (f" · and {more} more, `w`" if more else ""), FAINT), hang=3)
    rows.line("→ ", (where(suggestion), PATH))
    if suggestion.why:
        rows.line(("  " + one_line(sentence(suggestion.why), limit=2 * rows.width), FAINT))
    for line in clash_lines(fact, shown.contradictions) if fact else ():
        rows.line(*line, hang=4)
    for rule in shown.held:
        rows.line(("  what it replaces does not hold: " + one_line(rule.why), WARN))
    if suggestion.executable:
        rows.line(("  this is executable configuration: it is confirmed by itself, never in bulk", WARN))
    if shown.danger:
        rows.line((f"  warning: this rule {shown.danger}; it is confirmed by itself", WARN))
    if shown.was_replanned:
        rows.line(("  its file changed since this was suggested: this is the edit for the file as it is now", FAINT))
    rows.line()
    rows.left -= _show_hunks(page, unified(suggestion.edit), room=rows.left - _QUESTION)
    if rows.left > _QUESTION:
        page.line()


class _Rows:
    """Prints lines, and knows how many rows of the terminal are left."""

    def __init__(self, page: Page) -> None:
        self._page = page
        columns, self.left = page.size
        self.width = max(20, columns)

    def line(self, *parts: str | tuple[str, str], hang: int | None = None) -> None:
        """Print a line; one that is too long goes on below."""
        self.left -= self._page.line(*parts, hang=hang)


def _show_hunks(page: Page, diff: str, *, room: int) -> int:
    """Print a diff without the lines that only git needs, as far as there is room; return how many rows it takes.

    What changes is shown before what stands near it.
    """
    lines = diff.removesuffix("\n").split("\n")
    first = next((place for place, line in enumerate(lines) if line.startswith("@@")), 0)
    body = [_shortened(line, page.size[0]) for line in lines[first:]]
    room = max(_LEAST, room)
    for near in range(CONTEXT, -1, -1):
        kept = _around_changes(body, near)
        heights = [page.height(line, hang=diff_hang(line)) for line in kept]
        if sum(heights) <= room:
            break
    cut = 0  # from the top: what a file begins with is told by its place, and the rule comes last
    while len(kept) - cut > 1 and sum(heights[cut:]) > room - 1:
        cut += 1
    if cut:
        page.line((f"… {cut} more {'lines' if cut > 1 else 'line'} of the change: `w` shows all", FAINT))
    show_diff(page, "\n".join(kept[cut:]))
    return sum(heights[cut:]) + bool(cut)


def _around_changes(body: list[str], near: int) -> list[str]:
    """Return the lines of a diff without those further than so many lines from a change."""
    changes = [place for place, line in enumerate(body) if line[:1] in {"+", "-"}]
    return [
        line
        for place, line in enumerate(body)
        if line[:1] != " " or any(abs(place - change) <= near for change in changes)
    ]


def _shortened(line: str, columns: int) -> str:
    """Return a line of a diff, cut after a word where it only stands around the change and is too long for a row."""
    if line[:1] != " " or len(line) < columns:
        return line
    cut = line[: columns - 2]
    words = cut.rpartition(" ")[0].rstrip() or cut  # one long word is cut in the middle
    return f"{words} …"
