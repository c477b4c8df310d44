"""Making the report: chats of which there is no note yet are read, and then everything is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.reports.coverage_report import CoverageReport
from memsuggest.workflows.check_rules.find_coverage import coverage_now
from memsuggest.workflows.check_rules.find_held import find_held
from memsuggest.workflows.report.gather import gather
from memsuggest.workflows.report.shared_parts import shared_parts
from memsuggest.workflows.report.team_view import for_team

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.reports.workspace_report import WorkspaceReport
    from memsuggest.workflows.context import Context

LAST_CHATS = 20
"""A file is idle that none of so many chats used; the same as `coverage` counts."""


def make_report(
    context: Context, *, since: int | None, is_team: bool, progress: Callable[[int, int, str], None]
) -> WorkspaceReport:
    """Return the report of a workspace; for the team, only what everybody can see in the repo, and counts."""
    held = find_held(context, since=since, progress=progress)
    is_off = context.settings.mode is Mode.OFF
    empty = CoverageReport(matters=(), files=(), chats=0, last=0)
    coverage = empty if is_off else coverage_now(context, last=LAST_CHATS, since=since)
    report = gather(context, since=since, held=held, coverage=coverage)
    return for_team(report, shared_parts(context)) if is_team else report
