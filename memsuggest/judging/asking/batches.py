"""Batches of questions and what each question is about, in the database of a clone's answers.

A batch is written down before it is sent, so that one whose reply was lost is looked for and not sent again. A row
names sessions, turns and files, and none of the person's words: those are read again when the answers come.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from memsuggest.core.database import transaction


class BatchState(StrEnum):
    """The states of a batch."""

    SENDING = "sending"
    """It was about to be sent: nobody knows whether it arrived."""
    OPEN = "open"
    """It has an id of the service's."""
    CLOSED = "closed"


def batches_m001(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    connection.execute(
        "CREATE TABLE batches (mark TEXT PRIMARY KEY, remote TEXT NOT NULL, endpoint TEXT NOT NULL,"
        " model TEXT NOT NULL, newest TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL)"
    )
    connection.execute(
        "CREATE TABLE batch_parts (name TEXT NOT NULL, position INTEGER NOT NULL, mark TEXT NOT NULL, question TEXT NOT"
        " NULL, family TEXT NOT NULL, covers TEXT NOT NULL, place TEXT NOT NULL, outcome TEXT NOT NULL,"
        " PRIMARY KEY (name, position)) WITHOUT ROWID"
    )
    connection.execute("CREATE INDEX batch_parts_by_mark ON batch_parts (mark)")
    connection.execute("CREATE INDEX batch_parts_waiting ON batch_parts (family) WHERE outcome = ''")


MIGRATIONS = (batches_m001,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One session in a question of a batch."""

    name: str
    """The id by which the service knows the question."""
    position: int
    """The session's place in it, from 1; 0 where the question is about this session alone."""
    question: str
    """Key of the question about this session alone."""
    family: str
    """Name under which the answers about the session are kept."""
    covers: frozenset[str]
    """Names of the turns and documents that it is about."""
    place: str
    """The transcript."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Questions that were sent together."""

    mark: str
    """How all its questions' names begin."""
    remote: str = ""
    """The service's id; empty while nobody knows it."""
    endpoint: str
    model: str
    newest: str
    """The service's id of the batch that was the newest before."""
    state: BatchState = BatchState.SENDING
    at: int
    """When it was sent, in milliseconds since the epoch."""


def new_mark() -> str:
    """Return a mark that no other batch has."""
    return f"ms-{secrets.token_hex(6)}"


def name_of(mark: str, question: str) -> str:
    """Return the id under which the service knows a question: letters, digits and dashes."""
    return f"{mark}-{question}"


class Batches:
    """The batches of a clone."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def unfinished(self) -> list[Batch]:
        """Return the batches that are not over, oldest first."""
        rows = self._connection.execute(
            "SELECT * FROM batches WHERE state <> ? ORDER BY at, rowid", (BatchState.CLOSED,)
        )
        return [Batch(**(dict(row) | {"state": BatchState(row["state"])})) for row in rows.fetchall()]

    def names(self, batch: Batch) -> frozenset[str]:
        """Return the ids of the questions of a batch."""
        rows = self._connection.execute("SELECT DISTINCT name FROM batch_parts WHERE mark = ?", (batch.mark,))
        return frozenset(row[0] for row in rows.fetchall())

    def open_parts(self, batch: Batch) -> dict[str, list[Part]]:
        """Return the sessions of a batch that have no answer yet, by the ids of the questions about them."""
        rows = self._connection.execute(
            "SELECT name, position, question, family, covers, place FROM batch_parts WHERE mark = ? AND outcome = ''"
            " ORDER BY name, position",
            (batch.mark,),
        )
        found: dict[str, list[Part]] = {}
        for row in rows.fetchall():
            part = Part(**(dict(row) | {"covers": frozenset(json.loads(row["covers"]))}))
            found.setdefault(part.name, []).append(part)
        return found

    def waiting(self, family: str) -> frozenset[str]:
        """Return the names of the turns and documents of a session that a batch is asked about."""
        rows = self._connection.execute("SELECT covers FROM batch_parts WHERE family = ? AND outcome = ''", (family,))
        return frozenset(name for row in rows.fetchall() for name in json.loads(row[0]))

    def remotes(self) -> frozenset[str]:
        """Return the service's ids of all batches that are known to be ours."""
        return frozenset(row[0] for row in self._connection.execute("SELECT remote FROM batches WHERE remote <> ''"))

    def begin(self, batch: Batch, parts: Iterable[Part]) -> None:
        """Write down that a batch is about to be sent."""
        with transaction(self._connection):
            self._connection.execute(
                "INSERT INTO batches (mark, remote, endpoint, model, newest, state, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (batch.mark, batch.remote, batch.endpoint, batch.model, batch.newest, batch.state, batch.at),
            )
            self._connection.executemany(
                "INSERT INTO batch_parts (name, position, mark, question, family, covers, place, outcome)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                [
                    (
                        part.name,
                        part.position,
                        batch.mark,
                        part.question,
                        part.family,
                        json.dumps(sorted(part.covers)),
                        part.place,
                    )
                    for part in parts
                ],
            )

    def name_remote(self, batch: Batch, remote: str) -> None:
        """Write down the service's id of a batch."""
        with transaction(self._connection):
            self._connection.execute(
                "UPDATE batches SET remote = ?, state = ? WHERE mark = ?", (remote, BatchState.OPEN, batch.mark)
            )

    def drop(self, batch: Batch) -> None:
        """Forget a batch that never arrived."""
        with transaction(self._connection):
            self._connection.execute("DELETE FROM batch_parts WHERE mark = ?", (batch.mark,))
            self._connection.execute("DELETE FROM batches WHERE mark = ?", (batch.mark,))

    def note(self, parts: Iterable[Part], outcome: str) -> None:
        """Write down what became of sessions in a question."""
        with transaction(self._connection):
            self._connection.executemany(
                "UPDATE batch_parts SET outcome = ? WHERE name = ? AND position = ?",
                [(outcome, part.name, part.position) for part in parts],
            )

    def close(self, batch: Batch) -> None:
        """Write down that a batch is over; what has no answer by now gets none from it."""
        with transaction(self._connection):
            self._connection.execute(
                "UPDATE batch_parts SET outcome = 'batch-gone' WHERE mark = ? AND outcome = ''", (batch.mark,)
            )
            self._connection.execute("UPDATE batches SET state = ? WHERE mark = ?", (BatchState.CLOSED, batch.mark))
