"""Questions to the assistant in the chat, and its answers: read by assistants more than by people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.page import FAINT, GOOD, ID, PATH, SHORT, WARN, Page, count

if TYPE_CHECKING:
    from memsuggest.reports import ask_reports

_STYLES = {"suggested": GOOD, "new": GOOD, "dropped": WARN}


def show_asked(page: Page, report: ask_reports.Asked) -> None:
    """Print a packet, whole and as it is."""
    page.block(report.text)


def show_nothing(page: Page, report: ask_reports.NothingAsked) -> None:
    """Print that nothing waits."""
    page.line(f"no packet waits: {report.why}")


def show_answered(page: Page, report: ask_reports.Answered) -> None:
    """Print what became of an answer, a line for each thing in it."""
    page.line(f"packet {report.id} is answered: {count(len(report.items), 'item', 'items')}")
    for item in report.items:
        page.line("  ", (f"{item.outcome:<10}", _STYLES.get(item.outcome, FAINT)), one_line(item.content))
        if item.target:
            page.line(f"{'':12}for ", (one_line(item.target), PATH), "  fact ", ((item.fact_id or "")[:SHORT], ID))
        elif item.why:
            page.line((f"{'':12}{one_line(item.why)}", FAINT))
    if report.next_id:
        page.line(f"next: `memsuggest ask` prints packet {report.next_id}{_besides(report.left)}")
    else:
        page.line("no packet waits; `memsuggest list` shows what is suggested, and the person decides")


def _besides(left: ask_reports.Left) -> str:
    """Say what waits behind a packet."""
    more = [
        *([f"{left.packets} more of its chat"] if left.packets else []),
        *([f"up to {count(left.chats, 'other chat', 'other chats')}"] if left.chats else []),
    ]
    return f" ({' and '.join(more)} behind it)" if more else ""
