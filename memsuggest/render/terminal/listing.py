"""The page of `list`: what waits, what is kept aside, and what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.identity import normalised
from memsuggest.model import SuggestionStatus
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.new_suggestion_lines import show_news, show_rest, unseen
from memsuggest.render.terminal.page import FAINT, HEAD, ID, INDENT, PATH, SHORT, Page, count
from memsuggest.render.terminal.status_page import CAUGHT_UP, EMPTY, show_header
from memsuggest.render.terminal.suggestion_pages import show_groups, show_maintenance

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact
    from memsuggest.reports import decision_reports


def show_listing(page: Page, report: decision_reports.Listing) -> None:
    """Print what waits, in groups."""
    if report.status is not SuggestionStatus.PENDING:
        _show_decided(page, report)
        return
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])
        return
    if report.is_narrowed and not report.suggestions:
        if not page.quiet:
            page.line("Nothing waits for these files.")
        return
    show_header(page, mode=report.mode, last_run=report.last_run, pending=len(report.suggestions))
    news, new_maintenance = unseen(report.suggestions, report.seen), unseen(report.maintenance, report.seen)
    show_news(page, (*news, *new_maintenance), seen=report.seen)
    show_groups(page, news, report)
    if not report.suggestions:
        page.line(EMPTY[Mode.MANUAL] if report.mode is Mode.MANUAL or report.last_run is None else CAUGHT_UP)
    show_maintenance(page, new_maintenance, held=report.maintenance_held)
    if report.is_whole:
        _show_seen(page, report)
    else:
        show_rest(page, report.suggestions, report.maintenance, seen=report.seen)
    if report.written:
        rules = count(report.written, "rule", "rules")
        page.line()
        page.line((f"{rules} in documents that an assistant wrote: `memsuggest facts list --written`", FAINT))


def _show_seen(page: Page, report: decision_reports.Listing) -> None:
    """Print what was shown at the last look, too."""
    old = [one for one in (*report.suggestions, *report.maintenance) if one.id in report.seen]
    if old:
        page.line()
        page.line((f"Shown at an earlier look ({len(old)})", HEAD))
        show_groups(page, [one for one in old if one.fact], report)
        show_maintenance(page, [one for one in old if not one.fact], held={})


def _show_decided(page: Page, report: decision_reports.Listing) -> None:
    page.line((f"{str(report.status).capitalize()} ({len(report.decided) + len(report.maintenance)})", HEAD))
    for decided in report.decided:
        _show_done(page, decided.fact.id, decided.fact.content, decided.target or "everywhere")
    for maintenance in report.maintenance:
        _show_done(page, maintenance.about, maintenance.content, maintenance.edit.path)


def _show_done(page: Page, name: str, content: str, where: str) -> None:
    page.line("  ", (name[:SHORT], ID), "  ", one_line(content), (f"  {where}", PATH), hang=INDENT)


def show_maybes(page: Page, report: decision_reports.Maybes) -> None:
    """Print the sentences of low confidence."""
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])
        return
    about = " · what you said that could be a rule; only in your profile, until you or a model agree"
    page.line((f"Low confidence ({len(report.facts)})", HEAD), (about, FAINT))
    for fact in report.facts:
        _show_maybe(page, fact)
    if not report.facts:
        page.line("Nothing has low confidence.")
        return
    first = report.facts[0].id[:SHORT]
    page.line()
    page.line((f"`memsuggest show {first}` says where it would go; `apply`, `edit` and `dismiss` take it too", FAINT))


def _show_maybe(page: Page, fact: MemoryFact) -> None:
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
