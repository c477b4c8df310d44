"""An app's memories as rows, and back to what they were: what `undo` needs of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.database import store_errors, transaction
from memsuggest.errors import MemsuggestError
from memsuggest.model import AppAction, AppDecision, AppMaker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from memsuggest.apps.app_table import AppMemories

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
        same = [one for one in then.keys() | since.keys() if held.get(one) == since.get(one)]
        gone = [one for one in same if one not in then]
        back = [then[one] for one in same if one in then]
        left = (held.keys() - set(gone)) | {row["id"] for row in back}
        if len(left) > limit:
            raise MemsuggestError(
                f"`{app_id}` would have {len(left)} memories with what would come back, and has room for {limit}",
                hint="`apps forget` makes room, and is undone first; `memsuggest config set maxAppMemories N --user`",
            )
        for one in gone:
            store.connection.execute("DELETE FROM app_memories WHERE id = ?", (one,))
        marks = ", ".join("?" * len(_COLUMNS))
        for row in back:
            values = [row[name] for name in _COLUMNS]
            store.connection.execute(f"INSERT OR REPLACE INTO app_memories VALUES ({marks})", values)  # noqa: S608  # nosec
        store.write_log([_logged(app_id, row, AppAction.UPDATE, now) for row in back])
        store.write_log([_logged(app_id, since[one], AppAction.UPDATE, now) for one in gone])
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
