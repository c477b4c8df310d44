"""Transcripts on a terminal: which were found, and what was typed in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.page import FAINT, GOOD, HEAD, PATH, WARN, Page, count, show_skipped
from memsuggest.text.when import ago

if TYPE_CHECKING:
    from memsuggest.model import Turn
    from memsuggest.reports import inspection_reports
    from memsuggest.reports.typed_share import TypedShare

_NARROW = 110  # columns of a terminal from which on a file stands on the line of its row
_KILO = 1000
_UNITS = ("B", "KB", "MB", "GB")


def show_transcript_rows(page: Page, report: inspection_reports.TranscriptRows) -> None:
    """Print the transcripts that were found: how far they were learned from, their format, size and last turn."""
    is_narrow = page.width is not None and page.width < _NARROW
    if report.rows:
        head = f"{'state':<10} {'format':<13} {'size':>12}  {'last turn':<13}"
        page.line((head if is_narrow else f"{head} file", FAINT))
    for row in report.rows:
        said = ago(int(row.last_turn_at * 1000), now=page.now)
        state = (f"{row.state:<10}", GOOD if row.state == "processed" else WARN)
        told = f" {row.format:<13} {_size(row):>12}  {said:<13} "
        file = (_shown(row.path, report.home), PATH)
        claimed = " (claimed)" if row.trust == "claimed" else ""
        if is_narrow:
            page.line(state, f"{told}{claimed}")
            page.line("    ", file)
        else:
            page.line(state, told, file, claimed)
        if row.why:
            page.line((f"    {one_line(row.why)}", FAINT))
        if row.share and row.share.is_small:
            page.line((f"    {_told(row.share)}", WARN))
    _show_what_next(page, report)
    show_skipped(page, report.skipped)


def _told(share: TypedShare) -> str:
    return f"typed {share.typed} of {share.messages} messages: the others are quoted from beginning to end"


def _size(row: inspection_reports.TranscriptRow) -> str:
    if row.size is None:
        return count(row.messages, "message", "messages")
    size: float = row.size
    for unit in _UNITS:
        if size < _KILO or unit == _UNITS[-1]:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 10 else f"{size:.1f} {unit}"
        size /= _KILO
    raise AssertionError


def _shown(path: str, home: str) -> str:
    """Shorten a path that lies in the home folder as shells do."""
    below = path.removeprefix(home)
    return f"~{below}" if home and below != path and below[:1] in ("/", "\\") else path


def _show_what_next(page: Page, report: inspection_reports.TranscriptRows) -> None:
    waiting = sum(row.state not in {"processed", "failed"} for row in report.rows)
    failed = sum(row.state == "failed" for row in report.rows)
    if not report.rows:
        page.line("no transcripts of this workspace were found")
        page.line(("looked where these keep theirs: " + ", ".join(report.looked_for), FAINT))
        page.line(("next: name files or folders, `memsuggest transcripts PATH`", FAINT))
    if waiting:
        page.line((f"{waiting} of {len(report.rows)} not learned from yet: `memsuggest reconcile`", FAINT))
    if failed:
        page.line(
            (f"{failed} could not be read; tried again when changed, or named: `memsuggest reconcile PATH`", FAINT)
        )


def show_transcript_shown(page: Page, report: inspection_reports.TranscriptShown) -> None:
    """Print what the person typed in one transcript."""
    transcript = report.transcript
    page.line((transcript.origin, PATH), f"  {transcript.format}  {transcript.session_id}")
    if report.share.is_small:
        page.line((_told(report.share), WARN))
    for turn in transcript.turns:
        if not turn.typed:
            continue
        page.line()
        page.line(
            (f"turn {turn.number}", HEAD), (f"  {turn.at.isoformat(timespec='minutes')}" if turn.at else "", FAINT)
        )
        _show_typed(page, turn)
    if not any(turn.typed for turn in transcript.turns):
        page.line(("nothing was typed in it", FAINT))
    show_skipped(page, transcript.skipped)


def _show_typed(page: Page, turn: Turn) -> None:
    """Print what was typed, its quoted stretches faint and the doubtful ones faint behind `(?)`."""
    parts: list[str | tuple[str, str]] = []
    place = 0
    stretches = [*((*stretch, False) for stretch in turn.quoted), *((*stretch, True) for stretch in turn.doubtful)]
    for start, end, is_doubtful in sorted(stretches):
        text = turn.typed[start:end]
        parts += [turn.typed[place:start], (_questioned(text) if is_doubtful else text, FAINT)]
        place = end
    page.line(*parts, turn.typed[place:])


def _questioned(text: str) -> str:
    """Mark a doubtful text; the person sees where a suggestion would not be made on its word."""
    bare = text.rstrip("\n")
    return f"(?) {bare}{text[len(bare) :]}" if bare else text
