"""What the assistant in the chat is asked, and what became of its answer, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from memsuggest.reports.ask_reports import PathHistory

if TYPE_CHECKING:
    from memsuggest.reports import ask_reports


class LeftJson(TypedDict):
    """What waits besides."""

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
    """What became of one thing in an answer."""

    content: str
    outcome: PathHistory
    why: Annotated[str | None, "Why it was dropped, or waits."]
    factId: str | None
    target: Annotated[str | None, "The file that it is suggested for."]


class AnsweredJson(TypedDict):
    """What became of an answer."""

    id: str
    about: str
    items: list[ItemJson]
    learned: Annotated[bool, "Whether all of the chat was answered, and was learned from."]
    next: Annotated[str | None, "The id of the question that waits now."]
    left: LeftJson


def asked_json(report: ask_reports.Asked) -> AskedJson:
    """Return a packet."""
    return {
        "id": report.id,
        "purpose": report.purpose,
        "system": report.system,
        "packet": report.packet,
        "schema": dict(report.schema),
        "about": report.about,
        "left": _left(report.left),
    }


def nothing_asked_json(report: ask_reports.NothingAsked) -> NothingAskedJson:
    """Return that nothing waits."""
    return {"id": None, "why": report.why}


def answered_json(report: ask_reports.Answered) -> AnsweredJson:
    """Return what became of an answer, item by item."""
    return {
        "id": report.id,
        "about": report.about,
        "items": [_item(item) for item in report.items],
        "learned": report.is_whole,
        "next": report.next_id,
        "left": _left(report.left),
    }


def _item(item: ask_reports.Item) -> ItemJson:
    return {
        "content": item.content,
        "outcome": item.outcome,
        "why": item.why or None,
        "factId": item.fact_id,
        "target": item.target,
    }


def _left(left: ask_reports.Left) -> LeftJson:
    return {"packets": left.packets, "chats": left.chats}
