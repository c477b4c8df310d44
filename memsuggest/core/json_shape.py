"""JSON derived from the class of a value: a report says once what it holds, with a word on each key.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Place:
        \"\"\"One place for a rule.\"\"\"                                # what the schema says of it

        target_type: TargetType                                   # "targetType"
        app_id: Annotated[str, "Its id.", Key("app")]             # another name than its own
        at: Annotated[int, "When, in ISO 8601.", iso]             # iso(place.at); its return type is the schema's
        rows: tuple[Annotated[Chat, ChatJson], ...]               # a value of another room, in a shape that says how
        seen: Hidden[frozenset[str]]                              # for people alone
        fact_id: ClassVar = Also("fact.id", str, "Of the rule.")   # place.fact.id

A shape is such a dataclass, a NamedTuple, or a TypedDict: there a key takes the attribute of its name, or what its
`From(…)` says. A key that may be missing is left out where its value is empty. Pure.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, reduce
from operator import or_
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

T = TypeVar("T")
VERSION = 1
_INNER_CAPITAL = re.compile(r"(?<!^)([A-Z])")
_WORD = re.compile(r"_([a-z0-9])")
_HIDDEN, _IF_ANY = object(), object()
Hidden = Annotated[T, _HIDDEN]
"""The type of a field that is no key."""
IfAny = Annotated[T, _IF_ANY]
"""The type of a field whose key is left out where it is empty."""


@dataclass(frozen=True, slots=True)
class Key:
    """The name of a field's key, where that is not the field's name in camel case."""

    name: str


@dataclass(frozen=True, slots=True)
class Also:
    """A key beside the fields, as a class variable: where its value is found, its type and its words."""

    path: str
    """Attributes, parted by dots; null where one of them is None. `.` for all of it."""
    hint: Any
    words: str = ""
    to: Callable[[Any], object] | None = None


@dataclass(frozen=True, slots=True)
class From:
    """The origin of a key's value in a TypedDict."""

    path: str = ""
    """Attributes, parted by dots; null where one of them is None. The key's own name if empty, `.` for all of it."""
    to: Callable[[Any], object] | None = None
    """A conversion of the value; without one it is written as the key's type says."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One key of a shape."""

    key: str
    hint: Any
    words: str
    path: str
    to: Callable[[Any], object] | None
    may_be_missing: bool


def constant(value: object) -> From:
    """Say that a key always has the same value."""
    return From(".", lambda _: value)


def or_null(value: object) -> object:
    """Write null for what is empty."""
    return value or None


def three_digits(value: float) -> float:
    return round(value, 3)


def four_digits(value: float) -> float:
    """Write a number with four digits."""
    return round(value, 4)


