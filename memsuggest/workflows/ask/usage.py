"""The cost of asking models."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from memsuggest.asking.usage_ledger import RESERVE, day_of
from memsuggest.reports.model_reports import PeriodUse, PurposeUse, UsageShown
from memsuggest.workflows.ask.model_access import open_ledger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.asking.usage_ledger import UsageRow
    from memsuggest.workflows.context import Context


def show_usage(context: Context) -> UsageShown:
    """Return what was used, newest first, by purpose and period, and how much of the budgets."""
    with ExitStack() as opened:
        ledger = open_ledger(context.dry(), opened)
        rows, now = tuple(ledger.rows()), context.now()
        day, month = ledger.spent("day", now=now), ledger.spent("month", now=now)
        today = day_of(now)
        return UsageShown(
            rows=rows,
            budgets=ledger.budgets,
            day=day,
            month=month,
            share=ledger.share(now=now),
            periods=(
                _period("day", today, rows, spent=day, budget=ledger.budgets.day),
                _period("month", today[:7], rows, spent=month, budget=ledger.budgets.month),
            ),
        )


def _period(name: str, start: str, rows: Sequence[UsageRow], *, spent: int, budget: int) -> PeriodUse:
    within = [row for row in rows if row.day.startswith(start)]
    purposes = dict.fromkeys(row.purpose for row in within)
    return PeriodUse(
        name=name,
        spent=spent,
        budget=budget,
        reserve=RESERVE,
        purposes=tuple(_of_purpose(one, [row for row in within if row.purpose == one]) for one in sorted(purposes)),
    )


def _of_purpose(purpose: str, rows: Sequence[UsageRow]) -> PurposeUse:
    return PurposeUse(
        purpose=purpose,
        requests=sum(row.requests for row in rows),
        tokens=sum(row.usage.prompt + row.usage.output for row in rows),
        micros=sum(row.micros for row in rows),
    )
