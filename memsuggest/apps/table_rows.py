"""The rows of app memories and of the log of decisions, as values and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memsuggest.errors import StoreError
from memsuggest.model import AppAction, AppDecision, AppMaker, AppMemory
from memsuggest.recall.entry_rows import REPAIR

if TYPE_CHECKING:
    import sqlite3

    from memsuggest.apps.app_memory import NewMemory


def metadata_of(new: NewMemory) -> dict[str, object]:
    """Return what stands in the metadata of a new memory."""
    return {
        "importance": new.importance,
        "tags": list(new.tags),
        "relatedConversations": [],
        "madeBy": new.maker.value,
        "workspace": new.workspace,
        "digest": new.digest,
    }


def row_of_log(now: int, new: NewMemory, action: AppAction, memory_id: int, reason: str, by: AppMaker) -> AppDecision:
    """Return a row of the log about a new memory."""
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
        raise StoreError(
            f"the profile database is damaged: an app's memory is unreadable: {error}", hint=REPAIR
        ) from error


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
