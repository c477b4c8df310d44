"""Reports on questions to the assistant in the chat, and on its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from memsuggest.json_shape import Also, Hidden, Key, or_null

PathHistory: TypeAlias = Literal["suggested", "new", "known", "maybe", "waits", "dropped"]
"""What became of one thing in an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The questions that wait besides."""

    packets: Annotated[int, "Further questions about the same chat."] = 0
    chats: Annotated[int, "Other chats that were not looked into yet."] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The next question for an assistant: what of a chat lasts."""

    id: Annotated[str, "What `answer` takes."]
    purpose: str
    system: Annotated[str, "The instructions."]
    packet: Annotated[str, "The question."]
    schema: Annotated[Mapping[str, object], "The JSON Schema of the answer."]
    about: Annotated[str, "What it is about: a chat."]
    left: Left
    text: Hidden[str]
    """All of it, as an assistant can follow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingAsked:
    """Nothing waits."""

    id: ClassVar = Also(".", type(None))
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The outcome for one item of an answer."""

    content: str
    outcome: PathHistory
    why: Annotated[str, "Why it was dropped, or waits.", or_null] = ""
    fact_id: str | None = None
    target: Annotated[str | None, "The file that it is suggested for."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The outcome for an answer."""

    id: str
    about: str
    items: tuple[Item, ...]
    is_whole: Annotated[bool, "Whether all of the chat was answered, and was learned from.", Key("learned")]
    next_id: Annotated[str | None, "The id of the question that waits now.", Key("next")]
    left: Left
