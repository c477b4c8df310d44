"""What asking models came to, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe import one_line
from memsuggest.render.terminal.page import FAINT, GOOD, HEAD, ID, PATH, SHORT, WARN, Page, count, show_skipped
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.reports import models
    from memsuggest.reports.learning import Request

_MICROS = 1_000_000


def _dollars(micros: int) -> str:
    return f"${micros / _MICROS:.4f}"


def show_consent(page: Page, report: models.ConsentShown) -> None:
    """Print how things stand with consent."""
    for line in report.words:
        page.line(line)
    page.line()
    page.line(("Agreed" if report.is_granted else "Not agreed", GOOD if report.is_granted else WARN))
    if not report.has_key:
        page.line("no key is set: nothing is sent anyway; set ANTHROPIC_API_KEY in your environment")
    for grant in report.grants:
        page.line((f"  since {iso(grant.at)}  {grant.endpoint}  ", FAINT), (grant.root, PATH))


def show_usage(page: Page, report: models.UsageShown) -> None:
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


def show_requests(page: Page, requests: Sequence[Request]) -> None:
    """Print what would be sent, word for word, and what it would cost at most."""
    for request in requests:
        page.line()
        page.line(
            ("Would be sent", HEAD),
            f" to {request.endpoint}, {request.model}, for {request.purpose}: about {request.tokens:,} tokens,"
            f" at most {_dollars(request.micros)}  ",
            (request.about, PATH),
        )
        for text in request.texts:
            page.block(text, indent="  ")
    if requests:
        tokens, micros = sum(one.tokens for one in requests), sum(one.micros for one in requests)
        page.line()
        page.line(f"{count(len(requests), 'request', 'requests')}, about {tokens:,} tokens, at most {_dollars(micros)}")


def show_consolidated(page: Page, report: models.Consolidated) -> None:
    """Print which facts could go, and why."""
    page.line(
        f"{count(report.facts, 'fact', 'facts')}, about {report.tokens:,} of {report.budget:,} tokens: ",
        (str(report.tier), HEAD),
    )
    for operation in report.operations:
        page.line(
            (operation.verb, WARN), "  ", (operation.fact.id[:SHORT], ID), f"  {one_line(operation.fact.content)}"
        )
        if operation.because:
            because = operation.because
            page.line(("        because of ", FAINT), (because.id[:SHORT], ID), f"  {one_line(because.content)}")
    show_skipped(page, report.refused)
    ids = " ".join(operation.fact.id[:SHORT] for operation in report.operations)
    page.line(
        (f"nothing was changed; `memsuggest facts forget {ids}` does it" if ids else "nothing needs to go", FAINT)
    )
