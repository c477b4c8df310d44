"""The ledger for questions of batches: each has its row before it is sent, so none is counted twice or never."""

from __future__ import annotations

from collections.abc import Iterable

from memsuggest.core.database import transaction
from memsuggest.judging.asking.prices import Usage, cost
from memsuggest.judging.asking.question import Purpose
from memsuggest.judging.asking.usage_ledger import Ledger, day_of

IN_BATCH = "in-batch"
"""The outcome of a question that has no answer yet; its price is the most that it may come to."""


class BatchLedger(Ledger):
    """The requests of this person, with those of batches by their names."""

    def reserve(self, name: str, *, model: str, purpose: Purpose, most: Usage, now: int, is_shared: bool) -> None:
        """Write a question of a batch down before it is sent, at the most that it may cost."""
        row = (now, day_of(now), self._workspace, model, str(purpose), IN_BATCH)
        counts = (most.input, most.output, most.cache_read, most.cache_write, cost(model, most, is_batch=True))
        self.spent_in_run += counts[-1]
        with transaction(self._connection):
            self._connection.execute(
                "INSERT OR IGNORE INTO requests (at, day, workspace, model, purpose, outcome, input, output,"
                " cache_read, cache_write, micros, is_estimate, is_shared, name)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
                (*row, *counts, is_shared, name),
            )

    def settle(self, name: str, *, model: str, usage: Usage | None, outcome: str) -> int:
        """Write down what a question of a batch came to, as often as anybody likes; return its price."""
        counts = usage and (usage.input, usage.output, usage.cache_read, usage.cache_write)
        with transaction(self._connection):
            if counts and usage:
                self._connection.execute(
                    "UPDATE requests SET input = ?, output = ?, cache_read = ?, cache_write = ?, micros = ?,"
                    " is_estimate = 0 WHERE name = ?",
                    (*counts, cost(model, usage, is_batch=True), name),
                )
            self._connection.execute("UPDATE requests SET outcome = ? WHERE name = ?", (outcome, name))
            row = self._connection.execute("SELECT micros FROM requests WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def release(self, names: Iterable[str]) -> None:
        """Forget questions of a batch that never arrived."""
        with transaction(self._connection):
            self._connection.executemany("DELETE FROM requests WHERE name = ?", [(name,) for name in names])
