"""The front matter of a customization file: read as the hosts read it, edited by the line. Pure.

A header exists only where the very first line is `---`; it ends at the next such line, and without one the whole file
is header. What stands in it is read by the hosts' own rules (`header_values`), which are not YAML's. Reading never
fails. An edit touches one attribute and keeps every other byte; it is read back before it is returned, so that no value
can break out of its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from memsuggest.core.errors import EditConflict
from memsuggest.customizations.applyto import JS_SPACE
from memsuggest.customizations.blocks.line_kinds import fence_of, split_lines
from memsuggest.customizations.frontmatter.header_values import HeaderEntry, HeaderValue, behind, values_of

_BLANKS = re.compile(r"[ \t]*")
_TO_END = re.compile(r"[^\r\n]*")
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
        return next((entry.value for entry in self.entries if entry.key == key), None)


def parse(text: str) -> FrontMatter:
    """Read a file's front matter as VS Code does."""
    start = behind(LINE, text, 0)
    if not _is_edge_line(text[:start]):
        return FrontMatter(body=text)
    at, body = start, None
    while at < len(text):
        line_end = behind(LINE, text, at)
        if _is_edge_line(text[at:line_end]):
            body = text[line_end:] if text[line_end - 1] in "\r\n" else None
            break
        at = line_end
    value, errors = values_of(text[start:at])
    entries = value.entries if value and value.kind == "map" else ()
    if value and value.kind != "map":
        errors.append("INVALID_YAML: Invalid header, expecting <key: value> pairs")
    bare = FrontMatter(entries=entries)
    listed = bare.string("tools")
    tools = bare.strings("tools") if listed is None else _split_list(listed)
    return FrontMatter(
        has_header=True,
        attributes=[[entry.key, plain_value(entry.value), entry.value.kind] for entry in entries],
        body=body,
        apply_to=bare.string("applyTo"),
        name=bare.string("name"),
        description=bare.string("description"),
        tools=None if tools is None else list(filter(None, tools)),
        model=bare.strings("model"),
        paths=bare.strings("paths"),
        errors=errors,
        is_closed=at < len(text),
        header_start=start,
        header_end=at,
        entries=entries,
    )


def plain_value(value: HeaderValue) -> object:
    """Return a string, or a list of them; a map is only named."""
    if value.kind == "sequence":
        return [plain_value(item) for item in value.items]
    return value.text if value.kind == "scalar" else "map"


def _is_edge_line(line: str) -> bool:
    return line.startswith("---") and not line[3:].strip(JS_SPACE)


def _split_list(text: str) -> list[str]:
    items: list[str] = []
    at = behind(_BLANKS, text, 0)
    while at < len(text):
        is_quoted = text[at] in "\"'"
        start = at + is_quoted
        end = text.find(text[at] if is_quoted else ",", start)
        end = len(text) if end < 0 else end
        items.append(text[start:end] if is_quoted else text[start:end].rstrip(JS_SPACE))
        at = behind(_BLANKS, text, end + is_quoted)
        at = behind(_BLANKS, text, at + 1) if text[at : at + 1] == "," else at
    return items


_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_SAFE_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+-]+)*")
_NOT_STRINGS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\ufffb\ud800-\udfff]"
)
_ESCAPED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ONLY_COMMENT = re.compile(r"[ \t]*(?:[ \t]#[^\r\n]*)?(?=[\r\n]|\Z)")


def quoted(value: str, *, like: str = '"') -> str:
    """Write a value on one line so that every reader gets it back; `like` is the quote in use (empty: none)."""
    if not like and _SAFE_PLAIN.fullmatch(value) and value.lower() not in _NOT_STRINGS:
        return value
    if like == "'" and not _UNPRINTABLE.search(value):
        return "'" + value.replace("'", "''") + "'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    shown = _UNPRINTABLE.sub(lambda found: _ESCAPED.get(found.group(), f"\\u{ord(found.group()):04x}"), escaped)
    return f'"{shown}"'


