"""What is kept aside, on a terminal: the person's own sentence, when and where it was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.identity import normalised
from memsuggest.render.safe import one_line
from memsuggest.render.terminal.page import FAINT, HEAD, ID, INDENT, SHORT, Page
from memsuggest.render.terminal.suggestion_pages import EMPTY

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact
    from memsuggest.reports import decision_reports


def show_maybes(page: Page, report: decision_reports.Maybes) -> None:
    """Print what is kept aside."""
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])
        return
    about = " · what you said that could be a rule; only in your profile, suggested once you say it again"
    page.line((f"Maybes ({len(report.facts)})", HEAD), (about, FAINT))
    for fact in report.facts:
        _show_row(page, fact)
    if not report.facts:
        page.line("Nothing is kept aside.")
        return
    first = report.facts[0].id[:SHORT]
    page.line()
    page.line((f"`memsuggest show {first}` says where it would go; `apply`, `edit` and `dismiss` take it too", FAINT))


def _show_row(page: Page, fact: MemoryFact) -> None:
    last = max(fact.citations, key=lambda one: one.at.timestamp() if one.at else 0.0)
    said = [one for one in fact.citations if one.quote]
    page.line("  ", (fact.id[:SHORT], ID), "  “", one_line(last.quote), "”", hang=INDENT)
    if normalised(fact.content) != normalised(last.quote):
        page.line(" " * INDENT + "→ ", one_line(fact.content), hang=INDENT + 2)
    times = len({(one.session_id, one.turn) for one in said})
    parts = [last.at.strftime("%Y-%m-%d %H:%M") if last.at else "", f"chat {last.session_id[:8]}", last.format]
    parts += ["perhaps pasted"] if last.trust == "doubtful" else []
    parts += [f"said {times} times"] if times > 1 else []
    page.line((" " * INDENT + " · ".join(map(one_line, filter(None, parts))), FAINT))
