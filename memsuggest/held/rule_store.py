"""The rules of a working tree's files, by the text of each file. Losing it costs looking again.

`compared` has up to which sentence of the notes a file's text was compared, `said_matches` what came of it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from memsuggest.core.database import light_transaction, store_errors


class RuleStore:
    """The rules of one working tree."""

    def __init__(self, connection: sqlite3.Connection, *, worktree: str) -> None:
        self._connection = connection
        self._worktree = worktree

    def compared(self) -> Mapping[str, tuple[str, int]]:
        """Return by file the digest of the text that was compared, and up to which sentence."""
        rows = self._rows("SELECT uri, digest, upto FROM compared WHERE worktree = ?", self._worktree)
        return {row["uri"]: (row["digest"], row["upto"]) for row in rows}

    def note_compared(
        self, digests: Mapping[str, str], *, anew: Collection[str], upto: int, found: Iterable[tuple[str, int, int]]
    ) -> None:
        """Remember that files were compared; `found` has file, line and sentence, `anew` whose text was another one."""
        tree = self._worktree
        with light_transaction(self._connection):
            self._connection.executemany(
                "DELETE FROM said_matches WHERE worktree = ? AND uri = ?", [(tree, uri) for uri in anew]
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO compared VALUES (?, ?, ?, ?)",
                [(tree, uri, digest, upto) for uri, digest in digests.items()],
            )
            self._connection.executemany(
                "INSERT OR IGNORE INTO said_matches VALUES (?, ?, ?, ?)",
                [(tree, uri, line, number) for uri, line, number in found],
            )

    def matches(self) -> Mapping[tuple[str, int], Sequence[int]]:
        """Return by file and line the sentences that say it."""
        rows = self._rows("SELECT uri, line, number FROM said_matches WHERE worktree = ?", self._worktree)
        found: dict[tuple[str, int], list[int]] = {}
        for row in rows:
            found.setdefault((row["uri"], row["line"]), []).append(row["number"])
        return found

    def line_times(self, uri: str, digest: str) -> list[int] | None:
        """Return when each line of a file's text was changed last; None where nobody looked."""
        rows = self._rows(
            "SELECT times FROM line_times WHERE worktree = ? AND uri = ? AND digest = ?", self._worktree, uri, digest
        )
        return json.loads(rows[0]["times"]) if rows else None

    def keep_line_times(self, uri: str, digest: str, times: Sequence[int]) -> None:
        """Remember when each line of a file's text was changed last."""
        with light_transaction(self._connection):
            self._connection.execute(
                "INSERT OR REPLACE INTO line_times VALUES (?, ?, ?, ?)",
                (self._worktree, uri, digest, json.dumps(list(times))),
            )

    def seen(self, uri: str, ids: Collection[str], *, now: int) -> Mapping[str, int]:
        """Return when each rule of a file was seen first; those that are new are seen now, others are let go of."""
        rows = self._rows("SELECT id, at FROM rules_seen WHERE worktree = ? AND uri = ?", self._worktree, uri)
        known = {row["id"]: row["at"] for row in rows}
        if known.keys() != set(ids):
            with light_transaction(self._connection):
                self._connection.executemany(
                    "DELETE FROM rules_seen WHERE worktree = ? AND uri = ? AND id = ?",
                    [(self._worktree, uri, one) for one in known.keys() - set(ids)],
                )
                self._connection.executemany(
                    "INSERT OR IGNORE INTO rules_seen VALUES (?, ?, ?, ?)",
                    [(self._worktree, uri, one, now) for one in ids],
                )
        return {one: known.get(one, now) for one in ids}

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with store_errors(self._connection):
            return self._connection.execute(query, values).fetchall()
