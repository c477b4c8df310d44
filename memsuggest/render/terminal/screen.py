"""One suggestion on one screen: the rule, where it goes and why, the quote, the lines around; no more than fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe import one_line
from memsuggest.render.terminal.evidence import facts_line, source_line
from memsuggest.render.terminal.page import BAD, FAINT, GOOD, HEAD, ID, PATH, SHORT, WARN, Page, sentence, show_diff
from memsuggest.render.terminal.suggestions import place_of
from memsuggest.suggestions.diff import unified

if TYPE_CHECKING:
    from memsuggest.reports import deciding

_CARE = "care of your files: nobody said this, the file shows it"
_QUESTION = 2
"""Rows that the question takes."""
_LEAST = 5
"""Rows of a diff that are shown on the smallest of screens."""


def show_screen(page: Page, report: deciding.Screen) -> None:
    """Print one suggestion so that it fits the terminal, with the question's room left below it."""
    page.clear()
    shown = report.shown
    suggestion, fact = shown.suggestion, shown.suggestion.fact
    rows = _Rows(page)
    for note in report.notes:
        rows.line((one_line(note, limit=rows.width - 1), BAD if note.startswith("error: ") else GOOD))
    rows.line((f"({report.number} of {report.count})", FAINT), "  ", (suggestion.id[:SHORT], ID))
    rows.line((one_line(suggestion.content), HEAD))
    rows.line(("  " + (facts_line(fact) if fact else _CARE), FAINT), hang=2)
    for citation in suggestion.citations[:1]:
        rows.line("  “", one_line(citation.quote, limit=2 * rows.width), "”", hang=3)
        more = len(suggestion.citations) - 1
        rows.line(("   " + source_line(citation) + (f" · and {more} more, `w`" if more else ""), FAINT), hang=3)
    rows.line("→ ", (place_of(suggestion), PATH), hang=2)
    if suggestion.why:
        rows.line(("  " + one_line(sentence(suggestion.why), limit=2 * rows.width), FAINT), hang=2)
    if suggestion.executable:
        rows.line(("  this is executable configuration: it is confirmed by itself, never in bulk", WARN), hang=2)
    if shown.danger:
        rows.line((f"  warning: this rule {shown.danger}; it is confirmed by itself", WARN), hang=2)
    if shown.was_replanned:
        rows.line(("  its file changed since this was suggested: this is the edit for the file as it is now", FAINT))
    page.line()
    _show_hunks(page, unified(suggestion.edit), room=rows.left - 1 - _QUESTION)


class _Rows:
    """Prints lines, and knows how many rows of the terminal are left."""

    def __init__(self, page: Page) -> None:
        self._page = page
        columns, self.left = page.size
        self.width = max(20, columns)

    def line(self, *parts: str | tuple[str, str], hang: int = 0) -> None:
        """Print a line; one that is too long goes on below."""
        self._page.line(*parts, hang=hang)
        length = sum(len(part if isinstance(part, str) else part[0]) for part in parts)
        self.left -= 1 + max(0, length - 1) // max(1, self.width - hang)


def _show_hunks(page: Page, diff: str, *, room: int) -> None:
    """Print a diff without the lines that only git needs, as far as there is room."""
    lines = diff.removesuffix("\n").split("\n")
    first = next((place for place, line in enumerate(lines) if line.startswith("@@")), 0)
    body = lines[first:]
    room = max(_LEAST, room)
    rows = [_row(line, page.size[0]) for line in body]
    kept = rows if len(rows) <= room else rows[: room - 1]
    show_diff(page, "\n".join(kept))
    if len(kept) < len(body):
        page.line((f"… {len(body) - len(kept)} more lines: `w` shows all", FAINT))


def _row(line: str, columns: int) -> str:
    """Return a line of a diff, cut where it only stands around the change and is too long for a row."""
    is_around = line[:1] == " "
    return line if not is_around or len(line) < columns else line[: columns - 1] + "…"
