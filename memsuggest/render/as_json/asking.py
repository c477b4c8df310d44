"""What the assistant in the chat is asked, and what became of its answer, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.render.as_json.nouns import Fields
    from memsuggest.reports import asking


def asked_fields(report: asking.Asked) -> Fields:
    """Return a packet."""
    return {
        "id": report.id,
        "purpose": report.purpose,
        "system": report.system,
        "packet": report.packet,
        "schema": dict(report.schema),
        "about": report.about,
        "left": _left_fields(report.left),
    }


def nothing_fields(report: asking.NothingAsked) -> Fields:
    """Return that nothing waits."""
    return {"id": None, "why": report.why}


def answered_fields(report: asking.Answered) -> Fields:
    """Return what became of an answer, item by item."""
    return {
        "id": report.id,
        "about": report.about,
        "items": [
            {
                "content": item.content,
                "outcome": item.outcome,
                "why": item.why or None,
                "factId": item.fact_id,
                "target": item.target,
            }
            for item in report.items
        ],
        "learned": report.is_whole,
        "next": report.next_id,
        "left": _left_fields(report.left),
    }


def _left_fields(left: asking.Left) -> Fields:
    return {"packets": left.packets, "chats": left.chats}
