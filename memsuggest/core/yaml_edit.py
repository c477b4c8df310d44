"""Setting one value in a YAML file of settings, and taking it out, without touching any other byte of it. Pure.

What is begun for a value is indented by two, what goes below a name that was there and empty by four; so that taking a
value out again restores the text. Every change is read again by another parser (libyaml, where it is there) first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

import yaml

_BEGUN, _FOUND = 2, 4  # levels of indent below a name that we write, and below one that was there and empty
_PLAIN = re.compile(r"[A-Za-z0-9_/~.][\w/~.,+ -]*")
"""Values that read back the same without quotes in any place."""
_NAME_ALONE = re.compile(r"[^#\s][^#]*:|[ ]+[^#\s][^#]*:")


class _Spot(NamedTuple):
    """The place of a value, or of lines for it."""

    start: int
    end: int
    style: str | None = None
    indent: int = 0
    missing: tuple[str, ...] = ()
    """The names that have to be written; none: the value is there."""


def set_value(text: str, keys: tuple[str, ...], value: str) -> str:
    """Return the text with the value at a path of mapping keys; missing mappings are added in block style.

    Raises ValueError when a key on the way holds something else than a block mapping, or anything else would change.
    """
    spot, expected = _spot(text, keys), _with_value(_loaded(text), keys, value)
    quoted = json.dumps(value, ensure_ascii=False)
    is_stripped = value == value.strip()
    is_plain = _PLAIN.fullmatch(value) is not None and is_stripped
    ways = ["'" + value.replace("'", "''") + "'"] if value.isprintable() and spot.style == "'" else []
    ways += [quoted] if spot.style == '"' else []
    if is_plain or (spot.style is None and value and value.isprintable() and is_stripped):
        ways += [quoted] if not is_plain and not _says(value, value) else []
        ways.append(value)
    for shown in (*ways, quoted):  # as the value before it was written, where that is possible
        changed = _written(text, spot, shown)
        if _says(changed, expected):
            return changed
    raise ValueError(f"`{'.'.join(keys)}` cannot be set without changing other content")


def unset_value(text: str, keys: tuple[str, ...]) -> str:
    """Return the text without the value at a path, and without the names that we began for it; as it is without one.

    Raises ValueError, naming the line, when anything else would be lost.
    """
    spot = _spot(text, keys)
    if spot.missing:
        return text
    first = last = text.count("\n", 0, spot.start)
    lines = text.split("\n")
    if text[spot.end : _end_of_line(text, spot.end)].strip():
        raise ValueError(f"line {first + 1} contains other content, so remove the setting by hand")
    following = next((line for line in lines[last + 1 :] if line.strip()), "")
    while first and _NAME_ALONE.fullmatch(lines[first - 1].rstrip("\r")):
        above = _indent(lines[first - 1])  # only names what these lines hold, as we write it, and nothing below is its
        if _indent(lines[first]) != above + _BEGUN or _indent(following) > above:
            break
        first -= 1
    ending = "\n".join(lines[last + 1 :])
    kept = "\n".join(lines[:first])
    is_last = last + 1 == len(lines)
    changed = kept.removesuffix("\r") if is_last else kept + ("\n" if kept or first else "") + ending
    left = found = _loaded(changed)
    for key in keys[:-1]:
        found = _mapping(found).get(key)
    if keys[-1] in _mapping(found) or _without_value(left, keys) != _without_value(_loaded(text), keys):
        raise ValueError(f"removing line {last + 1} would change other content, so remove the setting by hand")
    return changed


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _spot(text: str, keys: tuple[str, ...]) -> _Spot:
    try:
        node = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    column = -_BEGUN
    for depth, key in enumerate(keys):
        if node is None or (isinstance(node, yaml.ScalarNode) and node.start_mark.index == node.end_mark.index):
            at = len(text) if node is None else min(_end_of_line(text, node.start_mark.index) + 1, len(text))
            indent = column + (_FOUND if depth else _BEGUN)
            return _Spot(at, at, indent=indent, missing=keys[depth:])
        if not isinstance(node, yaml.MappingNode) or node.flow_style:
            raise ValueError(f"`{'.'.join(keys[:depth])}` is not a block of `name: value` lines")
        column = node.start_mark.column
        found = next((child for name, child in node.value if name.value == key), None)
        if found is None:
            at = text.rfind("\n", 0, node.start_mark.index) + 1
            return _Spot(at, at, indent=column, missing=keys[depth:])
        node = found
    if not isinstance(node, yaml.ScalarNode) or node.start_mark.line != node.end_mark.line:
        raise ValueError(f"`{'.'.join(keys)}` is not a single value on one line")
    return _Spot(node.start_mark.index, node.end_mark.index, style=node.style)


def _written(text: str, spot: _Spot, shown: str) -> str:
    if not spot.missing:
        blank = "" if text[spot.start - 1 : spot.start] in (" ", "\t", "") else " "
        return f"{text[: spot.start]}{blank}{shown}{text[spot.end :]}"
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = []
    for step, key in enumerate(spot.missing):
        is_plain = _PLAIN.fullmatch(key) and key == key.strip()
        name = key if is_plain else json.dumps(key, ensure_ascii=False)
        lines.append(f"{' ' * (spot.indent + _BEGUN * step)}{name}:")
    added = f"{newline.join(lines)} {shown}"
    before, after = text[: spot.start], text[spot.start :]
    if before and not before.endswith("\n"):
        return before + newline + added  # the file ends as it ended
    return before + added + newline + after


def _loaded(text: str) -> object:
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        found: object = yaml.load(text, Loader=loader)  # noqa: S506  # nosec B506  (builds texts only)
    except (yaml.YAMLError, RecursionError, UnicodeError) as error:
        raise ValueError(" ".join(str(error).split())) from None
    return found


def _says(text: str, expected: object) -> bool:
    try:
        return (_loaded(text) or {}) == expected
    except ValueError:
        return False


def _with_value(found: object, keys: tuple[str, ...], value: str) -> object:
    if not keys:
        return value
    inner = _mapping(found)
    return {**inner, keys[0]: _with_value(inner.get(keys[0]), keys[1:], value)}


def _without_value(found: object, keys: tuple[str, ...]) -> object:
    """Return what is left without a value and without the mappings that are empty then; a lone name holds nothing."""
    inner = dict(_mapping(found))
    left = _without_value(inner.get(keys[0]), keys[1:]) if len(keys) > 1 else {}
    if left:
        return {**inner, keys[0]: left}
    inner.pop(keys[0], None)
    return inner


def _mapping(found: object) -> Mapping[str, object]:
    return found if isinstance(found, dict) else {}


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end
