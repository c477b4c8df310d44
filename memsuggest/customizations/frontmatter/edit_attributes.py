"""Edits of one attribute of a file's front matter: every other byte stays, and what was written is read back. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.frontmatter.header_place import header_start
from memsuggest.customizations.frontmatter.parse_header import LINE, FrontMatter, parse
from memsuggest.errors import EditConflict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memsuggest.customizations.frontmatter.values import HeaderEntry

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
    has_unprintable = _UNPRINTABLE.search(value) is not None
    if not like and _SAFE_PLAIN.fullmatch(value) and value.lower() not in _NOT_STRINGS:
        return value
    if like == "'" and not has_unprintable:
        return "'" + value.replace("'", "''") + "'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return (
        '"' + _UNPRINTABLE.sub(lambda found: _ESCAPED.get(found.group(), f"\\u{ord(found.group()):04x}"), escaped) + '"'
    )


def write_header(attributes: Mapping[str, str]) -> str:
    """Write the front matter of a new file, every value quoted."""
    return "---\n" + "".join(f"{key}: {quoted(value)}\n" for key, value in attributes.items()) + "---\n"


def set_attribute(text: str, key: str, value: str) -> str:
    """Give an attribute this value, in its own line, or as a new one; raises EditConflict where that is not safe."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"`{key}` is no key of front matter")
    bom, rest = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    before = parse(rest)
    for candidate in _with_attribute(rest, before, key=key, value=value):
        after = parse(candidate)
        if after.string(key) == value and after.is_closed and _keeps(before, after, apart_from=key):
            return bom + candidate
    raise EditConflict(f"the front matter cannot take `{key}` safely", hint="put its header right by hand first")


def rename_attribute(text: str, key: str, new_key: str) -> str:
    """Give an attribute another name and leave its value; raises EditConflict where that is not safe."""
    before = parse(text)
    entry = next((entry for entry in before.entries if entry.key == key), None)
    if entry is None or before.value(new_key) is not None or not _KEY.fullmatch(new_key):
        raise EditConflict(f"`{key}` cannot be renamed to `{new_key}`", hint="edit the front matter by hand")
    start, end = before.header_start + entry.start, before.header_start + entry.end
    return text[:start] + new_key + text[end:]


def _keeps(before: FrontMatter, after: FrontMatter, *, apart_from: str) -> bool:
    """Tell whether every other attribute and the body are as they were."""
    old = [entry for entry in before.attributes or [] if entry[0] != apart_from]
    new = iter(entry for entry in after.attributes or [] if entry[0] != apart_from)
    return all(entry in new for entry in old) and (after.body or "") == (before.body or "")


def _with_attribute(text: str, before: FrontMatter, *, key: str, value: str) -> Iterator[str]:
    newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    start, end = before.header_start, before.header_end
    if not before.has_header:
        if header_start(split_lines(text)) is None:
            yield write_header({key: value}).replace("\n", newline) + text
        return
    if not before.is_closed or any(error.startswith("INVALID_YAML") for error in before.errors):
        return
    header = text[start:end]
    entry = next((entry for entry in before.entries if entry.key == key), None)
    if entry:
        yield text[:start] + _replaced(header, entry, value) + text[end:]
        return
    line = f"{key}: {quoted(value)}{newline}"
    yield text[:end] + line + text[end:]
    yield text[:start] + line + text[start:]


def _replaced(header: str, entry: HeaderEntry, value: str) -> str:
    old = entry.value
    colon = header.index(":", entry.end) + 1
    end = old.start + len(header[old.start : old.end].rstrip("\r\n"))
    line_end = len(header[:colon]) + len(LINE.match(header, colon).group().rstrip("\r\n"))  # type: ignore[union-attr]
    like = old.style if old.style in ("'", '"') or (not old.style and old.text and entry.key != "applyTo") else '"'
    written = quoted(value, like=like)
    if old.start == old.end:
        return header[:colon] + " " + written + header[colon:]
    if old.start > line_end:  # a list or a block on the lines below; a comment beside the key stays
        comment = header[colon:line_end].rstrip(" \t")
        return header[:colon] + " " + written + comment + header[end:]
    if not _ONLY_COMMENT.match(header, end):  # text after the closing quote hides the rest of the header
        end = len(header[:end]) + len(LINE.match(header, end).group().rstrip("\r\n"))  # type: ignore[union-attr]
    return header[: old.start] + written + header[end:]
