"""Consent, usage and consolidation, for people."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import TERMS
from memsuggest.asking.outcomes import OUTCOMES
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.page import (
    FAINT,
    GOOD,
    HEAD,
    ID,
    PATH,
    SHORT,
    UNDO,
    WARN,
    Page,
    count,
    show_diff,
)
from memsuggest.text.when import iso

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.reports import model_reports
    from memsuggest.reports.learning_reports import Reconciled, Request

_MICROS = 1_000_000


def _dollars(micros: int) -> str:
    return f"${micros / _MICROS:.4f}"


def show_consent(page: Page, report: model_reports.ConsentShown) -> None:
    """Print how things stand with consent."""
    for line in report.words:
        page.line(line)
    page.line()
    page.line(("Agreed" if report.is_granted else "Not agreed", GOOD if report.is_granted else WARN))
    if report.why_not_ready:
        page.line(f"nothing is sent anyway: {one_line(report.why_not_ready)}")
    for grant in report.grants:
        page.line((f"  since {iso(grant.at)}  {grant.endpoint}  ", FAINT), (grant.root, PATH))
        if grant.terms < TERMS:
            page.line(("    to fewer words: what was named since is not sent; `memsuggest consent grant`", WARN))


def show_usage(page: Page, report: model_reports.UsageShown) -> None:
    """Print what models cost."""
    for row in report.rows:
        used = row.usage
        page.line(
            (row.day, HEAD),
            f"  {row.model}  {row.purpose:<15} {count(row.requests, 'request', 'requests')}"
            f" ({row.failed} failed)  {used.prompt:,} tokens sent, {used.cache_read:,} from the cache,"
            f" {used.output:,} received  {_dollars(row.micros)}{' (estimated)' if row.is_estimate else ''}",
        )
    if not report.rows:
        page.line("no model was asked yet")
    for period in report.periods:
        _show_period(page, period)
    share = report.share
    if share.own:
        page.line(
            f"memory work took {share.taken / share.own:.2%} of what the assistants themselves used this month"
            f" ({share.taken:,} of {share.own:,} tokens, where they say so);"
            f" at most {share.most:.0%}, or {report.budgets.tokens:,} tokens"
        )


_PERIODS = {"day": "today", "month": "this month"}
_BAR = 20
"""Columns of a bar."""


def _show_period(page: Page, period: model_reports.PeriodUse) -> None:
    """Print a period's budget as a bar, and below it what each purpose took."""
    filled = min(_BAR, round(period.share * _BAR))
    waits = "  what can wait waits: a fifth is kept for reading chats" if period.is_low else ""
    page.line(
        (f"{_PERIODS[period.name]:<10}", HEAD),
        "  [",
        ("#" * filled, WARN if period.is_low else GOOD),
        ("." * (_BAR - filled), FAINT),
        f"]  {_dollars(period.spent)} of {_dollars(period.budget)} ({period.share:.0%})",
        (waits, WARN),
    )
    for one in period.purposes:
        asked = count(one.requests, "request", "requests")
        page.line(f"{'':12}{one.purpose:<15}  {one.tokens:>9,} tokens  {_dollars(one.micros)}  ", (asked, FAINT))


def show_requests(page: Page, requests: Sequence[Request]) -> None:
    """Print what would be sent, word for word, and what it would cost at most."""
    for request in requests:
        page.line()
        page.line(
            ("Would be sent", HEAD),
            f" to {request.endpoint}, model {request.model}, for {request.purpose}: about {request.tokens:,} tokens,"
            f" at most {_dollars(request.micros)}{_beside(request)}  ",
            (request.about, PATH),
        )
        if request.command:
            page.line(("  $ ", FAINT), one_line(shlex.join(request.command)))
        for text in request.texts:
            page.block(text, indent="  ")
    if requests:
        tokens, micros = sum(one.tokens for one in requests), sum(one.micros for one in requests)
        page.line()
        page.line(f"{count(len(requests), 'request', 'requests')}, about {tokens:,} tokens, at most {_dollars(micros)}")


