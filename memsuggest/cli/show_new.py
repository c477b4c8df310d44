"""Showing what waits: on a terminal what is new first, elsewhere all of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.cli.run import Run
    from memsuggest.reports.decision_reports import Listing, Shown
    from memsuggest.reports.fact_reports import FactShown
    from memsuggest.reports.learning_reports import Reconciled
    from memsuggest.workflows.context import Context


def emit_one(run: Run, context: Context, report: Shown | FactShown | Listing) -> None:
    """Print what was asked for by its id or its file; where a person sees it, it is not new any more."""
    from memsuggest.reports.decision_reports import Listing, Shown
    from memsuggest.reports.plain import Talk
    from memsuggest.workflows.suggest.new_suggestions import note_met, note_shown

    run.emit(report)
    if run.format in (None, "text") and sys.stdout.isatty():
        if isinstance(report, Shown):
            note_met(context, [report.suggestion.id])
            name = report.suggestion.id[:7]
            others = "`edit`, `move` and `dismiss` take" if report.suggestion.fact else "`edit` and `dismiss` take"
            if not run.quiet:
                run.emit(Talk(rows=("", f"`memsuggest apply {name}` writes it; {others} the same id")))
        elif isinstance(report, Listing):
            note_shown(context, report)


def emit_look(run: Run, context: Context, report: Listing | Reconciled, *, is_whole: bool = False) -> None:
    """Print a report of what waits; only where a person sees it, it counts as a look."""
    if run.format not in (None, "text") or not sys.stdout.isatty():
        run.emit(report)
        return
    from dataclasses import replace

    from memsuggest.reports.decision_reports import Listing
    from memsuggest.workflows.suggest.new_suggestions import note_shown, with_seen

    looked = with_seen(context, report)
    run.emit(replace(looked, is_whole=True) if is_whole and isinstance(looked, Listing) else looked)
    note_shown(context, report)
