"""A table added to a TOML file and taken out of it, so that every other byte stays. Pure.

A table of ours stands at the end, behind an empty line; keys hold texts and lists of texts alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"[ \t]*\[")
_STANDARD = str.maketrans({"\x7f": "\\u007f"})


def toml_value(text: str) -> dict[str, Any]:
    """Return what a file says; raises ValueError for what is no TOML."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is no TOML: {error}") from None


def table_added(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    """Return the text with one more table at its end; a last line without an end stays the last without one.

    >>> table_added("", ("servers", "ours"), {"args": ["mcp"]})
    '[servers.ours]\\nargs = ["mcp"]\\n'
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    rows = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(name)} = {_value(one)}" for name, one in values.items())]
    table = newline.join(rows)
    if not text:
        return table + newline
    return f"{text}{newline}{table}{newline}" if text.endswith("\n") else f"{text}{newline * 2}{table}"


def table_removed(text: str, path: Sequence[str]) -> str:
    """Return the text without a table, those below it, and the empty line before them.

    Raises ValueError where it does not stand in lines of its own, or somebody has put a comment into it.
    """
    lines = [line for line in re.split(r"(?<=\n)", text) if line]
    ours = [at for at, line in enumerate(lines) if _names(line, path) and _begins(lines, at)]
    if not ours:
        raise ValueError(f"`{'.'.join(path)}` does not stand in a table of its own: take it out by hand")
    for number in reversed(ours):
        lines = _without_table(lines, number)
    return "".join(lines)


def _without_table(lines: list[str], start: int) -> list[str]:
    end = next((at for at in range(start + 1, len(lines)) if _begins(lines, at)), len(lines))
    while lines[end - 1].strip() == "" or (lines[end - 1].lstrip().startswith("#") and end < len(lines)):
        end -= 1  # it belongs to what follows
    if any("#" in line for line in lines[start:end]):
        raise ValueError(f"somebody has put a comment into it: take out line {start + 1} and those below by hand")
    is_last, kept = end == len(lines), lines[:start]
    if kept and not kept[-1].strip():
        kept = kept[:-1]
        if is_last and kept and not lines[-1].endswith("\n"):
            kept[-1] = kept[-1].rstrip("\r\n")
    return kept + lines[end:]


def _begins(lines: list[str], at: int) -> bool:
    """Tell whether a line begins a table, and is no part of a text or a list of several lines."""
    if not _HEADER.match(lines[at]):
        return False
    try:
        tomllib.loads("".join(lines[:at]).removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _names(line: str, path: Sequence[str]) -> bool:
    """Tell whether a line begins a table at a path or below it."""
    if not _HEADER.match(line):
        return False
    try:
        found: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return False
    for name in path:
        if not isinstance(found, dict) or list(found) != [name]:
            return False
        found = found[name]
    return isinstance(found, dict)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _value(value: object) -> str:
    # A text of JSON is a basic string of TOML, but for one sign that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).translate(_STANDARD)
