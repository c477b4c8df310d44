"""What asking models cost."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from memsuggest.reports.model_reports import UsageShown
from memsuggest.workflows.model_access import open_ledger

if TYPE_CHECKING:
    from memsuggest.workflows.context import Context


def show_usage(context: Context) -> UsageShown:
    """Return what was used, newest first, and how much of the budgets."""
    with ExitStack() as opened:
        ledger = open_ledger(context.dry(), opened)
        return UsageShown(
            rows=tuple(ledger.rows()),
            budgets=ledger.budgets,
            day=ledger.spent("day", now=context.now()),
            month=ledger.spent("month", now=context.now()),
            share=ledger.share(now=context.now()),
        )
