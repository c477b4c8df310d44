"""The page of `reconcile`: what was read and learned, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.clashes import show_contradictions
from memsuggest.render.terminal.evidence_lines import place_written
from memsuggest.render.terminal.model_pages import show_batch, show_requests
from memsuggest.render.terminal.new_suggestion_lines import show_news, show_rest, unseen
from memsuggest.render.terminal.page import (
    FAINT,
    GOOD,
    HEAD,
    ID,
    INDENT,
    PATH,
    SHORT,
    Page,
    count,
    show_skipped,
)
from memsuggest.render.terminal.status_page import CAUGHT_UP, EMPTY, show_header
from memsuggest.render.terminal.suggestion_pages import show_gone, show_groups, show_maintenance
from memsuggest.reports import learning_reports
from memsuggest.suggestions.listed import in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemoryFact
    from memsuggest.reports import learning_reports

PLACE = ".github/memories/facts.json"
NO_CHATS = "No chats of this workspace were found: `memsuggest transcripts` says where assistants were looked for."


def show_reconciled(page: Page, report: learning_reports.Reconciled) -> None:
    """Print what a run found."""
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])
        return
    show_header(page, mode=report.mode, last_run=report.last_run, pending=len(report.suggestions))
    _show_counts(page, report)
    news, new_maintenance = unseen(report.suggestions, report.seen), unseen(report.maintenance, report.seen)
    show_news(page, (*news, *new_maintenance), seen=report.seen)
    show_groups(page, news, report)
    show_contradictions(page, report.contradictions)
    for fact in report.receipts:
        page.line(
            ("Remembered", GOOD),
            f": {one_line(fact.content)} ",
            (f"({fact.kind}, {fact.scope}, {fact.id[:SHORT]})", FAINT),
        )
    _show_already_there(page, report.already_there)
    if report.pruned:
        page.line()
        show_gone(page, report.pruned, verb="pruned")
    if not report.suggestions and not report.postponed and not report.in_batch:
        is_anything_there = report.read or report.unchanged or report.older
        page.line(CAUGHT_UP if is_anything_there else NO_CHATS)
    _show_facts_to_look_at(page, report)
    _show_written(page, report.written, before=report.written_before)
    show_maintenance(page, new_maintenance, held=report.maintenance_held)
    show_rest(page, report.suggestions, report.maintenance, seen=report.seen)
    show_skipped(page, report.skipped)
    show_batch(page, report)
    show_requests(page, report.requests)
    if news and not report.is_dry:
        first = in_order(news, seen=())[0].id[:SHORT]
        page.line()
        page.line((f"`memsuggest show {first}` explains one, `memsuggest review` walks through them", FAINT))
    _show_who_could_judge(page, report)


def _show_who_could_judge(page: Page, report: learning_reports.Reconciled) -> None:
    """Print how much nobody has judged, and who could."""
    unsure = count(report.maybes, "low-confidence sentence", "low-confidence sentences")
    parts = [f"{unsure} (`memsuggest list --maybe`)"] if report.maybes else []
    parts += [one_line(report.better)] if report.better else []
    if parts and not page.quiet:
        page.line(("; ".join(parts), FAINT))


def _show_counts(page: Page, report: learning_reports.Reconciled) -> None:
    """Print how much was read, and what was left out or could be better."""
    counts = [
        count(report.read, "transcript read", "transcripts read"),
        count(report.unchanged, "unchanged", "unchanged"),
    ]
    counts += [count(report.new_facts, "new fact", "new facts"), f"{report.engine} engine"]
    page.line((", ".join(counts) + (" (dry run: nothing was stored)" if report.is_dry else ""), FAINT))
    if report.shared_facts:
        facts = count(report.shared_facts, "fact", "facts")
        how = ": `memsuggest facts list` shows them, `memsuggest facts forget ID` takes one back"
        page.line(f"{facts} written to {PLACE}", (how, FAINT))
    if report.older:
        chats = count(report.older, "chat is", "chats are")
        page.line((f"{chats} older than {report.since}: `memsuggest reconcile --since all` reads them, too", FAINT))


def _show_facts_to_look_at(page: Page, report: learning_reports.Reconciled) -> None:
    """Print which facts are alike, kept aside or stale, and the commands that show them."""
    if report.joined:
        joined = count(report.joined, "fact went into another that says", "facts went into others that say")
        page.line(joined, " the same", (": `memsuggest undo` takes it back", FAINT))
    if report.raised:
        page.line(count(report.raised, "maybe is suggested now", "maybes are suggested now"))
    if report.stale_facts and not page.quiet:
        speak = count(report.stale_facts, "fact speaks", "facts speak")
        page.line((f"{speak} of what is gone: `memsuggest facts check --stale`", FAINT))


def _show_written(page: Page, written: Sequence[MemoryFact], *, before: int) -> None:
    if not written:
        return
    page.line()
    about = " · not suggested before you say that they hold"
    page.line((f"In documents that an assistant wrote ({len(written)})", HEAD), (about, FAINT))
    for fact in written:
        page.line("  ", (fact.id[:SHORT], ID), "  ", one_line(fact.content), hang=INDENT)
        page.line((" " * INDENT + place_written(fact.citations[0]), PATH))
    if before:
        page.line((f"  {before} more wait since before: `memsuggest facts list --written`", FAINT))
    first = written[0].id[:SHORT]
    page.line((f"`memsuggest facts confirm {first}` takes one, `memsuggest facts forget {first}` drops it", FAINT))


def _show_already_there(page: Page, already: Sequence[learning_reports.AlreadyThere]) -> None:
    if already:
        page.line()
        page.line(("Already there", HEAD), f" ({len(already)})")
    for there in already:
        page.line("  ", one_line(there.fact.content, limit=90), (f"  {there.target_uri}:{there.line}", PATH))
