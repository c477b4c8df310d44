"""The page of `coverage`: what people keep saying that no file says, and files that no chat used."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.page import FAINT, GOOD, HEAD, ID, INDENT, PATH, SHORT, WARN, Page, count, show_skipped

if TYPE_CHECKING:
    from memsuggest.reports.coverage_report import CoverageReport, FileUse, Matter

_MOST = 10
"""Gaps, and idle files, that are shown."""
_QUOTE = 100  # characters


def show_coverage(page: Page, report: CoverageReport) -> None:
    """Print the dearest gaps, what is covered, and the files that nothing used."""
    _show_gaps(page, report)
    _show_covered(page, report)
    _show_idle(page, report)
    show_skipped(page, report.skipped)


def _show_gaps(page: Page, report: CoverageReport) -> None:
    gaps = report.gaps
    if report.unlearned:
        chats = count(report.unlearned, "chat was", "chats were")
        page.line((f"{chats} not learned from yet: `memsuggest reconcile` reads them", WARN))
    if not gaps:
        told = (
            "nothing that you said in several chats is missing from your files"
            if report.matters
            else ("nothing was said in more than one chat yet")
        )
        page.line((told, GOOD if report.matters else ""))
        return
    page.line((f"Said again and again, and in no file ({len(gaps)})", HEAD))
    for one in gaps[:_MOST]:
        _show_gap(page, one)
    if len(gaps) > _MOST:
        page.line((f"  and {len(gaps) - _MOST} more; `--format json` has all", FAINT))
    waiting = next((one for one in gaps[:_MOST] if one.suggestion_id), None)
    if waiting:
        page.line(
            (
                f"  `memsuggest show {waiting.suggestion_id[:SHORT]}` shows where the first one that waits would go",
                FAINT,
            )
        )


def _show_gap(page: Page, one: Matter) -> None:
    name = one.suggestion_id or one.fact_ids[0]
    page.line((name[:SHORT], ID), "  ", one_line(one.content), hang=SHORT + 2)
    told = [f"said {count(one.times, 'time', 'times')} in {count(one.chats, 'chat', 'chats')}"]
    if one.others:
        told.append(f"{one.others} of them of others")
    if one.last:
        told.append(f"last {_day(one.last)}")
    if one.suggestion_id:
        told.append("waits for you")
    page.line((f"{' ' * (SHORT + 2)}{', '.join(told)}", FAINT), hang=INDENT)
    if one.citations:
        page.line(f"{' ' * (SHORT + 2)}› “{_short(one.citations[-1].quote)}”", hang=INDENT)


def _show_covered(page: Page, report: CoverageReport) -> None:
    covered = report.covered
    if not covered:
        return
    page.line()
    page.line(
        (f"Said again and again, and in a file ({len(covered)})", HEAD),
        ("  `memsuggest held` tells whether it holds", FAINT),
    )
    for one in covered[:_MOST]:
        place = one.covered_by[0]
        page.line(
            (f"{place.uri}:{place.line}", PATH),
            f"  {one_line(one.content)}",
            (f"  {one.times}× in {count(one.chats, 'chat', 'chats')}", FAINT),
            hang=4,
        )
    if len(covered) > _MOST:
        page.line((f"  and {len(covered) - _MOST} more", FAINT))


def _show_idle(page: Page, report: CoverageReport) -> None:
    if not report.files or not report.last:
        return
    page.line()
    idle = report.idle
    chats = f"the last {report.last} chats" if report.last > 1 else "the last chat"
    if not idle:
        each = "each of the" if len(report.files) > 1 else "the"
        page.line((f"{chats} used {each} {count(len(report.files), 'file', 'files')}", GOOD))
        return
    page.line((f"Files that none of {chats} used ({len(idle)}, about {report.idle_tokens:,} tokens)", HEAD))
    for one in idle[:_MOST]:
        _show_file(page, one)
    if len(idle) > _MOST:
        page.line((f"  and {len(idle) - _MOST} more; `--format json` has all", FAINT))


def _show_file(page: Page, one: FileUse) -> None:
    used = f"last used {_day(one.last_used)}" if one.last_used else "never used"
    rules = f", {count(one.rules, 'rule', 'rules')}" if one.rules else ""
    page.line("  ", (one.uri, PATH), (f"  about {one.tokens:,} tokens{rules}, ", FAINT), (used, WARN), hang=4)
    if one.why:
        page.line((f"    {one_line(one.why)}", FAINT), hang=6)


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _QUOTE else f"{line[:_QUOTE].rstrip()} …"


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
