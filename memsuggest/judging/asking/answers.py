"""Answers that were paid for, in the state database of a clone: what was asked once is not asked again.

An answer is kept with the names of what it covers (the turns of a session), so that a session that grew pays only for
what is new. Questions that got no usable answer are counted, so that nobody pays for the same refusal again and again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.database import open_database, transaction

if TYPE_CHECKING:
    from memsuggest.judging.asking.question import Question

TRIES = 2  # unusable answers to one question, after which it is not asked for a day, and then once a day
REST = 24 * 60 * 60 * 1000  # milliseconds


def answers_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE answers (question TEXT PRIMARY KEY, family TEXT NOT NULL, covers TEXT NOT NULL,"
        " text TEXT NOT NULL, at INTEGER NOT NULL)"
    )
    connection.execute("CREATE INDEX answers_by_family ON answers (family)")
    connection.execute(
        "CREATE TABLE unanswered (question TEXT PRIMARY KEY, outcome TEXT NOT NULL, times INTEGER NOT NULL)"
    )


def answers_m002(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE unanswered ADD COLUMN at INTEGER NOT NULL DEFAULT 0")


def answers_m003(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE answers ADD COLUMN judge TEXT NOT NULL DEFAULT 'haiku'")


def batches_m001(_connection: sqlite3.Connection) -> None:
    """Stand for the step with which an earlier version made tables for batches."""


def answers_m004(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE IF EXISTS batch_parts")
    connection.execute("DROP TABLE IF EXISTS batches")


MIGRATIONS = (answers_m001, answers_m002, answers_m003, batches_m001, answers_m004)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidAnswer:
    """One answer that was paid for."""

    text: str
    covers: frozenset[str]
    judge: str = "haiku"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The part of an answer that is worth keeping, as the answer to one question."""

    question: str  # key of the question, which may have grown since it was asked
    text: str
    family: str = ""  # name under which all answers about one session are kept
    covers: Collection[str] = ()


class Answers:
    """The answers of a clone."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of(self, family: str) -> list[PaidAnswer]:
        """Return the answers about one session (by one prompt), oldest first."""
        rows = self._connection.execute(
            "SELECT text, covers, judge FROM answers WHERE family = ? ORDER BY at, rowid", (family,)
        ).fetchall()
        return [
            PaidAnswer(text=text, covers=frozenset(json.loads(covers)), judge=judge) for text, covers, judge in rows
        ]

    def to(self, question: Question) -> str | None:
        """Return the answer to exactly this question."""
        row = self._connection.execute("SELECT text FROM answers WHERE question = ?", (question.key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, *answers: Kept, judge: str, now: int) -> None:
        """Keep answers that were of use, and who gave them, all of them or none."""
        with transaction(self._connection):
            for answer in answers:
                self._connection.execute(
                    "INSERT OR REPLACE INTO answers (question, family, covers, text, at, judge)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (answer.question, answer.family, json.dumps(sorted(answer.covers)), answer.text, now, judge),
                )
                self._connection.execute("DELETE FROM unanswered WHERE question = ?", (answer.question,))

    def forget(self, texts: Collection[str]) -> None:
        """Blank, in all answers, every text that has one of these in it: what is forgotten is gone from here too."""
        wanted = [folded for text in texts if (folded := " ".join(text.split()))]
        with transaction(self._connection):
            for row in self._connection.execute("SELECT question, text FROM answers").fetchall():
                loaded = json.loads(row["text"])
                blanked = _blanked(loaded, wanted)
                if blanked != loaded:
                    text = json.dumps(blanked, ensure_ascii=False)
                    self._connection.execute("UPDATE answers SET text = ? WHERE question = ?", (text, row["question"]))
        self._empty_log()

    def drop(self, family: str) -> None:
        """Forget all answers of a family."""
        with transaction(self._connection):
            self._connection.execute("DELETE FROM answers WHERE family = ?", (family,))
        self._empty_log()

    def _empty_log(self) -> None:
        with suppress(sqlite3.OperationalError):  # otherwise what is gone stays readable in the database's log
            self._connection.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()

    def note_failure(self, questions: Collection[str], outcome: str, *, now: int) -> None:
        """Count an answer that was of no use, to every question, by its key, that was asked with it."""
        with transaction(self._connection):
            for key in questions:
                self._connection.execute(
                    "INSERT INTO unanswered VALUES (?, ?, 1, ?) ON CONFLICT (question)"
                    " DO UPDATE SET outcome = excluded.outcome, times = times + 1, at = excluded.at",
                    (key, outcome, now),
                )

    def was_in_vain(self, question: Question) -> bool:
        """Tell whether a question, or one that was asked in its place, got an answer of no use."""
        query = "SELECT 1 FROM unanswered WHERE question = ?"
        return self._connection.execute(query, (question.key,)).fetchone() is not None

    def hopeless(self, question: Question, *, now: int) -> str | None:
        """Return the last outcome of a question that was asked in vain often enough, and not long ago."""
        row = self._connection.execute(
            "SELECT outcome FROM unanswered WHERE question = ? AND times >= ? AND at > ?",
            (question.key, TRIES, now - REST),
        ).fetchone()
        return None if row is None else str(row[0])


def drop_everywhere(state: Path, family: str) -> None:
    """Take a family of answers out of those that were kept, in every workspace of a state folder."""
    for path in sorted((state / "workspaces").glob("*/answers.db")):
        connection = open_database(path, MIGRATIONS)
        try:
            Answers(connection).drop(family)
        finally:
            connection.close()


_WORDS = frozenset({"content", "reason", "quote", "what", "text", "wording"})
"""Fields of answers in which there are anybody's words; the others choose from a list."""


def _blanked(value: object, wanted: Sequence[str], *, field: str = "") -> object:
    match value:
        case str() if field in _WORDS:
            folded = " ".join(value.split())
            return "" if any(text in folded for text in wanted) else value
        case list():
            return [_blanked(item, wanted, field=field) for item in value]
        case dict():
            return {name: _blanked(item, wanted, field=str(name)) for name, item in value.items()}
    return value
