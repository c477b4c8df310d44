"""The question to a model which of an app's memories makes room, and the shape of its answer. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from memsuggest.apps.app_context import day_of
from memsuggest.apps.app_memory import Compaction
from memsuggest.apps.compaction import REASON
from memsuggest.asking.question import Purpose, Question
from memsuggest.asking.read_reply import read_as
from memsuggest.extraction.by_model.conversation_question import ReplyPart, question_of
from memsuggest.extraction.by_model.session_text import as_line
from memsuggest.model import AppAction, AppMaker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memsuggest.apps.app_memory import NewMemory
    from memsuggest.model import AppMemory


class DecisionReply(ReplyPart):
    """The answer to the question what makes room."""

    action: Literal["delete", "edit"]
    target: int = Field(alias="targetMemoryId")
    content: str = Field(alias="newContent")
    reason: str


def compaction_question(held: Sequence[AppMemory], new: NewMemory, *, token_usage: Mapping[str, int]) -> Question:
    """Ask which memory makes room for a new one."""
    lines = [
        as_line({"id": one.id, "created": day_of(one.created_at), "importance": one.importance, "memory": one.content})
        for one in sorted(held, key=lambda one: one.id)
    ]
    lines.append(as_line({"new": new.content}))
    return question_of(Purpose.APP_COMPACTION, lines, DecisionReply, about=new.app_id, token_usage=token_usage)


def read_decision(text: str) -> Compaction:
    """Return what a model decided; raises ModelError for an answer of another shape."""
    reply = read_as(DecisionReply, text)
    return Compaction(
        action=AppAction.MERGE if reply.action == "edit" else AppAction.DELETE,
        target=reply.target,
        content=" ".join(reply.content.split()),
        reason=" ".join(reply.reason.split())[:REASON],
        by=AppMaker.MODEL,
    )