def show_batch(page: Page, report: Reconciled) -> None:
    """Print what came back from batches, and what did not."""
    batch = report.batch
    if report.in_batch:
        chats = count(report.in_batch, "chat waits", "chats wait")
        page.line(f"{chats} for a batch", (": `memsuggest reconcile --batch` comes back to it", FAINT))
    if batch is None:
        return
    if batch.answered:
        usage = batch.usage
        page.line(
            (f"{count(batch.answered, 'question', 'questions')} answered in a batch", GOOD),
            f": {count(report.new_facts, 'new fact', 'new facts')}; {usage.prompt:,} tokens sent,"
            f" {usage.output:,} came back, {_dollars(batch.micros)}",
        )
    for outcome, times in sorted(batch.failures.items()):
        page.line(
            (f"{count(times, 'question', 'questions')} of a batch without an answer", WARN), f": {_says(outcome)}"
        )
    if batch.sent and not batch.answered:
        page.line((f"{count(batch.sent, 'question', 'questions')} sent in a batch", GOOD))
    if batch.is_declined:
        page.line("nothing was sent")
    if batch.is_unsure:
        page.line("the receipt of a batch was lost on its way: it is looked for")
    if batch.unplaced:
        page.line(f"{count(batch.unplaced, 'answer waits', 'answers wait')} for chats that were not found in this run")
    if batch.left:
        page.line(
            f"{count(batch.left, 'question', 'questions')} not sent",
            (": `memsuggest usage` shows the budgets, `memsuggest config set budgetPerRun 1` raises one", FAINT),
        )
    if batch.elsewhere:
        page.line(f"a batch waits at {batch.elsewhere}, which is not asked now")


def _says(outcome: str) -> str:
    """Say what happened in the words of the outcome; what it may cost, and that it is asked again, is told there."""
    found = OUTCOMES.get(outcome)
    return found.says if found else outcome


def _beside(request: Request) -> str:
    """Say how much that is beside what the assistant itself used, where that is known."""
    return (
        f", {request.tokens / request.token_usage:.1%} of what the assistant used itself" if request.token_usage else ""
    )


def show_consolidated(page: Page, report: model_reports.Consolidated) -> None:
    """Print what could be done to the facts, as a table and as a diff; or how things are after it was done."""
    if report.is_changed:
        page.line(
            (f"{count(len(report.operations), 'change', 'changes')} made", GOOD),
            f": {count(report.facts_after, 'fact', 'facts')} left, about {report.tokens_after:,} tokens; ",
            (UNDO, FAINT),
        )
        return
    page.line(
        f"{count(report.facts, 'fact', 'facts')}, about {report.tokens:,} of {report.budget:,} tokens: ",
        (str(report.tier), HEAD),
    )
    if report.diff:  # long, so that the table comes last, where the eye is
        show_diff(page, report.diff)
        page.line()
    for number, operation in enumerate(report.operations, start=1):
        show_merge(page, operation, number=number)
    if not report.operations:
        page.line(("nothing needs to go", FAINT))


def show_one_merge(page: Page, operation: model_reports.Merge) -> None:
    """Print one thing that could be done, to be asked about."""
    page.line()
    show_merge(page, operation)


def show_merge(page: Page, operation: model_reports.Merge, *, number: int | None = None) -> None:
    """Print one row of the table: what would be done to which fact, and for the sake of what."""
    mark = ("", "") if operation.is_sure else ("  needs your look", WARN)
    page.line(
        f"{number or '':>3}  ",
        (f"{operation.deed:<6}", WARN),
        "  ",
        (operation.fact.id[:SHORT], ID),
        f"  {one_line(operation.fact.content)}",
        mark,
    )
    because = operation.because
    page.line((f"{'':13}{operation.why} ", FAINT), (because.id[:SHORT], ID), f"  {one_line(because.content)}")
