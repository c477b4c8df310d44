"""The ledger: what asking models cost, per request, and whether one more fits the budgets. One for all clones.

Deleting it loses no fact; the month's budget then starts afresh.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, ClassVar

from memsuggest.core.config import HAIKU
from memsuggest.core.database import store_errors, transaction
from memsuggest.core.json_shape import Also, Hidden, Key
from memsuggest.judging.asking import chat_packets
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.prices import MICROS, Usage, cost
from memsuggest.judging.asking.prices import dollars as in_dollars
from memsuggest.judging.asking.question import LOW_PRIORITY, Purpose

FILE = "usage.db"
MOST_OF_OWN = 0.05  # share of what the assistants themselves used, as far as known, that memory work may take
FREE = 50_000
"""Tokens a month below which nobody looks at that share, where the person does not say how many: half a cent."""
RESERVE = 0.2  # share of the day's and of the month's budget that low-priority work leaves alone


def ledger_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE requests (number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, day TEXT NOT NULL,"
        " workspace TEXT NOT NULL, model TEXT NOT NULL, purpose TEXT NOT NULL, outcome TEXT NOT NULL,"
        " input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,"
        " micros INTEGER NOT NULL, is_estimate INTEGER NOT NULL)"
    )
    connection.execute("CREATE INDEX requests_by_day ON requests (day)")


def ledger_m002(connection: sqlite3.Connection) -> None:
    """Know what the assistants themselves used, and which requests were about their sessions."""
    connection.execute("ALTER TABLE requests ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0")
    connection.execute("CREATE TABLE own_use (session TEXT PRIMARY KEY, day TEXT NOT NULL, tokens INTEGER NOT NULL)")


def ledger_m003(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE requests ADD COLUMN name TEXT")
    connection.execute("CREATE UNIQUE INDEX requests_by_name ON requests (name) WHERE name IS NOT NULL")


MIGRATIONS = (ledger_m001, ledger_m002, ledger_m003)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The most that may be spent, in millionths of a dollar."""

    run: int
    day: int
    month: int
    tokens: int = FREE
    """Tokens a month that memory work may take however little the assistants themselves used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRow:
    """Usage of one model for one purpose on one day."""

    day: Annotated[str, "The UTC date, for example `2026-01-31`."]
    model: str
    purpose: str
    requests: int
    failed: int
    input_tokens: ClassVar = Also("usage.input", int)
    output_tokens: ClassVar = Also("usage.output", int)
    cache_read_tokens: ClassVar = Also("usage.cache_read", int)
    cache_write_tokens: ClassVar = Also("usage.cache_write", int)
    usage: Hidden[Usage]
    micros: Annotated[int, Key("dollars"), in_dollars]
    is_estimate: Annotated[
        bool, "Whether some usage is estimated because a response did not report its usage.", Key("estimated")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Token usage of memory work and of your assistants, this month."""

    JSON_NAME = "Assistants"
    own: Annotated[
        int,
        "Tokens your assistants used, where their chats report usage.",  # what came from a cache counts a tenth
        Key("tokens"),
    ]
    taken: Annotated[int, "Tokens used by memory work for the same chats.", Key("memoryTokens")]
    most: Annotated[float, "The maximum share of tokens for memory work, from 0 to 1."] = MOST_OF_OWN


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
        if not most:
            return
        budgets = {
            "run": (self.spent_in_run, self.budgets.run),
            "day": (self.spent("day", now=now), self.budgets.day),
            "month": (self.spent("month", now=now), self.budgets.month),
        }
        for name, (spent, limit) in budgets.items():
            if spent + most > limit:
                enough = f"{max(2 * limit, spent + most) / MICROS + 0.005:.2f}"
                detail = f"{dollars(spent)} of {dollars(limit)} for the {name}; the next question costs up to"
                hint = _raises(f"budgetPer{name.title()}", enough)
                raise failure("over-budget", f"{detail} {dollars(most)}", hint=hint)
        for name in ("day", "month"):
            spent, limit = budgets[name]
            if purpose in LOW_PRIORITY and spent + most > limit * (1 - RESERVE):
                raise failure("low-budget", f"{dollars(spent)} of {dollars(limit)} for the {name}")

    def check_requests(self, *, model: str, most: int, now: int, purpose: Purpose | None = None) -> None:
        """Raise ModelError when the engine that stands before a model's name was asked often enough for the day."""
        engine = engine_of(model)
        asked = self.requests(engine, now=now)
        detail = f"{asked} of {most} questions for `{engine}`"
        if asked >= most:
            raise failure("over-requests", detail, hint=_raises("requestsPerDay", max(2 * most, 50)))
        if purpose in LOW_PRIORITY and asked >= most * (1 - RESERVE):
            raise failure("low-budget", detail)

    def requests(self, engine: str, *, now: int) -> int:
        """Return how often an engine was asked on the day of a time; a question that came to nothing does not count."""
        return sum(row["times"] for row in self._uses("day", now=now) if engine_of(row["model"]) == engine)

    def _uses(self, period: str, *, now: int) -> list[sqlite3.Row]:
        start = day_of(now)[: 7 if period == "month" else 10]
        with store_errors(self._connection):
            return self._connection.execute(
                "SELECT model, count(*) AS times, sum(micros) AS micros FROM requests WHERE substr(day, 1, ?) = ?"
                " AND (outcome = 'answered' OR input + output + cache_write > 0) GROUP BY model",
                (len(start), start),
            ).fetchall()

    def last_uses(self) -> dict[str, int]:
        """Return when each engine was asked last, in milliseconds since the epoch."""
        with store_errors(self._connection):
            rows = self._connection.execute("SELECT model, max(at) AS at FROM requests GROUP BY model").fetchall()
        return {engine_of(row["model"]): row["at"] for row in sorted(rows, key=lambda row: row["at"])}

    def note_token_usage(self, session: str, tokens: int, *, now: int) -> None:
        with transaction(self._connection):
            self._connection.execute(
                "INSERT INTO own_use VALUES (?, ?, ?) ON CONFLICT (session)"
                " DO UPDATE SET day = excluded.day, tokens = max(tokens, excluded.tokens)",
                (session, day_of(now), tokens),
            )

    def share(self, *, now: int) -> Share:
        """Return memory work beside the assistants' own, in the month of a time."""
        with store_errors(self._connection):
            taken, own = self._connection.execute(
                "SELECT (SELECT coalesce(sum(input + output + cache_write + cache_read / 10), 0) FROM requests"
                " WHERE is_shared AND substr(day, 1, 7) = ?1),"
                " (SELECT coalesce(sum(tokens), 0) FROM own_use WHERE substr(day, 1, 7) = ?1)",
                (day_of(now)[:7],),
            ).fetchone()
        return Share(taken=int(taken), own=int(own))

    def check_share(self, *, tokens: int, now: int) -> None:
        share = self.share(now=now)
        if share.taken + tokens > max(self.budgets.tokens, MOST_OF_OWN * share.own):
            raise failure(
                "over-share",
                f"{share.taken:,} tokens, plus {tokens:,} for this question; assistants used {share.own:,}",
                hint=_raises("tokensPerMonth", max(2 * self.budgets.tokens, share.taken + tokens)),
            )

    def note(  # noqa: PLR0913  (a row)
        self,
        *,
        model: str,
        purpose: Purpose,
        usage: Usage | None,
        guess: Usage,
        outcome: str,
        now: int,
        is_shared: bool = False,
    ) -> None:
        """Write one request down; where the service did not say what it used, as much as was guessed.

        `is_shared`: it is about a session in which the assistant's own use is known.
        """
        used = usage or guess
        micros = cost(model, used)
        self.spent_in_run += micros
        row = (now, day_of(now), self._workspace, model, str(purpose), outcome)
        counts = (used.input, used.output, used.cache_read, used.cache_write)
        with transaction(self._connection):
            self._connection.execute(
                "INSERT INTO requests (at, day, workspace, model, purpose, outcome, input, output, cache_read,"
                " cache_write, micros, is_estimate, is_shared) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, *counts, micros, usage is None, is_shared),
            )

    def spent(self, period: str, *, now: int) -> int:
        return sum(row["micros"] for row in self._uses(period, now=now))

    def rows(self) -> list[UsageRow]:
        """Return what was used per day, model and purpose, newest first."""
        with store_errors(self._connection):
            found = self._connection.execute(
                "SELECT day, model, purpose, count(*) AS requests, sum(outcome <> 'answered') AS failed,"
                " sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,"
                " sum(cache_write) AS cache_write, sum(micros) AS micros, max(is_estimate) AS is_estimate"
                " FROM requests GROUP BY day, model, purpose ORDER BY day DESC, model, purpose"
            ).fetchall()
        counts = ("input", "output", "cache_read", "cache_write")
        plain = ("day", "model", "purpose", "requests", "failed", "micros")
        return [
            UsageRow(
                **{name: row[name] for name in plain},
                usage=Usage(**{name: row[name] for name in counts}),
                is_estimate=bool(row["is_estimate"]),
            )
            for row in found
        ]


def _raises(setting: str, value: object) -> str:
    return f"run `memsuggest config set {setting} {value}` to raise the limit, or `memsuggest usage` for details"


def engine_of(model: str) -> str:
    """Return the engine that a model's name in the ledger tells of; without one, its maker's API was asked.

    >>> engine_of("claude haiku"), engine_of("claude-haiku-5-5")
    ('claude', 'haiku')
    """
    engine, space, _ = model.partition(" ")
    return engine if space or engine == chat_packets.NAME else HAIKU


def day_of(now: int) -> str:
    """Return the day, in UTC, of a time in milliseconds."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def dollars(micros: int) -> str:
    """Return an amount as people read it; small ones keep the digits that matter.

    >>> dollars(1_500_000), dollars(420)
    ('$1.50', '$0.0004')
    """
    return f"${micros / MICROS:.2f}" if micros >= MICROS // 10 or not micros else f"${micros / MICROS:.4f}"
