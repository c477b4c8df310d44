"""Adding to JSON with comments and taking out of it, so that every other byte stays. Pure.

Texts are parsed by `jsonc` first; here only the places of values are found, in one pass over the signs.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest import jsonc

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGN = re.compile(
    r'(?P<text>"(?:[^"\\\n]|\\.)*+")|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|(?P<sign>[{}\[\],:])|(?P<word>[\w.+-]+)'
)


@dataclass(slots=True)
class Place:
    """Where a value stands."""

    start: int
    end: int = 0
    members: dict[str, Place] = field(default_factory=dict)
    items: list[Place] = field(default_factory=list)
    key_start: int = 0
    """Where the key of a member begins; the value itself for an item."""


def places(text: str) -> Place:
    """Return where everything stands; raises ValueError for what is no JSON."""
    jsonc.loads(text)
    signs = ((found.lastgroup, found) for found in _SIGN.finditer(text) if found.lastgroup)
    root: Place | None = None
    above: list[tuple[Place, bool]] = []
    key: tuple[str, int] | None = None
    for kind, found in signs:
        mark = found.group()
        if kind == "sign" and mark in "}]":
            above.pop()[0].end = found.end()
        elif kind == "sign" and mark in ",:":
            continue
        elif kind == "text" and above and above[-1][1] and key is None:
            key = (json.loads(mark), found.start())
        else:
            place = Place(found.start(), found.end(), key_start=key[1] if key else found.start())
            _put(place, above, key)
            root, key = root or place, None
            if kind == "sign":
                above.append((place, mark == "{"))
    if root is None:
        raise ValueError("there is no value")
    return root


def _put(place: Place, above: Sequence[tuple[Place, bool]], key: tuple[str, int] | None) -> None:
    if above and key:
        above[-1][0].members[key[0]] = place
    elif above:
        above[-1][0].items.append(place)


def appended(text: str, path: Sequence[str], value: object) -> str:
    """Return the text with one more item in the list at a path; what is missing on the way is made."""
    place, depth = places(text), 0
    while depth < len(path) and path[depth] in place.members:
        place, depth = place.members[path[depth]], depth + 1
    if depth == len(path):
        return _inserted(text, place, _shown(value, text))
    for name in reversed(path[depth + 1 :]):
        value = {name: value if name != path[-1] else [value]}
    if depth + 1 == len(path):
        value = [value]
    return _inserted(text, place, f"{json.dumps(path[depth])}: {_shown(value, text)}")


def _shown(value: object, text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return json.dumps(value, indent=found[1] if found else "  ", ensure_ascii=False)


def _inserted(text: str, place: Place, shown: str) -> str:
    """Put one more entry at the end of an object or a list, indented as its neighbours are."""
    newline = "\r\n" if "\r\n" in text else "\n"
    inside = [*place.members.values(), *place.items]
    last = max((one.end for one in inside), default=place.start + 1)
    line = text[text.rfind("\n", 0, place.start) + 1 : place.start]
    outer = line[: len(line) - len(line.lstrip(" \t"))]
    level = re.search(r"\n([ \t]+)\S", text)
    unit = level[1] if level else "  "
    body = shown.replace("\n", newline + outer + unit)
    rest = text[last : place.end - 1]
    has_comma = bool(inside) and "," in re.sub(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/", "", rest)
    before = text[:last] + ("," if inside and not has_comma else "") + (rest.rstrip() if inside else "")
    return f"{before}{newline}{outer}{unit}{body}{newline}{outer}{text[place.end - 1 :]}"


def without(text: str, found: Sequence[Place]) -> str:
    """Return the text without some members or items, each with the comma that it needed; from the last to the first."""
    for place in sorted(found, key=lambda one: -one.start):
        start, end = place.key_start, place.end
        head, tail = text[:start].rstrip(), text[end:]
        after = tail.lstrip()
        if head.endswith(","):
            text = head[:-1] + tail
        elif after.startswith(","):
            text = head + after[1:] if not head.endswith(("{", "[")) else text[:start] + after[1:].lstrip()
        else:
            text = head + after
    return text
