"""The keys of the shared file's entries: what each may hold, as a check, in words, and as a JSON Schema. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memsuggest.model import FactStatus, Kind, Scope, SuggestionStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TEXT_LIMIT = 4_000  # characters
ITEMS_LIMIT = 1_000  # of a list in an entry
CITATIONS_LIMIT = 20
"""Chats that an entry cites, and files: the profile has all of them, and how many they are."""
LATEST = 2**53
"""The largest integer that every reader of JSON keeps exact; far beyond any time in milliseconds."""

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,80}")


class Number(str):
    """A number as it stands in the file: fractions, and integers too long to calculate with."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A key that we know."""

    allowed: str
    """What it may hold, in words."""
    check: Callable[[object], bool]
    schema: Mapping[str, Any]
    """The same as a JSON Schema; it is for other programs, `check` also knows numbers as they stand in the file."""
    is_required: bool = False


def _is_id(value: object) -> bool:
    return type(value) is str and _ID.fullmatch(value) is not None


def _is_text(value: object) -> bool:
    return type(value) is str and len(value) <= TEXT_LIMIT


def _is_content(value: object) -> bool:
    return type(value) is str and _is_text(value) and bool(value.strip())


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and len(value) <= ITEMS_LIMIT and all(map(_is_text, value))


def _is_time(value: object) -> bool:
    return type(value) is int and 0 <= value <= LATEST


def _is_share(value: object) -> bool:
    return (type(value) is int or isinstance(value, Number)) and 0 <= float(value) <= 1


def _one_of(*allowed: str) -> Field:
    return Field(
        allowed=" or ".join(f"`{value}`" for value in allowed),
        check=lambda value: value in allowed,
        schema={"enum": [str(value) for value in allowed]},
    )


_ID_SCHEMA = {"type": "string", "pattern": f"^{_ID.pattern}$"}
_TEXT_SCHEMA = {"type": "string", "maxLength": TEXT_LIMIT}
_CONTENT_SCHEMA = {**_TEXT_SCHEMA, "pattern": r"\S"}
_IDS = Field(allowed="a short id", check=_is_id, schema=_ID_SCHEMA, is_required=True)
_TEXT = Field(allowed=f"a text of at most {TEXT_LIMIT} characters", check=_is_text, schema=_TEXT_SCHEMA)
_TEXTS = Field(
    allowed="a list of texts",
    check=_is_texts,
    schema={"type": "array", "maxItems": ITEMS_LIMIT, "items": _TEXT_SCHEMA},
)

FIELDS: Mapping[str, Mapping[str, Field]] = {
    "facts": {
        "id": _IDS,
        "content": Field(
            allowed=f"a text of 1 to {TEXT_LIMIT} characters",
            check=_is_content,
            schema=_CONTENT_SCHEMA,
            is_required=True,
        ),
        "reason": _TEXT,
        "kind": _one_of(*Kind),
        "scope": _one_of(Scope.WORKSPACE),  # a stranger's file has no say about the person's own files
        "confidence": Field(
            allowed="a number from 0 to 1",
            check=_is_share,
            schema={"type": "number", "minimum": 0, "maximum": 1},
        ),
        "citations": _TEXTS,
        "quotes": _TEXTS,
        "timestamp": Field(
            allowed="a time in milliseconds",
            check=_is_time,
            schema={"type": "integer", "minimum": 0, "maximum": LATEST},
        ),
        "sourceSessionId": _TEXT,
        "tags": _TEXTS,
        "supersededBy": Field(
            allowed="an id or null",
            check=lambda value: value is None or _is_id(value),
            schema={"anyOf": [_ID_SCHEMA, {"type": "null"}]},
        ),
        "status": _one_of(*FactStatus),
    },
    "decisions": {
        "factId": _IDS,
        "target": Field(
            allowed="a path or null",
            check=lambda value: value is None or _is_content(value),
            schema={"anyOf": [_CONTENT_SCHEMA, {"type": "null"}]},
        ),
        "status": replace(_one_of(*SuggestionStatus), is_required=True),
    },
    "tombstones": {
        "id": _IDS,
        "words": _TEXT,
        "evidence": _TEXTS,
        "into": Field(allowed="an id", check=_is_id, schema=_ID_SCHEMA),
    },
}
"""Per part of the file its keys, in the order in which they are written."""

PARTS = tuple(FIELDS)


def entry_schema(part: str) -> dict[str, Any]:
    """Return the JSON Schema of an entry; further keys are kept as they are, so they are allowed."""
    fields = FIELDS[part]
    return {
        "type": "object",
        "properties": {key: {"description": field.allowed, **field.schema} for key, field in fields.items()},
        "required": [key for key, field in fields.items() if field.is_required],
    }
