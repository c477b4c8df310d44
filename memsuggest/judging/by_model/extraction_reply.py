"""The shape of a model's reply to the question what to remember; a reply of another shape is of no use. Pure."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from memsuggest.judging.asking.json_object import bare, read_as
from memsuggest.judging.asking.outcomes import failure

MOST_FACTS = 60
"""Facts in one reply; a longer list is no honest answer."""
MOST_CITATIONS = 6


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Cited(_Part):
    """A citation of the person, as the model has it."""

    turn: int
    file: str
    quote: str


class Proposed(_Part):
    """One thing that the model believes worth remembering."""

    content: str
    reason: str
    kind: Literal["correction", "convention", "preference", "procedure", "terminology", "fact", "skill", "observation"]
    scope: Literal["workspace", "user"]
    later: str | None = None
    """The other work in which somebody needs it; empty where the model sees none, None where it was not asked."""
    confidence: Literal["high", "medium", "low"]
    of_ten: int | None = None
    """Careful readers of ten who would keep it, as the model thinks; None where it was not asked."""
    citations: list[Cited]
    replaces: str


class Injection(_Part):
    """A turn in which a text gives orders to whoever reads it."""

    turn: int
    what: str


class ExtractionReply(_Part):
    """A whole reply."""

    facts: list[Proposed]
    injections: list[Injection]


def schema() -> dict[str, Any]:
    """Return the JSON schema that is asked for: every field, since a model skips what it may."""
    asked = bare(ExtractionReply.model_json_schema())
    proposed = asked["$defs"]["Proposed"]
    proposed["properties"] |= {"later": {"type": "string"}, "of_ten": {"type": "integer"}}
    proposed["required"] = list(proposed["properties"])
    return asked


def read_reply(text: str) -> ExtractionReply:
    """Return a reply; raises ModelError for one of another shape, or with more in it than an honest one has."""
    reply = read_as(ExtractionReply, text)
    if len(reply.facts) > MOST_FACTS or any(len(fact.citations) > MOST_CITATIONS for fact in reply.facts):
        raise failure("wrong-shape", f"more than {MOST_FACTS} facts")
    return reply
