"""JSON Schemas (2020-12) of the shapes that our JSON is written in (see `json_shape`).

Pure. A shape is read as the type checker reads it, so that a schema says what the code that fills the shape must obey.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

from memsuggest.core.json_shape import is_shape, seen_as, slots_of

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUFFIX = "Json"
"""What the names of shapes end in; the names in a schema do without."""

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def name_of(shape: type) -> str:
    """Return what a shape is called in a schema: `FactJson` → `Fact`, or as its `JSON_NAME` says."""
    return vars(shape).get("JSON_NAME") or shape.__name__.removesuffix(SUFFIX)


def about(shape: type) -> str:
    """Return the sentence that says what a shape is."""
    return " ".join((shape.__doc__ or "").split())


def definitions_of(*shapes: type) -> dict[str, Schema]:
    """Return the schema of each shape, and of each that stands in one of them, by name and sorted."""
    found: dict[str, Schema] = {}
    for shape in shapes:
        _define(shape, found)
    return dict(sorted(found.items()))


def reference_to(shape: type) -> Schema:
    """Return a schema that refers to a definition."""
    return {"$ref": f"#/$defs/{name_of(shape)}"}


def _define(shape: type, found: dict[str, Schema]) -> None:
    name = name_of(shape)
    if name in found:
        return
    found[name] = {}  # stands for it in a shape that holds itself
    slots = slots_of(shape)
    found[name] = {
        "description": about(shape),
        "type": "object",
        "properties": {slot.key: _schema_of(slot.hint, slot.words, found) for slot in slots},
        "required": [slot.key for slot in slots if not slot.may_be_missing],
    }


def _schema_of(hint: Any, note: str, found: dict[str, Schema]) -> Schema:
    schema = _bare(hint, found)
    return {"description": note, **schema} if note else schema


def _bare(hint: Any, found: dict[str, Schema]) -> Schema:
    """Return the schema of a type; TypeError for one that JSON has no word for."""
    hint = seen_as(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if is_shape(hint):
        _define(hint, found)
        return reference_to(hint)
    if hint in _PLAIN or hint is None:
        return {"type": _PLAIN[hint or type(None)]}
    if hint is Any or hint is object:
        return {}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [str(one.value) for one in hint]}
    if origin is Literal:
        return {"type": "string", "enum": [str(one) for one in inner]}
    if origin in (Union, types.UnionType):
        return _either([_bare(one, found) for one in inner])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _bare(inner[1], found)}
    if isinstance(origin, type) and issubclass(origin, Collection):
        return {"type": "array", "items": _bare(inner[0], found)}
    raise TypeError(f"{hint} has no schema")


def _either(schemas: list[Schema]) -> Schema:
    """Return a schema for what fits one of these: in a line where they are plain, which most are."""
    if all(schema.keys() <= {"type", "enum"} for schema in schemas):
        kinds = list(dict.fromkeys(schema["type"] for schema in schemas))
        allowed = [value for schema in schemas for value in schema.get("enum", [])]
        if not allowed:
            return {"type": kinds}
        if all("enum" in schema or schema["type"] == "null" for schema in schemas):
            null = [None] if "null" in kinds else []
            return {"type": kinds if len(kinds) > 1 else kinds[0], "enum": [*allowed, *null]}
    return {"anyOf": schemas}
