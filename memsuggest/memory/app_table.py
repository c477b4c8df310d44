"""The table of app memories and the log of what was decided about them, in the profile database.

What is decided is decided in one transaction with what it makes room for. Nothing here asks a model: what a model
proposed is carried out only where everything is still as it was shown to it.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsuggest.core.database import open_database, store_errors, transaction
from memsuggest.core.errors import MemsuggestError, StoreError
from memsuggest.core.model import AppAction, AppDecision, AppMaker, AppMemory
from memsuggest.facts.profile_rows import MIGRATIONS
from memsuggest.memory.app_memory import Compaction, NewMemory
from memsuggest.memory.compaction import by_rule, oldest_first
from memsuggest.memory.entry_rows import REPAIR

_TELLING = 8
"""Characters from which words tell what they are about."""
_KEPT_DECISIONS = 500
"""Rows of the log that tell of what is there; those of what went or was merged are kept for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A model's word on how to make room, or the reason why it has none."""

    shown: tuple[AppMemory, ...]
    """The memories that it was shown."""
    decision: Compaction | None = None
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The outcome for a new memory."""

    memory: AppMemory | None
    """As it is stored; None where it was let go of at once or is kept out."""
    decisions: tuple[AppDecision, ...] = ()


def open_app_memories(path: Path, *, read_only: bool = False) -> AppMemories:
    """Open the memories of all apps; raises StoreError."""
    return AppMemories(open_database(path, MIGRATIONS, read_only=read_only))


class AppMemories:
    """The memories of this person's apps."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def close(self) -> None:
        """Let go of the database."""
        self.connection.close()

    def of(self, app_id: str) -> tuple[AppMemory, ...]:
        """Return the memories of one app, newest first."""
        with store_errors(self.connection):
            rows = self.connection.execute(
                "SELECT * FROM app_memories WHERE app_id = ? ORDER BY updated_at DESC, id DESC", (app_id,)
            ).fetchall()
        return tuple(map(memory_of, rows))

    def apps(self) -> tuple[tuple[str, int, int], ...]:
        """Return every app that has memories or decisions, with the number of its memories and their last change."""
        with store_errors(self.connection):
            rows = self.connection.execute(
                "SELECT app_id, sum(is_memory), max(at) FROM ("
                "SELECT app_id, 1 AS is_memory, updated_at AS at FROM app_memories"
                " UNION ALL SELECT app_id, 0, at FROM app_decisions) GROUP BY app_id ORDER BY app_id"
            ).fetchall()
        return tuple((str(app), int(count), int(at)) for app, count, at in rows)

    def decisions(self, app_id: str, *, limit: int = 50) -> tuple[AppDecision, ...]:
        """Return what was decided about an app's memories, newest first."""
        with store_errors(self.connection):
            rows = self.connection.execute(
                "SELECT * FROM app_decisions WHERE app_id = ? ORDER BY number DESC LIMIT ?", (app_id, limit)
            ).fetchall()
        return tuple(map(decision_of, rows))

    def holding(self, app_id: str, conversation: str) -> AppMemory | None:
        return next((item for item in self.of(app_id) if conversation in item.conversations), None)

    def was_let_go(self, app_id: str, conversation: str) -> bool:
        """Tell whether a conversation was remembered once, and its memory went by a decision."""
        with store_errors(self.connection):
            row = self.connection.execute(
                "SELECT 1 FROM app_decisions WHERE app_id = ? AND conversation_id = ? AND action IN (?, ?)",
                (app_id, conversation, AppAction.DELETE, AppAction.PURGE),
            ).fetchone()
        return row is not None and self.holding(app_id, conversation) is None

    def remember(self, new: NewMemory, *, limit: int, now: int, advice: Advice | None = None) -> Remembered:
        """Store a memory and make room for it, in one transaction; at most `limit` of the app are left.

        A conversation that is in a memory already changes that one. Advice about other memories than those that are
        there now counts nothing.
        """
        log: list[AppDecision] = []
        with transaction(self.connection):
            known = self.holding(new.app_id, new.conversation) if new.conversation else None
            stored = self._renew(known, new, now, log) if known else self._add(new, limit, now, advice, log)
            self._make_room(new.app_id, limit, now, log)
            self.write_log(log)
        return Remembered(memory=self._named(stored), decisions=tuple(log))

    def _renew(self, known: AppMemory, new: NewMemory, now: int, log: list[AppDecision]) -> int:
        """Word the memory of a conversation that went on anew; one that others were merged into stays as it is."""
        if known.related or known.maker is AppMaker.PERSON or known.digest == new.digest:
            return known.id
        self._set(known.id, content=new.content, now=new.at or now, metadata=metadata_of(new))
        log.append(row_of_log(now, new, AppAction.UPDATE, known.id, "the chat continued", new.maker))
        return known.id

    def _add(self, new: NewMemory, limit: int, now: int, advice: Advice | None, log: list[AppDecision]) -> int:
        held = self.of(new.app_id)
        if len(held) < limit:
            return self._insert(new, now, log)
        decision = _decided(held, new, advice)
        if decision.action is AppAction.MERGE:
            self._merge(next(item for item in held if item.id == decision.target), new, decision, now, log)
            return decision.target
        stored = self._insert(new, now, log)
        self._delete(next(item for item in held if item.id == decision.target), now, log, decision.reason, decision.by)
        return stored

    def _make_room(self, app_id: str, limit: int, now: int, log: list[AppDecision]) -> None:
        while len(held := self.of(app_id)) > limit:
            decision = oldest_first(held, why=f"the limit is {limit}")
            self._delete(
                next(item for item in held if item.id == decision.target), now, log, decision.reason, decision.by
            )

    def forget(self, app_id: str, memory_id: int, *, now: int, by: AppMaker) -> bool:
        """Delete one memory of an app; whether it was there."""
        with transaction(self.connection):
            found = next((item for item in self.of(app_id) if item.id == memory_id), None)
            if found is None:
                return False
            log: list[AppDecision] = []
            self._delete(found, now, log, "on request", by)
            self._forget_reasons(app_id, memory_id)
            self.write_log(log)
        self._leave_no_trace()
        return True

    def purge(self, app_id: str, *, now: int, by: AppMaker) -> tuple[int, ...]:
        """Delete all memories of an app and what was said about them in the log; the ids that they had."""
        with transaction(self.connection):
            held = self.of(app_id)
            log: list[AppDecision] = []
            for item in held:
                self._delete(item, now, log, "on request", by, action=AppAction.PURGE)
            self._forget_reasons(app_id)
            self.write_log(log)
        self._leave_no_trace()
        return tuple(item.id for item in held)

    def forget_words(self, texts: Iterable[str], *, now: int) -> int:
        """Delete the memories of all apps that say something which is to be forgotten; how many there were."""
        wanted = [folded for text in texts if len(folded := _folded(text)) >= _TELLING]
        if not wanted:
            return 0
        with transaction(self.connection):
            rows = self.connection.execute("SELECT * FROM app_memories").fetchall()
            found = [item for item in map(memory_of, rows) if any(text in _folded(item.content) for text in wanted)]
            log: list[AppDecision] = []
            for item in found:
                self._delete(
                    item, now, log, "it repeats something you had forgotten", AppMaker.PERSON, action=AppAction.PURGE
                )
                self._forget_reasons(item.app_id, item.id)
            self.write_log(log)
        if found:
            self._leave_no_trace()
        return len(found)

    def _forget_reasons(self, app_id: str, memory_id: int | None = None) -> None:
        self.connection.execute(
            "UPDATE app_decisions SET reason = '' WHERE app_id = ? AND (? IS NULL OR memory_id = ?)",
            (app_id, memory_id, memory_id),
        )

    def _leave_no_trace(self) -> None:
        with suppress(sqlite3.OperationalError):  # otherwise it stays readable in the database's log
            self.connection.execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()

    def _insert(self, new: NewMemory, now: int, log: list[AppDecision]) -> int:
        row = self.connection.execute(
            "INSERT INTO app_memories (app_id, content, created_at, updated_at, source_conversation_id, metadata)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (new.app_id, new.content, new.at or now, new.at or now, new.conversation, json.dumps(metadata_of(new))),
        )
        stored = int(row.lastrowid or 0)
        log.append(row_of_log(now, new, AppAction.CREATE, stored, "", new.maker))
        return stored

    def _merge(self, target: AppMemory, new: NewMemory, decision: Compaction, now: int, log: list[AppDecision]) -> None:
        related = tuple(item for item in (*target.related, new.conversation) if item)
        metadata = metadata_of(new) | {
            "importance": max(target.importance, new.importance),
            "tags": list(dict.fromkeys((*target.tags, *new.tags))),
            "relatedConversations": list(related),
            "madeBy": decision.by.value,
            "workspace": target.workspace if target.workspace == new.workspace else "",
            "digest": target.digest,
        }
        self._set(target.id, content=decision.content, now=new.at or now, metadata=metadata)
        log.append(row_of_log(now, new, AppAction.MERGE, target.id, decision.reason, decision.by))

    def _delete(
        self,
        item: AppMemory,
        now: int,
        log: list[AppDecision],
        reason: str,
        by: AppMaker,
        action: AppAction = AppAction.DELETE,
    ) -> None:
        self.connection.execute("DELETE FROM app_memories WHERE id = ?", (item.id,))
        log += [
            AppDecision(
                at=now, app_id=item.app_id, action=action, memory_id=item.id, conversation=name, reason=reason, by=by
            )
            for name in item.conversations or (None,)
        ]

    def _set(self, memory_id: int, *, content: str, now: int, metadata: dict[str, object]) -> None:
        self.connection.execute(
            "UPDATE app_memories SET content = ?, updated_at = ?, metadata = ? WHERE id = ?",
            (content, now, json.dumps(metadata), memory_id),
        )

    def write_log(self, log: Sequence[AppDecision]) -> None:
        """Add rows to the log, inside the caller's transaction; the oldest of what is still there go."""
        self.connection.executemany(
            "INSERT INTO app_decisions (at, app_id, action, memory_id, conversation_id, reason, decided_by)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    decision.at,
                    decision.app_id,
                    decision.action,
                    decision.memory_id,
                    decision.conversation,
                    decision.reason,
                    decision.by,
                )
                for decision in log
            ],
        )
        for app_id in {decision.app_id for decision in log}:
            self.connection.execute(
                "DELETE FROM app_decisions WHERE app_id = ? AND action IN (?, ?) AND number <= ("
                "SELECT max(number) FROM app_decisions) - ?",
                (app_id, AppAction.CREATE, AppAction.UPDATE, _KEPT_DECISIONS),
            )

    def _named(self, memory_id: int) -> AppMemory | None:
        with store_errors(self.connection):
            row = self.connection.execute("SELECT * FROM app_memories WHERE id = ?", (memory_id,)).fetchone()
        return memory_of(row) if row else None


