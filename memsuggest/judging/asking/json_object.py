"""Replies as JSON: the schema that a model is told, the object in what anybody hands back, and reading it. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from memsuggest.judging.asking.outcomes import failure

_OURS = frozenset({"title", "description"})
_NAMED = frozenset({"properties", "$defs"})  # where the keys are names of ours, and not words of JSON Schema


def bare(schema: Any) -> Any:
    """Return a schema as a model needs it, without the titles and docstrings of our own classes.

    >>> bare({"title": "Reply", "type": "object", "properties": {"title": {"title": "Title", "type": "string"}}})
    {'type': 'object', 'properties': {'title': {'type': 'string'}}}
    """
    if isinstance(schema, list):
        return [bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: bare(inner) for name, inner in value.items()} if key in _NAMED else bare(value)
        for key, value in schema.items()
        if key not in _OURS
    }


class ReplyPart(BaseModel):
    """A part of a reply: exactly the fields that are asked for, of exactly their types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


def schema_of(shape: type[BaseModel], part: str, **types: str) -> dict[str, Any]:
    """Return a schema in which a part has every field, those that may be missing in a reply with the type they have.

    A model skips what it may.
    """
    asked: dict[str, Any] = bare(shape.model_json_schema())
    fields = asked["$defs"][part]
    fields["properties"] |= {name: {"type": kind} for name, kind in types.items()}
    fields["required"] = list(fields["properties"])
    return asked


Parsed = TypeVar("Parsed", bound=BaseModel)


def read_as(shape: type[Parsed], text: str) -> Parsed:
    """Return an answer in its shape; raises ModelError for one of another, with the place that differs."""
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, problem["loc"][:4]))
        raise failure("wrong-shape", f"{place} {problem['msg']}".strip()) from None


def count_in(fields: Mapping[str, Any], name: str) -> int | None:
    """Return a count among the fields of what another program says; None for what is none."""
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else None


_ESCAPES = re.compile(
    r"""
    \x1b \[ [0-?]* [ -/]* [@-~]             # colours and cursor movements
    | \x1b \] [^\x07\x1b]* (?: \x07 | \x1b\\ )  # titles and links
    | \x1b [@-Z\\^_]                         # two-character sequences
    """,
    re.VERBOSE,
)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)  # what some local models say to themselves first
_ATTEMPTS = 50  # braces in talk around an answer at which it may begin


def json_in(text: str) -> str:
    """Return the one JSON object in an answer, also with talk or a fence around it.

    Raises ModelError: nothing, prose, half an object, or several.

    >>> json_in('Here it is:\\n```json\\n{"facts": []}\\n```')
    '{"facts": []}'
    """
    plain = _THOUGHT.sub("", _ESCAPES.sub("", text.lstrip("\ufeff"))).strip()
    if not plain:
        raise failure("empty")
    found: list[str] = []
    position = plain.find("{")
    for _ in range(_ATTEMPTS):
        if position < 0:
            break
        try:
            end = json.JSONDecoder().raw_decode(plain, position)[1]
        except RecursionError:
            raise failure("unreadable", "nested too deeply") from None
        except json.JSONDecodeError as error:
            if error.pos >= len(plain) or error.msg.startswith("Unterminated"):
                raise failure("unreadable", "unexpected end of input") from None
            end = position + 1
        else:
            found.append(plain[position:end])
        position = plain.find("{", end)
    if len(found) > 1:
        raise failure("wrong-shape", f"expected one JSON object, got {len(found)}")
    if not found:
        raise failure("unreadable" if plain.lstrip("`json\n ").startswith("{") else "prose", plain)
    return found[0]
