"""The state of a Graphiti server, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.page import BAD, FAINT, GOOD, HEAD, WARN, Page
from memsuggest.text.when import ago

if TYPE_CHECKING:
    from memsuggest.reports import graphiti_reports


def show_graphiti(page: Page, report: graphiti_reports.GraphitiShown) -> None:
    """Print which server there is, what is switched on, and what was agreed to."""
    if not report.endpoint:
        page.line("no Graphiti server is set: `memsuggest graphiti on --endpoint URL`")
    else:
        key = ", with a key" if report.has_key else ""
        page.line((one_line(report.endpoint), HEAD), f"{key}  ", (report.endpoint_source, FAINT))
        agreed = ("agreed to, for this workspace", GOOD) if report.is_granted else ("not agreed to", WARN)
        page.line("consent    ", agreed)
    for switch in report.switches:
        state = ("on ", GOOD) if switch.is_on else ("off", FAINT)
        source = "" if switch.source in ("default", report.endpoint_source) else f"  {switch.source}"
        page.line(f"{switch.name:<10} ", state, f"  {switch.about}", (source, FAINT))
        if switch.why_not:
            page.line(f"{'':<15}", (one_line(switch.why_not), WARN))
    if report.delivery:
        _show_delivery(page, report.delivery)
    if report.words and not page.quiet:
        page.line()
        for line in report.words:
            page.line((line, FAINT))


_TOLD = {
    "waiting": ("wait to be sent", FAINT),
    "sending": ("are being sent", FAINT),
    "unsure": ("were sent, and nobody answered: it is looked whether they are there", FAINT),
    "queued": ("were taken by the server, and not seen there yet", FAINT),
    "stored": ("are there", GOOD),
    "lost": ("are lost: the server took them and does not have them", BAD),
    "refused": ("were refused by the server", BAD),
    "dropped": ("were dropped, the oldest: too many waited", WARN),
}


def _show_delivery(page: Page, delivery: graphiti_reports.GraphitiDelivery) -> None:
    for state, (words, style) in _TOLD.items():
        if number := delivery.counts.get(state):
            page.line(f"messages   {number:>6,} ", (words, style))
    if delivery.why:
        when = f"{ago(delivery.failed_at, now=page.now)}: " if delivery.failed_at else ""
        page.line("last time  ", (f"{when}{one_line(delivery.why)}", WARN), hang=11)
    for scope, group in delivery.groups.items():
        page.line(f"{scope:<10} ", (group, FAINT))


def show_promoted(page: Page, report: graphiti_reports.Promoted) -> None:
    """Print what was promoted, and how far it came."""
    did = "promoted" if report.is_new else "promoted before"
    page.line((did, GOOD), f"  {report.kind} ({report.scope})  {one_line(report.content)}", hang=4)
    words, style = _PROMOTED.get(report.state, (report.state, WARN))
    page.line(("  " + words, style))
    if report.why:
        page.line((f"  {one_line(report.why)}", WARN), hang=2)


_PROMOTED = {
    "waiting": ("it waits, and is sent with the next `memsuggest reconcile`", WARN),
    "queued": ("the server took it; `memsuggest graphiti show` says when it is there", FAINT),
    "stored": ("the server has it", GOOD),
    "unsure": ("nobody can tell yet whether it arrived; it is looked for", WARN),
    "lost": ("the server took it and does not have it", BAD),
    "refused": ("the server refuses it", BAD),
}


def show_tried(page: Page, report: graphiti_reports.GraphitiTried) -> None:
    """Print what was tried, a line each, and what it came to."""
    tried = report.tried
    page.line((one_line(report.endpoint), HEAD))
    for step in tried.steps:
        page.line("  ", ("ok  ", GOOD) if step.is_fine else ("fail", BAD), f" {step.name:<12} {one_line(step.text)}")
    is_fine = tried.verdict == "fine"
    page.line((tried.verdict, GOOD if is_fine else BAD), f": {one_line(tried.why)}")
    for one in tried.left:
        page.line(("left behind: ", WARN), one_line(one))
    if tried.hint:
        page.line((f"hint: {tried.hint}", FAINT))
    if is_fine and not report.is_smoke:
        page.line(("`memsuggest graphiti test --smoke` also tries whether it stores, finds and deletes", FAINT))