def is_shape(hint: object) -> bool:
    return is_typeddict(hint) or (isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields")))


def render(report: Any, *, indent: int | None = 2) -> str:
    """Return a report as one JSON document, with a final newline; without `indent` on one line."""
    return json.dumps({"version": VERSION, **as_json(report)}, indent=indent) + "\n"


def as_json(value: Any) -> dict[str, Any]:
    """Return what a value's class says of it."""
    own = getattr(value, "json_keys", None)
    return own() if own else fill(type(value), value)


def fill(shape: type, source: object) -> dict[str, Any]:
    """Return the JSON of a value in a shape, in the order of the shape's keys."""
    filled = {key: (read(source), may_be_missing) for key, read, may_be_missing in _plan(shape)}
    return {key: value for key, (value, may_be_missing) in filled.items() if value or not may_be_missing}


@cache
def _plan(shape: type) -> tuple[tuple[str, Callable[[Any], Any], bool], ...]:
    def reader(slot: Slot) -> Callable[[Any], Any]:
        names = [name for name in slot.path.split(".") if name]
        written = slot.to or _written_as(slot.hint)

        def read(source: Any) -> Any:
            for name in names:
                source = getattr(source, name) if source is not None else None
            return written(source)

        return (lambda _: None) if slot.hint is type(None) else read

    return tuple((slot.key, reader(slot), slot.may_be_missing) for slot in slots_of(shape))


@cache
def slots_of(shape: type) -> tuple[Slot, ...]:
    # Not `__required_keys__`: it knows nothing of a NotRequired in annotations that are texts.
    hints = get_type_hints(shape, include_extras=True)
    found = []
    if is_typeddict(shape):
        is_total = getattr(shape, "__total__", True)
        for key, hint in hints.items():
            notes = _notes(hint)
            origin = next((note for note in notes if isinstance(note, From)), From())
            path = origin.path.strip(".") if origin.path else _INNER_CAPITAL.sub(r"_\1", key).lower()
            found.append(Slot(key, _bare(hint), _words(notes), path, origin.to, not is_total or NotRequired in notes))
        return tuple(found)
    names = {field.name for field in fields(shape)} if is_dataclass(shape) else set(shape._fields)  # type: ignore[attr-defined]
    for name in hints:
        also = getattr(shape, name, None)
        if isinstance(also, Also):
            found.append(Slot(camel(name.strip("_")), also.hint, also.words, also.path.strip("."), also.to, False))
        elif name in names and _HIDDEN not in _notes(hints[name]):
            found.append(_slot_of_field(name, hints[name]))
    return tuple(found)


def _slot_of_field(name: str, hint: Any) -> Slot:
    notes, bare = _notes(hint), _bare(hint)
    key = next((note.name for note in notes if isinstance(note, Key)), camel(name))
    to = next((note for note in notes if isinstance(note, type | types.FunctionType | types.BuiltinFunctionType)), None)
    if to is or_null:
        bare = bare | None
    elif isinstance(to, type):
        bare, to = to, None if is_shape(to) else to
    elif isinstance(to, types.FunctionType):
        bare = get_type_hints(to)["return"]
    if _IF_ANY in notes and _is_union(bare):
        bare = reduce(or_, (arg for arg in get_args(bare) if arg is not type(None)))
    return Slot(key, bare, _words(notes), name, to, _IF_ANY in notes)


def camel(name: str) -> str:
    return _WORD.sub(lambda found: found[1].upper(), name)


def _notes(hint: Any) -> list[Any]:
    if get_origin(hint) is NotRequired:
        return [NotRequired, *_notes(get_args(hint)[0])]
    return [*_notes(hint.__origin__), *hint.__metadata__] if get_origin(hint) is Annotated else []


def _bare(hint: Any) -> Any:
    return _bare(get_args(hint)[0]) if get_origin(hint) in (Annotated, NotRequired) else hint


def _words(notes: list[Any]) -> str:
    return next((note for note in notes if isinstance(note, str)), "")


def seen_as(hint: Any) -> Any:
    return next((note for note in _notes(hint) if isinstance(note, type)), _bare(hint))


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _written_as(hint: Any) -> Callable[[Any], Any]:
    """Return what writes a value of a type: shapes are filled, whatever holds several becomes a list."""
    hint = seen_as(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if is_shape(hint):
        return lambda value: fill(hint, value)
    if _is_union(hint) and len(inner) == 2 and type(None) in inner:
        written = _written_as(next(arg for arg in inner if arg is not type(None)))
        return lambda value: None if value is None else written(value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        each = _written_as(inner[1])
        return lambda value: {key: each(item) for key, item in value.items()}
    if isinstance(origin, type) and issubclass(origin, Collection):
        each = _written_as(inner[0])
        return lambda value: [each(item) for item in value]
    return lambda value: value


# JSON Schemas (2020-12) of the shapes that our JSON is written in (see `json_shape`)

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUFFIX = "Json"
"""The ending of the names of shapes, which the names in a schema do not have."""

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
    properties = {
        slot.key: {**({"description": slot.words} if slot.words else {}), **_schema_of(slot.hint, found)}
        for slot in slots_of(shape)
    }
    required = [slot.key for slot in slots_of(shape) if not slot.may_be_missing]
    found[name] = {"description": about(shape), "type": "object", "properties": properties, "required": required}


def _schema_of(hint: Any, found: dict[str, Schema]) -> Schema:
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
        return {"type": "string", "enum": [str(member.value) for member in hint]}
    if origin is Literal:
        return {"type": "string", "enum": [str(value) for value in inner]}
    if _is_union(hint):
        return _either([_schema_of(arg, found) for arg in inner])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema_of(inner[1], found)}
    if isinstance(origin, type) and issubclass(origin, Collection):
        return {"type": "array", "items": _schema_of(inner[0], found)}
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
