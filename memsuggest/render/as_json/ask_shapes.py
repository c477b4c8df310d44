"""Questions to the assistant in the chat, and what became of its answers, as JSON."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from memsuggest.render.as_json.filling import From, or_null
from memsuggest.reports.ask_reports import PathHistory


class LeftJson(TypedDict):
    """The questions that wait besides."""

    packets: Annotated[int, "Further questions about the same chat."]
    chats: Annotated[int, "Other chats that were not looked into yet."]


class AskedJson(TypedDict):
    """The next question for an assistant: what of a chat lasts."""

    id: Annotated[str, "What `answer` takes."]
    purpose: str
    system: Annotated[str, "The instructions."]
    packet: Annotated[str, "The question."]
    schema: Annotated[dict[str, Any], "The JSON Schema of the answer."]
    about: Annotated[str, "What it is about: a chat."]
    left: LeftJson


class NothingAskedJson(TypedDict):
    """Nothing waits."""

    id: None
    why: str


class ItemJson(TypedDict):
    """The outcome for one item of an answer."""

    content: str
    outcome: PathHistory
    why: Annotated[str | None, "Why it was dropped, or waits.", From(to=or_null)]
    factId: str | None
    target: Annotated[str | None, "The file that it is suggested for."]


class AnsweredJson(TypedDict):
    """The outcome for an answer."""

    id: str
    about: str
    items: list[ItemJson]
    learned: Annotated[bool, "Whether all of the chat was answered, and was learned from.", From("is_whole")]
    next: Annotated[str | None, "The id of the question that waits now.", From("next_id")]
    left: LeftJson
