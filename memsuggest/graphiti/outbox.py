"""The outbox: what waits to be sent to a Graphiti server, and what became of all that was, by name.

`POST /messages` cannot be repeated safely: the server takes the same message twice. So a message is noted as `sending`,
on the disk, before it leaves. Whoever finds one in that state later knows that its sender is gone, and that nobody can
tell whether it arrived (`unsure`); only the server's own list of episodes can. The promise is therefore:

- no message leaves twice while it may have arrived: of an `unsure` one the list is asked, by name, until it is there
  (`stored`), or until the server is past it, since it works in the order of arrival, and does not have it; only then
  does it leave once more;
- what the server took (202 is no more than "queued") and does not have when it is past it, is `lost`, and said; it
  leaves again when the person asks for that;
- what never left for lack of room is `dropped`, the oldest first, and counted.

Texts are kept only as long as they may have to be sent; names stay, so that nothing is taken in twice.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from memsuggest.core.database import execute_script, light_transaction, store_errors, transaction

if TYPE_CHECKING:
    from memsuggest.graphiti.client import RoleType

ROOM = 10_000
"""Messages that wait at most."""
BATCH = 10
"""Messages of one group in one request."""
TRIES = 2
"""Times that a message leaves at most, the second only when it is certain that the first did not arrive."""
_KEPT = 180 * 86_400_000
"""Milliseconds for which the names of what is settled are kept; longer, the progress of reading knows them."""

_SCHEMA = """
CREATE TABLE graphiti_messages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    endpoint TEXT NOT NULL,
    group_id TEXT NOT NULL,
    name TEXT NOT NULL,
    role_type TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    at INTEGER NOT NULL,
    source TEXT NOT NULL,
    session TEXT NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    sent_at INTEGER NOT NULL DEFAULT 0,
    looked_at INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL,
    UNIQUE (endpoint, group_id, name)
);
CREATE INDEX graphiti_messages_by_state ON graphiti_messages (endpoint, state, number);
CREATE TABLE graphiti_servers (
    endpoint TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    next_try_at INTEGER NOT NULL,
    why TEXT NOT NULL,
    failed_at INTEGER NOT NULL
) WITHOUT ROWID;
"""


def graphiti_m001(connection: sqlite3.Connection) -> None:
    execute_script(connection, _SCHEMA)


MIGRATIONS = (graphiti_m001,)
_COLUMNS = "number, group_id, name, role_type, role, content, at, source, session, state, tries, sent_at, looked_at"


class Outbox:
    """The messages for one server, in the state database of a clone."""

    def __init__(self, connection: sqlite3.Connection, *, endpoint: str) -> None:
        self._connection = connection
        self._endpoint = endpoint

    def put(self, messages: Iterable[Outgoing], *, now: int, room: int = ROOM) -> int:
        """Take messages in that were never taken in, and return how many; those beyond the room drop out, oldest first.

        What was promoted by hand stays as long as there is any chat to be dropped.
        """
        rows = [
            (
                *(
                    self._endpoint,
                    message.group_id,
                    message.name,
                    message.role_type,
                    message.role,
                    message.content,
                    message.at,
                ),
                *(message.source, message.session, MessageState.WAITING, now),
            )
            for message in messages
        ]
        with light_transaction(self._connection):
            before = self._connection.total_changes
            self._connection.executemany(
                "INSERT OR IGNORE INTO graphiti_messages"
                " (endpoint, group_id, name, role_type, role, content, at, source, session, state, changed_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            taken = self._connection.total_changes - before
            if taken:
                self._make_room(room, now)
        return taken

    def _make_room(self, room: int, now: int) -> None:
        waiting = self.counts().get(MessageState.WAITING, 0)
        if waiting > room:
            self._connection.execute(
                "UPDATE graphiti_messages SET state = ?, content = '', changed_at = ? WHERE number IN (SELECT number"
                " FROM graphiti_messages WHERE endpoint = ? AND state = ? ORDER BY session = '', number LIMIT ?)",
                (MessageState.DROPPED, now, self._endpoint, MessageState.WAITING, waiting - room),
            )

    def known(self, names: Collection[str]) -> set[str]:
        """Return those of some names that were taken in before, for any group."""
        marks = ", ".join("?" * len(names))
        with store_errors(self._connection):
            found = self._connection.execute(
                f"SELECT DISTINCT name FROM graphiti_messages WHERE endpoint = ? AND name IN ({marks})",  # noqa: S608  # nosec
                (self._endpoint, *names),
            )
            return {name for (name,) in found}

    def left(self, names: Collection[str]) -> set[str]:
        """Return those of some names of which a message left for the server."""
        return {name for name in names if any(message.sent_at for message in self.named(name))}

    def named(self, name: str) -> list[Outgoing]:
        """Return what was taken in under a name, a message for each group."""
        return self._rows("name = ?", name)

    def next_group(self) -> str:
        """Return the group of the oldest message that waits; empty for none."""
        first = self._rows("state = ? ORDER BY number LIMIT 1", MessageState.WAITING)
        return first[0].group_id if first else ""

    def claim(self, group_id: str, *, now: int, most: int = BATCH) -> list[Outgoing]:
        """Note the oldest messages of a group as leaving, on the disk, and return them."""
        with transaction(self._connection):
            batch = self._rows(
                "state = ? AND group_id = ? ORDER BY number LIMIT ?", MessageState.WAITING, group_id, most
            )
            self._connection.executemany(
                "UPDATE graphiti_messages SET state = ?, tries = tries + 1, sent_at = ?, looked_at = 0,"
                " changed_at = ? WHERE number = ?",
                [(MessageState.SENDING, now, now, row.number) for row in batch],
            )
        return batch

    def settle(self, messages: Iterable[Outgoing], state: MessageState, *, now: int) -> None:
        """Note what became of messages; the text of one that need not be sent any more goes."""
        keeps_text = state in (MessageState.WAITING, MessageState.UNSURE, MessageState.QUEUED, MessageState.LOST)
        content = "content" if keeps_text else "''"
        with light_transaction(self._connection):
            self._connection.executemany(
                f"UPDATE graphiti_messages SET state = ?, content = {content}, changed_at = ? WHERE number = ?",  # noqa: S608  # nosec
                [(state, now, message.number) for message in messages],
            )

    def send_lost_again(self, *, now: int) -> tuple[int, int]:
        """Let lost messages wait again; return how many, and how many have no text any more."""
        with light_transaction(self._connection):
            again = self._connection.execute(
                "UPDATE graphiti_messages SET state = ?, tries = 0, sent_at = 0, looked_at = 0, changed_at = ?"
                " WHERE endpoint = ? AND state = ? AND content <> ''",
                (MessageState.WAITING, now, self._endpoint, MessageState.LOST),
            ).rowcount
        return again, self.counts().get(MessageState.LOST, 0)

    def give_back(self, messages: Iterable[Outgoing], *, now: int) -> None:
        """Let messages wait again that certainly did not leave, or were not taken: that was no try."""
        with light_transaction(self._connection):
            self._connection.executemany(
                "UPDATE graphiti_messages SET state = ?, tries = tries - 1, sent_at = 0, changed_at = ?"
                " WHERE number = ?",
                [(MessageState.WAITING, now, message.number) for message in messages],
            )

    def take_over(self, *, now: int) -> None:
        """Note what a sender that is gone left behind: nobody can tell whether it arrived."""
        with light_transaction(self._connection):
            self._connection.execute(
                "UPDATE graphiti_messages SET state = ?, changed_at = ? WHERE endpoint = ? AND state = ?",
                (MessageState.UNSURE, now, self._endpoint, MessageState.SENDING),
            )

    def is_new_group(self, group_id: str) -> bool:
        """Tell whether nothing ever left for a group from here."""
        left = self._connection.execute(
            "SELECT 1 FROM graphiti_messages WHERE endpoint = ? AND group_id = ? AND sent_at > 0 LIMIT 1",
            (self._endpoint, group_id),
        )
        return left.fetchone() is None

    def unconfirmed(self, *, since: int) -> dict[str, list[Outgoing]]:
        """Return what left and was not seen at the server yet, by group; the group looked at longest ago first."""
        found: dict[str, list[Outgoing]] = {}
        open_fates = (MessageState.QUEUED, MessageState.UNSURE)
        for row in self._rows("state IN (?, ?) AND sent_at >= ? ORDER BY looked_at, number", *open_fates, since):
            found.setdefault(row.group_id, []).append(row)
        return found

    def waiting(self, group_id: str) -> list[Outgoing]:
        """Return what waits for a group."""
        return self._rows("state = ? AND group_id = ? ORDER BY number", MessageState.WAITING, group_id)

    def last_stored(self) -> int:
        """Return when the latest message left that the server has: in its order, it is past all that left before."""
        row = self._connection.execute(
            "SELECT max(sent_at) FROM graphiti_messages WHERE endpoint = ? AND state = ?",
            (self._endpoint, MessageState.STORED),
        ).fetchone()
        return int(row[0] or 0)

    def looked_at(self, messages: Iterable[Outgoing], *, now: int) -> None:
        """Note that the server was asked about messages in vain."""
        with light_transaction(self._connection):
            self._connection.executemany(
                "UPDATE graphiti_messages SET looked_at = ? WHERE number = ?",
                [(now, message.number) for message in messages],
            )

    def counts(self) -> dict[MessageState, int]:
        """Return how many messages have which state."""
        with store_errors(self._connection):
            rows = self._connection.execute(
                "SELECT state, count(*) FROM graphiti_messages WHERE endpoint = ? GROUP BY state", (self._endpoint,)
            )
            return {MessageState(state): count for state, count in rows}

    def take_untold_drops(self, *, now: int) -> int:
        """Return how many messages were dropped that the person was not told of, and note that they are told now."""
        with light_transaction(self._connection):
            return self._connection.execute(
                "UPDATE graphiti_messages SET looked_at = ? WHERE endpoint = ? AND state = ? AND looked_at = 0",
                (now, self._endpoint, MessageState.DROPPED),
            ).rowcount

    def has_work(self) -> bool:
        """Tell whether anything waits, or was sent and not seen at the server yet."""
        counts = self.counts()
        return any(
            counts.get(state)
            for state in (MessageState.WAITING, MessageState.SENDING, MessageState.UNSURE, MessageState.QUEUED)
        )

    def remove_chats(self, *, with_promotions: bool = False) -> None:
        """Take all of every chat out that has not left yet; if asked, what was promoted, too."""
        with light_transaction(self._connection):
            self._connection.execute(
                "DELETE FROM graphiti_messages WHERE endpoint = ? AND (session <> '' OR ?) AND state = ?",
                (self._endpoint, with_promotions, MessageState.WAITING),
            )

    def remove_waiting(self, *, sessions: Collection[str] = (), names: Collection[str] = ()) -> int:
        """Take chats, or messages, out that have not left yet, and return how many messages that were.

        Of those that left no text stays, so that none leaves again.
        """
        gone, unsure, queued = 0, MessageState.UNSURE, MessageState.QUEUED
        with light_transaction(self._connection):
            for column, values in (("session", sessions), ("name", names)):
                for value in values:
                    cursor = self._connection.execute(
                        f"DELETE FROM graphiti_messages WHERE endpoint = ? AND {column} = ? AND state = ?",  # noqa: S608  # nosec
                        (self._endpoint, value, MessageState.WAITING),
                    )
                    gone += cursor.rowcount
                    self._connection.execute(
                        "UPDATE graphiti_messages SET content = '', state = iif(state = ?, ?, state)"  # noqa: S608
                        f" WHERE endpoint = ? AND {column} = ? AND state IN (?, ?, ?)",  # nosec
                        (unsure, queued, self._endpoint, value, unsure, queued, MessageState.LOST),
                    )
        return gone

    def tidy(self, *, now: int) -> None:
        """Let the names of what was settled long ago go."""
        settled = (MessageState.STORED, MessageState.LOST, MessageState.DROPPED, MessageState.REFUSED)
        with light_transaction(self._connection):
            self._connection.execute(
                "DELETE FROM graphiti_messages WHERE state IN (?, ?, ?, ?) AND changed_at < ?", (*settled, now - _KEPT)
            )

    def server_state(self) -> ServerState:
        """Return how things stand with the server."""
        with store_errors(self._connection):
            row = self._connection.execute(
                "SELECT failures, next_try_at, why, failed_at FROM graphiti_servers WHERE endpoint = ?",
                (self._endpoint,),
            ).fetchone()
        if row is None:
            return ServerState()
        return ServerState(
            failures=row["failures"], next_try_at=row["next_try_at"], why=row["why"], failed_at=row["failed_at"]
        )

    def note_server_state(self, server: ServerState) -> None:
        """Remember how things stand with the server."""
        with light_transaction(self._connection):
            self._connection.execute(
                "INSERT OR REPLACE INTO graphiti_servers VALUES (?, ?, ?, ?, ?)",
                (self._endpoint, server.failures, server.next_try_at, server.why, server.failed_at),
            )

    def _rows(self, where: str, *values: object) -> list[Outgoing]:
        with store_errors(self._connection):
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM graphiti_messages WHERE endpoint = ? AND {where}",  # noqa: S608  # nosec
                (self._endpoint, *values),
            ).fetchall()
        return [Outgoing(**{**dict(row), "state": MessageState(row["state"])}) for row in rows]


class MessageState(StrEnum):
    """The state of a message."""

    WAITING = "waiting"
    SENDING = "sending"
    UNSURE = "unsure"
    """It left, and no answer came: whether it arrived, the list of episodes will tell."""
    QUEUED = "queued"
    """The server took it into its own queue."""
    STORED = "stored"
    """The server has it."""
    LOST = "lost"
    """The server took it and does not have it."""
    DROPPED = "dropped"
    """There was no room for it."""
    REFUSED = "refused"
    """The server does not take such a message."""


OPEN = (MessageState.SENDING, MessageState.UNSURE, MessageState.QUEUED)
"""States that the list of episodes decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message on its way to a group of a server."""

    group_id: str
    name: str
    """Unique in its group."""
    role_type: RoleType
    role: str
    content: str
    at: int
    """When it was said, in milliseconds since the epoch."""
    source: str = ""
    session: str = ""
    """Hash of the chat it comes from; empty for what was promoted."""
    number: int = 0
    """Its place in the order of arrival."""
    tries: int = 0
    sent_at: int = 0
    """When it left, in milliseconds since the epoch."""
    looked_at: int = 0
    """When the server was last asked whether it is there."""
    state: MessageState = MessageState.WAITING


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """The state of a server."""

    failures: int = 0
    """In a row."""
    next_try_at: int = 0
    why: str = ""
    """What went wrong last; empty since it went well."""
    failed_at: int = 0
