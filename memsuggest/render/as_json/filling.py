"""Filling a shape: the value of each key comes from the attribute of its name, or from where the shape says.

    class PlaceJson(TypedDict):
        targetType: TargetType                                  # place.target_type
        score: Annotated[float, "…", From(to=rounded)]          # rounded(place.score)
        fileName: Annotated[str | None, From("target.name")]    # null where the place has no target

A key that may be missing is left out where its value is empty.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, is_typeddict

from memsuggest.json_schema import keys_of

_INNER_CAPITAL = re.compile(r"(?<!^)([A-Z])")


@dataclass(frozen=True, slots=True)
class From:
    """The origin of a key's value."""

    path: str = ""
    """Attributes, parted by dots; null where one of them is None. The key's own name if empty, `.` for all of it."""
    to: Callable[[Any], object] | None = None
    """What is made of it; else it is written as the key's type says."""


def constant(value: object) -> From:
    """Say that a key always has the same value."""
    return From(".", lambda _: value)


def iso_time(at: datetime | None) -> str | None:
    """Write a time with its own offset."""
    return at.isoformat() if at else None


def or_null(value: object) -> object:
    """Write null for what is empty."""
    return value or None


def fill(shape: type, source: object) -> dict[str, Any]:
    """Return the JSON of a value in a shape, in the order of the shape's keys."""
    filled = {key: (value(source), may_be_missing) for key, value, may_be_missing in _plan(shape)}
    return {key: value for key, (value, may_be_missing) in filled.items() if value or not may_be_missing}


@cache
def _plan(shape: type) -> tuple[tuple[str, Callable[[Any], Any], bool], ...]:
    """Return each key of a shape with what reads its value, and whether it may be missing."""
    return tuple((key, *_reader(key, hint)) for key, hint in keys_of(shape).items())


def _reader(key: str, hint: Any) -> tuple[Callable[[Any], Any], bool]:
    may_be_missing, found = False, From()
    while get_origin(hint) in (Annotated, NotRequired):
        may_be_missing = may_be_missing or get_origin(hint) is NotRequired
        hint, *notes = get_args(hint)
        found = next((note for note in notes if isinstance(note, From)), found)
    if hint is type(None):
        return (lambda _: None), may_be_missing
    names = _INNER_CAPITAL.sub(r"_\1", key).lower() if not found.path else found.path.strip(".")
    written = found.to or _written_as(hint)
    return (lambda source: written(_at(source, names))), may_be_missing


def _at(source: Any, path: str) -> Any:
    for name in filter(None, path.split(".")):
        source = getattr(source, name) if source is not None else None
    return source


def _written_as(hint: Any) -> Callable[[Any], Any]:
    """Return what writes a value of a type: shapes are filled, whatever is iterable becomes a list."""
    origin, inner = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return lambda value: fill(hint, value)
    if origin in (Union, types.UnionType) and len(inner) == 2 and type(None) in inner:
        written = _written_as(next(one for one in inner if one is not type(None)))
        return lambda value: None if value is None else written(value)
    if origin is list:
        each = _written_as(inner[0])
        return lambda value: [each(one) for one in value]
    if origin in (dict, Mapping):
        each = _written_as(inner[1])
        return lambda value: {key: each(one) for key, one in value.items()}
    return lambda value: value
