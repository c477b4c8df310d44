"""The shape of an answer to question two. Pure."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from memsuggest.judging.asking.schema import bare


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Judged(_Part):
    """An entry of an answer, about one rule; every field is there, an empty one where it says nothing."""

    rule: str
    becomes: Literal["said", "replaces", "contradicts", "joins", "new", "nowhere"]
    line: str
    joins: list[str]
    place: str
    heading: str
    also: list[str]
    wording: str
    of_ten: int | None = None
    """Maintainers of ten who would want it, as the model thinks; None where it was not asked."""
    weakens: bool


class Answer(_Part):
    """The whole reply."""

    verdicts: list[Judged]


def schema() -> dict[str, Any]:
    """Return the JSON schema that is asked for: every field, since a model skips what it may."""
    asked = bare(Answer.model_json_schema())
    judged = asked["$defs"]["Judged"]
    judged["properties"]["of_ten"] = {"type": "integer"}
    judged["required"] = list(judged["properties"])
    return asked
