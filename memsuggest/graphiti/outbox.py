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
from typing import Any, Literal

from memsuggest.core.database import execute_script, light_transaction, store_errors, transaction

RoleType = Literal["user", "assistant", "system"]
ROOM = 10_000  # messages that wait at most
BATCH = 10  # messages of one group in one request
TRIES = 2  # times that a message leaves at most, the second only when it is certain that the first did not arrive
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


class Outbox:
    """The messages for one server, in the state database of a clone."""

    def __init__(self, connection: sqlite3.Connection, *, endpoint: str) -> None:
        self._connection = connection
        self._endpoint = endpoint

    def put(self, messages: Iterable[Outgoing], *, now: int, room: int = ROOM) -> int:
        """Take messages in that were never taken in, and return how many; those beyond the room drop out, oldest first.

        What was promoted by hand stays as long as there is any chat to be dropped.
        """
        rows = [(self._endpoint, now, *(getattr(message, name) for name in _TAKEN_IN)) for message in messages]
        marks = ", ".join("?" * (2 + len(_TAKEN_IN)))
        with light_transaction(self._connection):
            before = self._connection.total_changes
            self._connection.executemany(
                f"INSERT OR IGNORE INTO graphiti_messages (endpoint, changed_at, {', '.join(_TAKEN_IN)})"  # noqa: S608
                f" VALUES ({marks})",  # nosec
                rows,
            )
            taken = self._connection.total_changes - before
            if taken and (many := self.counts().get(WAITING, 0) - room) > 0:
                self._connection.execute(
                    "UPDATE graphiti_messages SET state = ?, content = '', changed_at = ? WHERE number IN (SELECT"
                    " number FROM graphiti_messages WHERE endpoint = ? AND state = ? ORDER BY session = '', number"
                    " LIMIT ?)",
                    (MessageState.DROPPED, now, self._endpoint, WAITING, many),
                )
        return taken

    def known(self, names: Collection[str], *, is_sent: bool = False) -> set[str]:
        """Return those of some names that were taken in before, for any group; if asked, only those that left."""
        marks = ", ".join("?" * len(names))
        return {row.name for row in self._rows(f"name IN ({marks}) AND (sent_at > 0 OR NOT ?)", *names, is_sent)}

    def named(self, name: str) -> list[Outgoing]:
        return self._rows("name = ?", name)

    def next_group(self) -> str:
        first = self._rows("state = ? ORDER BY number LIMIT 1", WAITING)
        return first[0].group_id if first else ""

    def claim(self, group_id: str, *, now: int) -> list[Outgoing]:
        """Note the oldest messages of a group as leaving, on the disk, and return them."""
        with transaction(self._connection):
            batch = self.waiting(group_id)[:BATCH]
            change = "state = ?, tries = tries + 1, sent_at = ?, looked_at = 0, changed_at = ?"
            self._change(batch, change, MessageState.SENDING, now, now)
        return batch

    def settle(self, messages: Iterable[Outgoing], state: MessageState, *, now: int) -> None:
        """Note what became of messages; the text of one that need not be sent any more goes."""
        text = "" if state in _WITH_TEXT else ", content = ''"
        self._change(messages, f"state = ?, changed_at = ?{text}", state, now)

    def send_lost_again(self, *, now: int) -> tuple[int, int]:
        """Let lost messages wait again; return how many, and how many have no text any more."""
        lost = self._rows("state = ?", MessageState.LOST)
        again = [message for message in lost if message.content]
        self._change(again, "state = ?, tries = 0, sent_at = 0, looked_at = 0, changed_at = ?", WAITING, now)
        return len(again), len(lost) - len(again)

    def give_back(self, messages: Iterable[Outgoing], *, now: int) -> None:
        """Let messages wait again that certainly did not leave, or were not taken: that was no try."""
        self._change(messages, "state = ?, tries = tries - 1, sent_at = 0, changed_at = ?", WAITING, now)

    def take_over(self, *, now: int) -> None:
        """Note what a sender that is gone left behind: nobody can tell whether it arrived."""
        self._change(self._rows("state = ?", MessageState.SENDING), "state = ?, changed_at = ?", UNSURE, now)

    def is_new_group(self, group_id: str) -> bool:
        return not self._rows("group_id = ? AND sent_at > 0 LIMIT 1", group_id)

    def unconfirmed(self, *, since: int) -> dict[str, list[Outgoing]]:
        """Return what left and was not seen at the server yet, by group; the group looked at longest ago first."""
        found: dict[str, list[Outgoing]] = {}
        for row in self._rows("state IN (?, ?) AND sent_at >= ? ORDER BY looked_at, number", QUEUED, UNSURE, since):
            found.setdefault(row.group_id, []).append(row)
        return found

    def waiting(self, group_id: str) -> list[Outgoing]:
        return self._rows("state = ? AND group_id = ? ORDER BY number", WAITING, group_id)

    def last_stored(self) -> int:
        """Return when the latest message left that the server has: in its order, it is past all that left before."""
        last = self._rows("state = ? ORDER BY sent_at DESC LIMIT 1", MessageState.STORED)
        return last[0].sent_at if last else 0

    def looked_at(self, messages: Iterable[Outgoing], *, now: int) -> None:
        self._change(messages, "looked_at = ?", now)

    def counts(self) -> dict[MessageState, int]:
        with store_errors(self._connection):
            rows = self._connection.execute(
                "SELECT state, count(*) FROM graphiti_messages WHERE endpoint = ? GROUP BY state", (self._endpoint,)
            )
            return {MessageState(state): count for state, count in rows}

    def take_untold_drops(self, *, now: int) -> int:
        """Return how many messages were dropped that were not reported yet, and note that they are reported now."""
        dropped = self._rows("state = ? AND looked_at = 0", MessageState.DROPPED)
        self.looked_at(dropped, now=now)
        return len(dropped)

    def remove_chats(self, *, with_promotions: bool = False) -> None:
        """Take all of every chat out that has not left yet; if asked, what was promoted, too."""
        self._remove("session <> '' OR ?", with_promotions)

    def remove_waiting(self, *, sessions: Collection[str] = (), names: Collection[str] = ()) -> int:
        """Take chats, or messages, out that have not left yet, and return how many messages that were.

        Of those that left no text stays, so that none leaves again.
        """
        gone = 0
        with light_transaction(self._connection):
            for column, values in (("session", sessions), ("name", names)):
                for value in values:
                    gone += self._remove(f"{column} = ?", value)
                    left = self._rows(f"{column} = ? AND state IN (?, ?, ?)", value, UNSURE, QUEUED, MessageState.LOST)
                    self._change(left, "content = '', state = iif(state = ?, ?, state)", UNSURE, QUEUED)
        return gone

    def tidy(self, *, now: int) -> None:
        with light_transaction(self._connection):
            self._connection.execute(
                "DELETE FROM graphiti_messages WHERE state IN (?, ?, ?, ?) AND changed_at < ?", (*_SETTLED, now - _KEPT)
            )

    def server_state(self) -> ServerState:
        with store_errors(self._connection):
            row = self._connection.execute(
                "SELECT failures, next_try_at, why, failed_at FROM graphiti_servers WHERE endpoint = ?",
                (self._endpoint,),
            ).fetchone()
        return ServerState(**dict(row)) if row else ServerState()

    def note_server_state(self, server: ServerState) -> None:
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

    def _change(self, messages: Iterable[Outgoing], settings: str, *values: Any) -> None:
        with light_transaction(self._connection):
            self._connection.executemany(
                f"UPDATE graphiti_messages SET {settings} WHERE number = ?",  # noqa: S608  # nosec
                [(*values, message.number) for message in messages],
            )

    def _remove(self, where: str, value: object) -> int:
        with light_transaction(self._connection):
            return self._connection.execute(
                f"DELETE FROM graphiti_messages WHERE endpoint = ? AND ({where}) AND state = ?",  # noqa: S608  # nosec
                (self._endpoint, value, WAITING),
            ).rowcount


class MessageState(StrEnum):
    """The state of a message."""

    WAITING = "waiting"
    SENDING = "sending"
    UNSURE = "unsure"  # it left, and no answer came: whether it arrived, the list of episodes will tell
    QUEUED = "queued"  # the server took it into its own queue
    STORED = "stored"
    LOST = "lost"  # the server took it and does not have it
    DROPPED = "dropped"  # there was no room for it
    REFUSED = "refused"  # the server does not take such a message


WAITING, UNSURE, QUEUED = MessageState.WAITING, MessageState.UNSURE, MessageState.QUEUED
UNSETTLED = (WAITING, MessageState.SENDING, UNSURE, QUEUED)
_WITH_TEXT = (WAITING, UNSURE, QUEUED, MessageState.LOST)
_SETTLED = (MessageState.STORED, MessageState.LOST, MessageState.DROPPED, MessageState.REFUSED)
_TAKEN_IN = ("group_id", "name", "role_type", "role", "content", "at", "source", "session", "state")
_COLUMNS = ", ".join((*_TAKEN_IN, "number", "tries", "sent_at", "looked_at"))


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
