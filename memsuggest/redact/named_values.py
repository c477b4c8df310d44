"""Values that do not follow their name directly: attributes, elements, YAML lists, headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Place(NamedTuple):
    """The beginning of a value, and whether it is in quotes."""

    start: int
    is_quoted: bool


_APART = re.compile(
    r"""(?x)
    (?:[.:][\w.:\-]{1,30})?                         # the rest of a dotted name
    \\{0,3}["']?
    (?:
        # <add key="Name" value="…"/>, <param name="Name" type="string" value="…"/>
        \s{1,4}(?:[\w:.\-]{1,24}=["'][^"'\n]{0,40}["']\s{1,4}){0,2}value\s{0,2}=\s{0,2}(?=["'])
        # <setting name="Name" serializeAs="String"><value>…
      | [^<>\n]{0,60}>\s{0,20}<(?:value|string)>
        # <key>Name</key><string>…, <name>Name</name><value>…
      | </(?:key|name)>\s{0,40}<(?:value|string)[^<>]{0,30}>
        # {"name": "Name", "value": "…"}, - name: Name / value: …
      | \s{0,4}[,\n]\s{0,40}(?:-\s)?\\{0,3}["']?value\\{0,3}["']?\s{0,2}[:=]\s{0,2}
    )
    (?P<quote>\\{0,3}["']?)
    """,
    re.IGNORECASE,
)


def value_apart(text: str, end: int) -> Place | None:
    """Find the value of a name that ends at `end`, when both are attributes or elements of one thing."""
    near = text[end : end + 160]
    if "alue" not in near and "<string" not in near:
        return None
    match = _APART.match(text, end)
    if match is None:
        return None
    return Place(match.end(), is_quoted=bool(match.group("quote")) or text[match.end() - 1] == ">")


_BELOW = re.compile(
    r"""(?x)
    [\ \t:*_)\]\#]{0,8}\n                                 # the name ends its line
    (?:[\ \t>]{0,8}(?:```\w{0,12}[\ \t]{0,4})?\n){0,3}    # blank lines, or a fence
    [\ \t>*`\-]{0,8}
    (?P<value>[A-Za-z0-9][^\s`*"'<>]{7,200})
    [`*"']{0,3}[\ \t]{0,4}(?:\n|\Z)                        # alone on its line
    """
)


def value_below(text: str, end: int) -> tuple[int, int] | None:
    """Find what stands alone below a line that ends with a name, such as a heading."""
    match = _BELOW.match(text, end) if text.find("\n", end, end + 9) >= 0 else None
    return match.span("value") if match else None


_RULE_BELOW = re.compile(r"[^\n]{0,400}\|[ \t]{0,4}\n[ \t>]{0,8}\|?[ \t]{0,4}:?-{2,}[-:| \t]{0,400}\n")
_CELL = re.compile(r"[ \t]{0,20}[`*_\"']{0,3}([^\s|`*\"']{4,200})[`*_\"']{0,3}[ \t]{0,20}(?:\||\n|\Z)")
_LONGEST_LINE = 1000  # characters of a line of a table
_ROWS = 30  # of a table that are looked at


def cells_below(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Find the single words in a Markdown table's column, when the name that ends at `end` is its heading."""
    header = text.rfind("\n", max(0, end - _LONGEST_LINE), end) + 1
    rule = _RULE_BELOW.match(text, end) if header or end < _LONGEST_LINE else None
    if rule is None:
        return
    column, row = text.count("|", header, end), rule.end()
    for _ in range(_ROWS):
        stop = text.find("\n", row, row + _LONGEST_LINE)
        stop = min(row + _LONGEST_LINE, len(text)) if stop < 0 else stop
        cell = row
        for _ in range(column):
            cell = text.find("|", cell, stop) + 1 or len(text)
        if cell >= stop:
            return  # the table is over
        if word := _CELL.match(text, cell, stop + 1):
            yield word.span(1)
        row = stop + 1