def set_attribute(text: str, key: str, value: str) -> str:
    """Give an attribute this value, in its own line, or as a new one; raises EditConflict where that is not safe."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"`{key}` is not a valid front matter key")
    bom, rest = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    before = parse(rest)
    for candidate in _with_attribute(rest, before, key=key, value=value):
        after = parse(candidate)
        if after.string(key) == value and after.is_closed and _keeps(before, after, apart_from=key):
            return bom + candidate
    raise EditConflict(f"`{key}` cannot be set safely in the front matter", hint="fix the front matter by hand first")


def rename_attribute(text: str, key: str, new_key: str) -> str:
    """Give an attribute another name and leave its value; raises EditConflict where that is not safe."""
    before = parse(text)
    entry = next((entry for entry in before.entries if entry.key == key), None)
    if entry is None or before.value(new_key) is not None or not _KEY.fullmatch(new_key):
        raise EditConflict(f"`{key}` cannot be renamed to `{new_key}`", hint="edit the front matter by hand")
    start, end = before.header_start + entry.start, before.header_start + entry.end
    return text[:start] + new_key + text[end:]


def _keeps(before: FrontMatter, after: FrontMatter, *, apart_from: str) -> bool:
    old = [entry for entry in before.attributes or [] if entry[0] != apart_from]
    new = iter(entry for entry in after.attributes or [] if entry[0] != apart_from)
    return all(entry in new for entry in old) and (after.body or "") == (before.body or "")


def _with_attribute(text: str, before: FrontMatter, *, key: str, value: str) -> Iterator[str]:
    newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    start, end = before.header_start, before.header_end
    line = f"{key}: {quoted(value)}{newline}"
    if not before.has_header:
        if header_start(split_lines(text)) is None:
            yield f"---{newline}{line}---{newline}{text}"
        return
    if not before.is_closed or any(error.startswith("INVALID_YAML") for error in before.errors):
        return
    header = text[start:end]
    entry = next((entry for entry in before.entries if entry.key == key), None)
    if entry is None:
        yield text[:end] + line + text[end:]
        yield text[:start] + line + text[start:]
    elif ":" in header[entry.end :]:  # `{name}` has none
        yield text[:start] + _replaced(header, entry, value) + text[end:]


def _replaced(header: str, entry: HeaderEntry, value: str) -> str:
    old = entry.value
    colon = header.index(":", entry.end) + 1
    end = old.start + len(header[old.start : old.end].rstrip("\r\n"))
    line_end = behind(_TO_END, header, colon)
    like = old.style if old.style in ("'", '"') or (not old.style and old.text and entry.key != "applyTo") else '"'
    written = quoted(value, like=like)
    if old.start == old.end:
        return header[:colon] + " " + written + header[colon:]
    if old.start > line_end:  # a list or a block on the lines below; a comment beside the key stays
        return header[:colon] + " " + written + header[colon:line_end].rstrip(" \t") + header[end:]
    if not _ONLY_COMMENT.match(header, end):  # text after the closing quote hides the rest of the header
        end = behind(_TO_END, header, end)
    return header[: old.start] + written + header[end:]


# The place of front matter as its author meant it: hosts are stricter, but edits respect what looks like a header.

_WRAPPERS = {"instructions", "prompt", "chatmode", "chatagent", "agent", "skill"}
"""Info strings of the fence that some editors once wrote around a whole file."""
_EDGE = re.compile(r"---\s*")
_KEY_LINE = re.compile(r"[\w-]+[ \t]*:")
_KNOWN_KEY_LINE = re.compile(
    r"(?:applyTo|description|name|paths|globs|alwaysApply|mode|agent|model|tools|excludeAgent)[ \t]*:"
)
_GOES_ON = re.compile(r"[ \t]+\S|-[ \t]|#|$")
"""What a line of a header that is no key looks like: indented, an item, a comment, empty."""


def header_end(lines: list[str]) -> int:
    """Return the index after the front matter, or 0; tolerates a BOM, blank lines and a wrapping fence before it."""
    start = header_start(lines)
    if start is None:
        return 0
    for index in range(start + 1, len(lines)):
        if _EDGE.fullmatch(lines[index]):
            return index + 1
    return 0


def header_start(lines: list[str]) -> int | None:
    """Return the index of the line that opens front matter, whether or not it is closed."""
    for index, line in enumerate(lines):
        content = line.removeprefix("\ufeff") if index == 0 else line
        fence = fence_of(content)
        if not content.strip() or (fence and fence.info.lower() in _WRAPPERS):
            continue
        is_first = index == 0 and content == line
        following = lines[index + 1] if index + 1 < len(lines) else ""
        is_header = _EDGE.fullmatch(content) and (is_first or _KEY_LINE.match(following))
        return index if is_header or is_unopened(lines[index:]) else None
    return None


def is_unopened(lines: list[str]) -> bool:
    """Tell whether lines begin with a header that lacks its first `---`: nothing but keys, one of ours first."""
    if not _KNOWN_KEY_LINE.match(lines[0].removeprefix("\ufeff")):
        return False
    for line in lines[1:]:
        if _EDGE.fullmatch(line):
            return True
        if not (_KEY_LINE.match(line) or _GOES_ON.match(line)):
            return False
    return False
