"""What asking models came to, for people."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from memsuggest.render.safe import one_line
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
    show_skipped,
)
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.reports import model_reports
    from memsuggest.reports.learning_reports import Request

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


def show_usage(page: Page, report: model_reports.UsageShown) -> None:
    """Print what models cost."""
    for row in report.rows:
        used = row.usage
        page.line(
            (row.day, HEAD),
            f"  {row.model}  {row.purpose:<13} {count(row.requests, 'request', 'requests')}"
            f" ({row.failed} failed)  {used.prompt:,} tokens sent, {used.cache_read:,} from the cache,"
            f" {used.output:,} received  {_dollars(row.micros)}{' (estimated)' if row.is_estimate else ''}",
        )
    if not report.rows:
        page.line("no model was asked yet")
    page.line(
        f"today {_dollars(report.day)} of {_dollars(report.budgets.day)},"
        f" this month {_dollars(report.month)} of {_dollars(report.budgets.month)}"
    )
    share = report.share
    if share.own:
        page.line(
            f"memory work took {share.taken / share.own:.2%} of what the assistants themselves used this month"
            f" ({share.taken:,} of {share.own:,} tokens, where they say so); at most {share.most:.0%}"
        )


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
    if report.why_offline:
        page.line((f"by our own rules; no model was asked: {one_line(report.why_offline)}", FAINT))
    if report.diff:  # long, so that the table comes last, where the eye is
        show_diff(page, report.diff)
        page.line()
    for number, operation in enumerate(report.operations, start=1):
        show_tidied(page, operation, number=number)
    show_skipped(page, report.refused)
    show_requests(page, report.requests)
    if not report.operations:
        page.line(("nothing needs to go", FAINT))


def show_one_tidied(page: Page, operation: model_reports.Tidied) -> None:
    """Print one thing that could be done, to be asked about."""
    page.line()
    show_tidied(page, operation)


def show_tidied(page: Page, operation: model_reports.Tidied, *, number: int | None = None) -> None:
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
    if operation.content:
        page.line((f"{'':13}now      ", FAINT), one_line(operation.content))
    if operation.because:
        because = operation.because
        page.line((f"{'':13}{operation.why} ", FAINT), (because.id[:SHORT], ID), f"  {one_line(because.content)}")