def _folded(text: str) -> str:
    return " ".join(re.findall(r"[\w#+]+", text.casefold()))


def _decided(held: Sequence[AppMemory], new: NewMemory, advice: Advice | None) -> Compaction:
    """Return the decision that holds now: a model's if nothing changed since, else our own."""
    if advice is None:
        return by_rule(held, new)
    if advice.failure:
        return oldest_first(held, why=advice.failure)
    if advice.decision is None or {(item.id, item.content) for item in advice.shown} != {
        (memory.id, memory.content) for memory in held
    }:
        return by_rule(held, new)
    return advice.decision


def metadata_of(new: NewMemory) -> dict[str, object]:
    return {
        "importance": new.importance,
        "tags": list(new.tags),
        "relatedConversations": [],
        "madeBy": new.maker.value,
        "workspace": new.workspace,
        "digest": new.digest,
    }


def row_of_log(now: int, new: NewMemory, action: AppAction, memory_id: int, reason: str, by: AppMaker) -> AppDecision:
    return AppDecision(
        at=now,
        app_id=new.app_id,
        action=action,
        memory_id=memory_id,
        conversation=new.conversation,
        reason=reason,
        by=by,
    )


def memory_of(row: sqlite3.Row) -> AppMemory:
    """Return the memory of a row; raises StoreError for one that no program of ours has written."""
    try:
        told = json.loads(row["metadata"])
        return AppMemory(
            id=row["id"],
            app_id=row["app_id"],
            content=row["content"],
            created_at=int(row["created_at"]),
            updated_at=int(row["updated_at"]),
            conversation=row["source_conversation_id"],
            importance=int(told.get("importance", 0)),
            tags=tuple(map(str, told.get("tags", ()))),
            related=tuple(map(str, told.get("relatedConversations", ()))),
            maker=AppMaker(told.get("madeBy", AppMaker.RULE)),
            workspace=str(told.get("workspace", "")),
            digest=str(told.get("digest", "")),
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise StoreError(f"the profile database is damaged: unreadable app memory: {error}", hint=REPAIR) from error


def decision_of(row: sqlite3.Row) -> AppDecision:
    """Return the decision of a row."""
    return AppDecision(
        at=row["at"],
        app_id=row["app_id"],
        action=AppAction(row["action"]),
        memory_id=row["memory_id"],
        conversation=row["conversation_id"],
        reason=row["reason"],
        by=AppMaker(row["decided_by"]),
    )


if TYPE_CHECKING:
    AppRow = Mapping[str, Any]

_COLUMNS = ("id", "app_id", "content", "created_at", "updated_at", "source_conversation_id", "metadata")


def rows_of(store: AppMemories, app_id: str) -> tuple[AppRow, ...]:
    """Return the memories of one app as their rows, by id."""
    with store_errors(store.connection):
        rows = store.connection.execute("SELECT * FROM app_memories WHERE app_id = ? ORDER BY id", (app_id,)).fetchall()
    return tuple({name: row[name] for name in _COLUMNS} for row in rows)


def restore_rows(
    store: AppMemories, app_id: str, *, before: Sequence[AppRow], after: Sequence[AppRow], limit: int, now: int
) -> list[AppRow]:
    """Bring the memories of an app back to what they were, but for those that changed since; return what is back.

    Raises MemsuggestError where the app would keep more than it may, and then nothing changed.
    """
    then, since = ({row["id"]: row for row in rows} for rows in (before, after))
    with transaction(store.connection):
        held = {row["id"]: row for row in rows_of(store, app_id)}
        same = [item for item in then.keys() | since.keys() if held.get(item) == since.get(item)]
        gone = [item for item in same if item not in then]
        back = [then[item] for item in same if item in then]
        left = (held.keys() - set(gone)) | {row["id"] for row in back}
        if len(left) > limit:
            raise MemsuggestError(
                f"restoring this would give `{app_id}` {len(left)} memories, but the limit is {limit}",
                hint="use `memory forget --app`, or raise the limit: `memsuggest config set maxAppMemories N --user`",
            )
        for item in gone:
            store.connection.execute("DELETE FROM app_memories WHERE id = ?", (item,))
        marks = ", ".join("?" * len(_COLUMNS))
        for row in back:
            values = [row[name] for name in _COLUMNS]
            store.connection.execute(f"INSERT OR REPLACE INTO app_memories VALUES ({marks})", values)  # noqa: S608  # nosec
        store.write_log([_logged(app_id, row, AppAction.UPDATE, now) for row in back])
        store.write_log([_logged(app_id, since[item], AppAction.UPDATE, now) for item in gone])
    return back


def _logged(app_id: str, row: AppRow, action: AppAction, now: int) -> AppDecision:
    return AppDecision(
        at=now,
        app_id=app_id,
        action=action,
        memory_id=row["id"],
        conversation=row["source_conversation_id"],
        reason="undone",
        by=AppMaker.PERSON,
    )
