"""Asking the person about a consolidation: what is sure all at once, the rest one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.run import Run, tell
from memsuggest.errors import MemsuggestError
from memsuggest.workflows.facts.consolidate import carry_out, consolidate, whole_choice

if TYPE_CHECKING:
    from memsuggest.reports.model_reports import Consolidated, Tidied
    from memsuggest.workflows.ask.model_access import Hand
    from memsuggest.workflows.context import Context


def tidy_asking(run: Run, context: Context, hand: Hand, *, dry_run: bool, yes: bool) -> int:
    """Show what could be done to the facts, ask unless told not to, do it; return the exit code."""
    report = consolidate(context.dry() if dry_run else context, hand)
    is_failed = report.is_failed and context.settings.engine not in ("auto", "offline")
    is_done_unasked = yes and not dry_run and not is_failed
    if run.format in (None, "text") or not is_done_unasked:
        run.emit(report)
    if is_failed:  # who named the model gets no other's work done
        tell(MemsuggestError(f"no model could be asked: {report.why_offline}", hint="`--offline` takes our own rules"))
        return 1
    if dry_run:
        return 0
    chosen = [one for one in report.operations if one.is_sure] if yes else _chosen(run, report)
    if chosen or (is_done_unasked and run.format not in (None, "text")):
        run.emit(carry_out(context, report, chosen) if chosen else report)
    left = [one for one in report.operations if one not in chosen]
    if yes and left:
        needs = "1 more needs" if len(left) == 1 else f"{len(left)} more need"
        run.say(f"{needs} your look: run `memsuggest consolidate` on a terminal")
    return 0


def _chosen(run: Run, report: Consolidated) -> list[Tidied]:
    """Return what the person agrees to."""
    if not report.operations:
        return []
    if not is_interactive() or run.format not in (None, "text"):
        run.say("nothing was changed; `memsuggest consolidate --yes` does what is sure to lose nothing")
        return []
    sure = [one for one in report.operations if one.is_sure]
    typer.echo()
    chosen = list(sure) if sure and typer.confirm(f"do what loses nothing ({len(sure)})?", default=True) else []
    for one in report.operations:
        # A merge stands after its new wording: who does not want the wording is not asked about the merge.
        if not one.is_sure and one in whole_choice([*chosen, one]) and _is_agreed(run, one):
            chosen.append(one)
    return chosen


def _is_agreed(run: Run, operation: Tidied) -> bool:
    run.emit(operation)
    return typer.confirm(f"{operation.deed} it?", default=False)
