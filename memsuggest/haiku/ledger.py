"""The ledger: what asking models cost, per request, and whether one more fits the budgets. One for all clones.

Deleting it loses no fact; the month's budget then starts afresh.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.database import store_errors, transaction
from memsuggest.haiku.outcomes import failure
from memsuggest.haiku.prices import MICROS, UNKNOWN, Usage, cost, price_of
from memsuggest.haiku.question import LOW_PRIORITY

if TYPE_CHECKING:
    import sqlite3

    from memsuggest.haiku.question import Purpose

FILE = "usage.db"
RESERVE = 0.2
"""Share of the month's budget that low-priority work leaves alone (SYSTEM.md J.7)."""


def ledger_m001(connection: sqlite3.Connection) -> None:
    """Create the table."""
    connection.execute(
        "CREATE TABLE requests (number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, day TEXT NOT NULL,"
        " workspace TEXT NOT NULL, model TEXT NOT NULL, purpose TEXT NOT NULL, outcome TEXT NOT NULL,"
        " input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,"
        " micros INTEGER NOT NULL, is_estimate INTEGER NOT NULL)"
    )
    connection.execute("CREATE INDEX requests_by_day ON requests (day)")


MIGRATIONS = (ledger_m001,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The most that may be spent, in millionths of a dollar."""

    run: int
    day: int
    month: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRow:
    """What one model was asked for one purpose on one day, and what it cost."""

    day: str
    """In UTC."""
    model: str
    purpose: str
    requests: int
    failed: int
    usage: Usage
    micros: int
    is_estimate: bool
    """Whether a reply did not say what it used."""


class Ledger:
    """The requests of this person; `workspace` is written beside those of this run."""

    def __init__(self, connection: sqlite3.Connection, *, workspace: str, budgets: Budgets) -> None:
        self._connection = connection
        self._workspace = workspace
        self.budgets = budgets
        self.spent_in_run = 0

    def check(self, *, model: str, purpose: Purpose, tokens: int, max_tokens: int, now: int) -> None:
        """Raise ModelError when a request, at its longest, would pass a budget."""
        most = cost(model, Usage(cache_write=tokens, output=max_tokens))
        day = self.spent("day", now=now)
        month = self.spent("month", now=now)
        for name, spent, limit in (
            ("run", self.spent_in_run, self.budgets.run),
            ("day", day, self.budgets.day),
            ("month", month, self.budgets.month),
        ):
            if spent + most > limit:
                raise failure("over-budget", f"{dollars(spent)} of {dollars(limit)} for the {name}")
        if purpose in LOW_PRIORITY and month + most > self.budgets.month * (1 - RESERVE):
            raise failure("low-budget", f"{dollars(month)} of {dollars(self.budgets.month)}")

    def note(self, *, model: str, purpose: Purpose, usage: Usage | None, guess: Usage, outcome: str, now: int) -> None:
        """Write one request down; where the service did not say what it used, as much as was guessed."""
        used = usage or guess
        micros = cost(model, used)
        self.spent_in_run += micros
        row = (now, day_of(now), self._workspace, model, str(purpose), outcome)
        counts = (used.input, used.output, used.cache_read, used.cache_write)
        with transaction(self._connection):
            self._connection.execute(
                "INSERT INTO requests (at, day, workspace, model, purpose, outcome, input, output, cache_read,"
                " cache_write, micros, is_estimate) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, *counts, micros, usage is None),
            )

    def spent(self, period: str, *, now: int) -> int:
        """Return what was spent in the `day` or the `month` of a time."""
        start = day_of(now)[: 7 if period == "month" else 10]
        with store_errors(self._connection):
            row = self._connection.execute(
                "SELECT coalesce(sum(micros), 0) FROM requests WHERE substr(day, 1, ?) = ?", (len(start), start)
            ).fetchone()
        return int(row[0])

    def rows(self) -> list[UsageRow]:
        """Return what was used per day, model and purpose, newest first."""
        with store_errors(self._connection):
            found = self._connection.execute(
                "SELECT day, model, purpose, count(*) AS requests, sum(outcome <> 'answered') AS failed,"
                " sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,"
                " sum(cache_write) AS cache_write, sum(micros) AS micros, max(is_estimate) AS is_estimate"
                " FROM requests GROUP BY day, model, purpose ORDER BY day DESC, model, purpose"
            ).fetchall()
        return [_row(one) for one in found]


def _row(row: sqlite3.Row) -> UsageRow:
    return UsageRow(
        day=row["day"],
        model=row["model"],
        purpose=row["purpose"],
        requests=row["requests"],
        failed=row["failed"],
        usage=Usage(
            input=row["input"], output=row["output"], cache_read=row["cache_read"], cache_write=row["cache_write"]
        ),
        micros=row["micros"],
        is_estimate=bool(row["is_estimate"]),
    )


def day_of(now: int) -> str:
    """Return the day, in UTC, of a time in milliseconds."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def dollars(micros: int) -> str:
    """Return an amount as people read it; small ones keep the digits that matter.

    >>> dollars(1_500_000), dollars(420)
    ('$1.50', '$0.0004')
    """
    return f"${micros / MICROS:.2f}" if micros >= MICROS // 10 or not micros else f"${micros / MICROS:.4f}"


def is_price_known(model: str) -> bool:
    """Tell whether the price of a model is in the table, rather than taken for the dearest."""
    return price_of(model) is not UNKNOWN
