"""Reading the front matter of a customization file as VS Code does; reading never fails. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memsuggest.customizations.blocks.space import JS_SPACE
from memsuggest.customizations.frontmatter.values import HeaderEntry, HeaderValue, values_of

_BLANKS = re.compile(r"[ \t]*")
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
"""A line with its end; the last one may have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """A file's words about itself, in plain values: strings, and lists as they are written."""

    has_header: bool = False
    attributes: list[list[object]] | None = None
    """`[key, value, type]` in the order of the file; type `scalar`, `sequence` or `map`. None without a header."""
    body: str | None = None
    """The text after the header; None where nothing comes after it."""
    apply_to: str | None = None
    name: str | None = None
    description: str | None = None
    tools: list[str] | None = None
    model: list[str] | None = None
    paths: list[str] | None = None
    """Of a rules file for Claude."""
    errors: list[str] = field(default_factory=list)
    """`code: message`, as the host reports them."""
    is_closed: bool = True
    """False for a header whose second `---` is missing."""
    header_start: int = 0
    """Offset of the header's first line after the `---`."""
    header_end: int = 0
    """Offset of the `---` that closes it."""
    entries: tuple[HeaderEntry, ...] = ()
    """The attributes with their places, relative to `header_start`."""

    def string(self, key: str) -> str | None:
        """Return the attribute if it is a single value; of a key given twice, the first counts."""
        value = self.value(key)
        return value.text if value and value.kind == "scalar" else None

    def strings(self, key: str) -> list[str] | None:
        """Return the attribute as a list, also when it is a single value."""
        value = self.value(key)
        if value is None or value.kind == "map":
            return None
        items = (value,) if value.kind == "scalar" else value.items
        return [item.text for item in items if item.kind == "scalar"]

    def value(self, key: str) -> HeaderValue | None:
        """Return the attribute's value, whatever it is."""
        return next((entry.value for entry in self.entries if entry.key == key), None)


def parse(text: str) -> FrontMatter:
    """Read a file's front matter as VS Code does."""
    edges = _edges(text)
    if edges is None:
        return FrontMatter(body=text)
    start, end, body_start = edges
    value, errors = values_of(text[start:end])
    entries = value.entries if value and value.kind == "map" else ()
    told = [str(error) for error in errors]
    if value and value.kind != "map":
        told.append("INVALID_YAML: Invalid header, expecting <key: value> pairs")
    bare = FrontMatter(entries=entries)
    return FrontMatter(
        has_header=True,
        attributes=[[entry.key, plain_value(entry.value), entry.value.kind] for entry in entries],
        body=None if body_start is None else text[body_start:],
        apply_to=bare.string("applyTo"),
        name=bare.string("name"),
        description=bare.string("description"),
        tools=_tools(bare.value("tools")),
        model=bare.strings("model"),
        paths=bare.strings("paths"),
        errors=told,
        is_closed=end < len(text) or _is_edge_line(text[end:]),
        header_start=start,
        header_end=end,
        entries=entries,
    )


def plain_value(value: HeaderValue) -> object:
    """Return a string, or a list of them; a map is only named."""
    if value.kind == "sequence":
        return [plain_value(item) for item in value.items]
    return value.text if value.kind == "scalar" else "map"


def _is_edge_line(line: str) -> bool:
    return line.startswith("---") and not line[3:].strip(JS_SPACE)


def _edges(text: str) -> tuple[int, int, int | None] | None:
    """Return the offsets of the header's content, its end, and the body; None without a header."""
    first = LINE.match(text)
    if first is None or not _is_edge_line(first.group()):
        return None
    at = first.end()
    while at < len(text):
        line = LINE.match(text, at)
        if line is None:
            break
        if _is_edge_line(line.group()):
            has_body = line.group()[-1:] in ("\r", "\n")
            return first.end(), at, line.end() if has_body else None
        at = line.end()
    return first.end(), len(text), None


def _tools(value: HeaderValue | None) -> list[str] | None:
    if value is None or value.kind == "map":
        return None
    if value.kind == "sequence":
        return [item.text for item in value.items if item.kind == "scalar" and item.text]
    return [item for item in split_list(value.text) if item]


def split_list(text: str) -> list[str]:
    """Split a comma-separated list whose items may be quoted."""
    items: list[str] = []
    at = _skip_blanks(text, 0)
    while at < len(text):
        is_quoted = text[at] in "\"'"
        start = at + is_quoted
        end = text.find(text[at] if is_quoted else ",", start)
        end = len(text) if end < 0 else end
        items.append(text[start:end] if is_quoted else text[start:end].rstrip(JS_SPACE))
        at = _skip_blanks(text, end + is_quoted)
        at = _skip_blanks(text, at + 1) if text[at : at + 1] == "," else at
    return items


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at
