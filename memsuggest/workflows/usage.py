"""What asking models cost."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from memsuggest.reports.models import UsageShown
from memsuggest.workflows.model import open_ledger

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def show_usage(desk: Desk) -> UsageShown:
    """Return what was used, newest first, and how much of the budgets."""
    with ExitStack() as opened:
        ledger = open_ledger(desk.dry(), opened)
        return UsageShown(
            rows=tuple(ledger.rows()),
            budgets=ledger.budgets,
            day=ledger.spent("day", now=desk.now()),
            month=ledger.spent("month", now=desk.now()),
            share=ledger.share(now=desk.now()),
        )
