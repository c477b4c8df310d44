"""Questions to a model about an app's memories, and the shapes of its answers. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memsuggest.apps.app_context import day_of
from memsuggest.apps.app_memory import Compaction
from memsuggest.apps.compaction import REASON
from memsuggest.asking.outcomes import failure
from memsuggest.asking.prompts import load_prompt
from memsuggest.asking.question import Purpose, Question
from memsuggest.asking.schema import bare
from memsuggest.extraction.by_model.session_text import shortened
from memsuggest.model import AppAction, AppMaker, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memsuggest.apps.app_memory import NewMemory
    from memsuggest.model import AppMemory, Transcript, Turn

    Parsed = TypeVar("Parsed", bound=BaseModel)

ROOM = 24_000
"""Characters of a conversation that are told: its beginning and its end."""
_TURN = 600
"""Characters of one turn of the assistant, from its end, where it says what it did."""
_ANSWER = 1_000
"""Tokens of an answer."""
_MOST = 12
"""Sentences of an answer; more is no honest one."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class Sentence(_Part):
    """A sentence of a memory, and whose words it rests on."""

    text: str
    by: Literal["person", "assistant"] = Field(alias="from")


class MemoryReply(_Part):
    """The answer to the question what to remember."""

    sentences: list[Sentence]


class DecisionReply(_Part):
    """The answer to the question what makes room."""

    action: Literal["delete", "edit"]
    target: int = Field(alias="targetMemoryId")
    content: str = Field(alias="newContent")
    reason: str


def memory_question(transcript: Transcript, *, app_id: str, token_usage: Mapping[str, int]) -> Question:
    """Ask what to remember of a conversation."""
    return _question(Purpose.APP_MEMORY, _told(transcript), MemoryReply, about=app_id, token_usage=token_usage)


def compaction_question(held: Sequence[AppMemory], new: NewMemory, *, token_usage: Mapping[str, int]) -> Question:
    """Ask which memory makes room for a new one."""
    lines = [
        _line({"id": one.id, "created": day_of(one.created_at), "importance": one.importance, "memory": one.content})
        for one in sorted(held, key=lambda one: one.id)
    ]
    lines.append(_line({"new": new.content}))
    return _question(Purpose.APP_COMPACTION, lines, DecisionReply, about=new.app_id, token_usage=token_usage)


def _question(
    purpose: Purpose, lines: Sequence[str], shape: type[BaseModel], *, about: str, token_usage: Mapping[str, int]
) -> Question:
    return Question(
        purpose=purpose,
        prompt=load_prompt(purpose.value),
        about=about,
        data="\n".join(lines),
        schema=bare(shape.model_json_schema(by_alias=True)),
        max_tokens=_ANSWER,
        token_usage=token_usage,
    )


def _told(transcript: Transcript) -> list[str]:
    """Return a conversation a line a turn; of a long one, its beginning and its end."""
    lines = [line for turn in transcript.turns if (line := _turn_line(turn))]
    if transcript.files_written:
        lines.append(_line({"files_written": list(transcript.files_written[:40])}))
    while sum(map(len, lines)) > ROOM and len(lines) > 2:
        del lines[len(lines) // 2]
    return lines


def _turn_line(turn: Turn) -> str:
    if turn.role is Role.USER:
        return _line({"person": shortened(turn)[: ROOM // 4]}) if turn.typed.strip() else ""
    return _line({"assistant": turn.text[-_TURN:]}) if turn.text.strip() else ""


def _line(fields: Mapping[str, object]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def read_memory(text: str) -> MemoryReply:
    """Return what a model would remember; raises ModelError for an answer of another shape."""
    reply = _read(MemoryReply, text)
    if len(reply.sentences) > _MOST:
        raise failure("wrong-shape", f"more than {_MOST} sentences")
    return reply


def read_decision(text: str) -> Compaction:
    """Return what a model decided; raises ModelError for an answer of another shape."""
    reply = _read(DecisionReply, text)
    return Compaction(
        action=AppAction.MERGE if reply.action == "edit" else AppAction.DELETE,
        target=reply.target,
        content=" ".join(reply.content.split()),
        reason=" ".join(reply.reason.split())[:REASON],
        by=AppMaker.MODEL,
    )


def _read(shape: type[Parsed], text: str) -> Parsed:
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, problem["loc"][:4]))
        raise failure("wrong-shape", f"{place} {problem['msg']}".strip()) from None
