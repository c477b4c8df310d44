"""Front matter as keys and values, by the lenient rules of the hosts (not YAML's): never fails. Pure, linear time.

Rules taken from the behaviour of VS Code 1.138: every scalar is a string, a plain value may begin with `*`, `@`, `!`
or a backtick, only the first `: ` of a line separates, and a tab is as good as a space.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

DEPTH_LIMIT = 64
"""Values nested deeper are left out; no host has a use for them."""


class HeaderToken(NamedTuple):
    """Some characters of the header, `[start, end)`."""

    kind: str
    """`scalar`, `newline`, `indent`, `comment`, `end`, or the sign itself: `:`, `-`, `{`, `---` …"""
    start: int
    end: int
    value: str = ""
    """A scalar's text after unquoting and folding."""
    style: str = ""
    """A scalar's quote (`"`, `'`), `|` or `>`; empty for a plain one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderValue:
    """A scalar, a list or a map, with its place `[start, end)` in the header."""

    kind: str
    """`scalar`, `sequence` or `map`."""
    start: int
    end: int
    text: str = ""
    style: str = ""
    items: tuple[HeaderValue, ...] = ()
    entries: tuple[HeaderEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderEntry:
    """A key and its value."""

    key: str
    start: int
    end: int
    """Of the key alone; the value has its own place."""
    value: HeaderValue


_SKIPPED = ("newline", "indent", "comment")
_AFTER_MARK = ("", " ", "\t", "\r", "\n")
_BLANKS = re.compile(r"[ \t]*")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_FOLD = re.compile(r"(?:\r\n|\r|\n)[ \t]*")
_DOCUMENT_MARK = re.compile(r"(---|\.\.\.)(?=[ \t\r\n]|\Z)")
_BLOCK_SCALAR = re.compile(r"[|>][1-9+-]*[ \t]*(?=[\r\n#]|\Z)")
_BLOCK_HEAD = re.compile(r"[|>](?:([1-9])([+-])?|([+-])([1-9])?)?[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)?")
_PLAIN_RUN = re.compile(r"[^:#\r\n]+")
_PLAIN_RUN_IN_FLOW = re.compile(r"[^:#\r\n,{}\[\]]+")
_QUOTED_RUN = {'"': re.compile(r'[^"\\\r\n]+'), "'": re.compile(r"[^'\r\n]+")}
_ESCAPES = dict(zip('nt\\"/r0abevf _', '\n\t\\"/\r\0\a\b\x1b\v\f \u00a0', strict=True))
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}
_HEX = re.compile(r"[ \t\r\n\v\f\u00a0]*([+-]?)(?:0[xX])?([0-9a-fA-F]+)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def behind(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the offset behind what matches at a place; the place itself where nothing does."""
    found = pattern.match(text, at)
    return found.end() if found else at


class _Scan:
    """One pass over the characters of a header, which cuts them into tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.tokens: list[HeaderToken] = []
        self.telling: list[HeaderToken] = []
        """The tokens but for white space and comments."""
        self.depth = 0
        """How many `{` and `[` are open, over all lines."""
        documents = 0
        while self.position < len(text) and documents < 2:
            self.has_colon = False  # the line has its separating colon already
            mark = _DOCUMENT_MARK.match(text, self.position)
            if (indent := behind(_BLANKS, text, self.position)) > self.position:
                self._add("indent", indent)
            elif mark:
                self._add(mark[1], mark.end())
                documents += mark[1] == "---"
            if not mark and text.startswith("%", self.position):
                self.position = behind(_REST_OF_LINE, text, self.position)
            while self._read_token():
                pass
            if (end := behind(_NEWLINE, text, self.position)) > self.position:
                self._add("newline", end)
        self._add("end", self.position)

    def _add(self, kind: str, end: int, value: str = "", style: str = "") -> None:
        token = HeaderToken(kind, self.position, end, value, style)
        self.tokens.append(token)
        if kind not in _SKIPPED:
            self.telling.append(token)
        self.position = end

    def _read_token(self) -> bool:
        """Read what comes next on the line; tell whether more may follow."""
        text, at = self.text, behind(_BLANKS, self.text, self.position)
        self.position, char, last = at, text[at : at + 1], self.telling[-1] if self.telling else None
        if char in ("", "\r", "\n"):
            return False
        if char == "#":
            self._add("comment", behind(_REST_OF_LINE, text, at))
            return False
        if char in "|>" and not self.depth and _BLOCK_SCALAR.match(text, at):
            # It belongs to the dash, or to the key, before it.
            owner = self.telling[{"-": -1, ":": -2}.get(last.kind, 0) :][:1] if last and last.kind in ":-" else []
            parent = -1 if last and last.kind == "---" else _column_of(text, owner[0].start) if owner else 0
            value, end = _block_scalar(text, at, parent_indent=parent)
            self._add("scalar", end, value, char)
            return False
        is_sign = (
            char in "{[" or (char in "}]," and self.depth) or (char == "-" and text[at + 1 : at + 2] in _AFTER_MARK)
        )
        if char == ":":  # behind a closed value no blank need follow it
            is_closed = last is not None and (last.style != "" or last.kind in ("}", "]"))
            is_sign = self._is_colon(at) or (self.depth > 0 and is_closed)
        if is_sign:
            self.depth += (char in "{[") - (char in "}]")
            self.has_colon = self.has_colon or (char == ":" and not self.depth)
            self._add(char, at + 1)
        elif char in "\"'":
            value, end = _quoted(text, at)
            self._add("scalar", end, value, char)
        else:
            end = self._plain_end(at)
            value = text[at:end].rstrip(" \t")
            self._add("scalar", at + len(value), value)
            self.position = end
        return True

    def _is_colon(self, position: int) -> bool:
        following = self.text[position + 1 : position + 2]
        if self.depth:
            return following in _AFTER_MARK or following in ",}]"
        return not self.has_colon and following in _AFTER_MARK

    def _plain_end(self, start: int) -> int:
        run, stops = (_PLAIN_RUN_IN_FLOW, ",{}[]") if self.depth else (_PLAIN_RUN, "")
        at = start
        while at < len(self.text):
            char = self.text[at]
            if char in "\r\n" or (char == ":" and self._is_colon(at)):
                break
            if at > start and (char in stops or (char == "#" and self.text[at - 1] in " \t")):
                break
            at = max(at + 1, behind(run, self.text, at))
        return at


def _column_of(text: str, offset: int) -> int:
    return offset - 1 - max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset))


def _joined(text: str) -> str:
    """Put surrogate pairs together; one that stands alone becomes the replacement character."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _quoted(text: str, start: int) -> tuple[str, int]:
    """Read the quoted scalar that begins here: its value, and the offset after it; unclosed, it takes all the rest."""
    quote = text[start]
    parts: list[str] = []
    is_literal = False
    at = start + 1
    while at < len(text):
        found = _QUOTED_RUN[quote].match(text, at)
        if found:
            value, at = found.group(), found.end()
        elif text[at] == quote:
            if quote == '"' or text[at + 1 : at + 2] != "'":
                return _joined("".join(parts)), at + 1
            value, at = "'", at + 2
        elif text[at] == "\\":
            value, at = _escape(text, at)
        else:
            if is_literal:
                parts[-1] = parts[-1].rstrip(" \t")
            empty = -1
            while (end := behind(_FOLD, text, at)) > at:
                empty, at = empty + 1, end
            value = "\n" * empty or " "
        parts.append(value)
        is_literal = found is not None
    return _joined("".join(parts)), len(text)


def _escape(text: str, at: int) -> tuple[str, int]:
    following = text[at + 1 : at + 2]
    if following in ("\r", "\n"):
        return "", behind(_FOLD, text, at + 1)
    end = at + 2 + _HEX_LENGTH.get(following, 0)
    number = _HEX.match(text[at + 2 : end]) if at + 2 < end <= len(text) else None
    if number is None:
        return "\\" + following if following in _HEX_LENGTH else _ESCAPES.get(following, "\\" + following), at + 2
    code = int(number.group(1) + number.group(2), 16)
    return chr(code & 0xFFFF) if following == "x" else chr(code) if 0 <= code <= 0x10FFFF else "\ufffd", end


def _block_scalar(text: str, start: int, *, parent_indent: int) -> tuple[str, int]:
    """Read the `|` or `>` scalar that begins here: its value, and the offset after it."""
    head = _BLOCK_HEAD.match(text, start)
    assert head
    explicit, chomping, at = head[1] or head[4], head[2] or head[3], head.end()
    indent = parent_indent + int(explicit) if explicit else 0
    lines: list[str] = []
    trailing = 0
    while at < len(text):
        found = _NEWLINE.search(text, at)
        end, after = found.span() if found else (len(text), len(text))
        line = text[at:end]
        depth = len(line) - len(line.lstrip(" "))
        is_blank = depth == len(line)
        if not is_blank:
            is_over = (not depth and _DOCUMENT_MARK.match(text, at)) or (not indent and depth <= parent_indent)
            indent = indent or depth
            if is_over or depth < indent:
                break
        lines.append("" if is_blank and not indent else line[indent:])
        trailing = 0 if lines[-1] else trailing + 1
        at = after
    body = "\n".join(lines) if text[start] == "|" else _folded(lines)
    body = body.rstrip("\n") if trailing else body
    if chomping == "+":
        body = body + "\n" * (trailing + 1) if any(lines) else "\n" * trailing
    elif any(lines) and not chomping:
        body += "\n"
    return _joined(body), at


def _folded(lines: list[str]) -> str:
    """Join lines by spaces; blank lines and lines indented further keep their breaks."""
    parts: list[str] = []
    was_deeper, after_blank, has_text = False, False, False
    for number, line in enumerate(lines):
        if not line:
            parts.append("\n")
            after_blank = True
            continue
        is_deeper = line[0] in " \t"
        if number == 0 or (after_blank and not ((was_deeper or is_deeper) and has_text)):
            glue = ""
        else:
            glue = "\n" if after_blank or is_deeper or was_deeper else " "
        parts += (glue, line)
        was_deeper, after_blank, has_text = is_deeper, False, True
    return "".join(parts)


def values_of(header: str) -> tuple[HeaderValue | None, list[str]]:
    """Read a header (the lines between the two `---`): its value, which should be a map, and what the host reports."""
    reader = _Reader(header)
    reader.skip_blank()
    if reader.is_at("---"):
        reader.advance()
        reader.skip_blank()
    value = None if reader.is_at("end", "...") else reader.read_value(-1)
    return value, reader.errors


def _empty(offset: int) -> HeaderValue:
    return HeaderValue(kind="scalar", start=offset, end=offset)


class _Reader:
    """A place in the tokens of a header, and the reading of values from there."""

    def __init__(self, header: str) -> None:
        self.header = header
        self.tokens = _Scan(header).tokens
        self.position = 0
        self.errors: list[str] = []
        self.depth = 0

    @property
    def token(self) -> HeaderToken:
        return self.tokens[self.position]

    def is_at(self, *kinds: str) -> bool:
        return self.token.kind in kinds

    def past_indent(self, offset: int = 0) -> str:
        """Return the kind of the token here, or of one behind it; an indent is not counted."""
        return self.tokens[min(self.position + self.is_at("indent") + offset, len(self.tokens) - 1)].kind

    def is_at_entry(self) -> bool:
        return self.past_indent() == "scalar" and self.past_indent(1) == ":"

    def advance(self) -> HeaderToken:
        """Return the current token and go past it, but never past the end."""
        token = self.token
        self.position += token.kind != "end"
        return token

    def skip(self, *kinds: str) -> None:
        while self.is_at(*kinds):
            self.position += 1

    def skip_blank(self) -> None:
        """Go past line ends and comments, up to the indent of the next line with content."""
        while self.is_at("newline", "comment") or (
            self.is_at("indent") and self.past_indent() in ("newline", "comment", "end")
        ):
            self.position += 1

    def indent(self) -> int:
        return self.token.end - self.token.start if self.is_at("indent") else 0

    def nested(self, start: int, read: Callable[..., HeaderValue | None], *of: object) -> HeaderValue:
        """Read a value inside of another one; unless it is too deep: then nothing more is read at all."""
        if self.depth >= DEPTH_LIMIT:
            self.position = len(self.tokens) - 1
            return _empty(start)
        self.depth += 1
        value = read(*of)
        self.depth -= 1
        return value or _empty(start)

    def read_flow(self) -> HeaderValue | None:
        """Read what is in brackets, or a scalar that may go on over several lines; None where there is neither."""
        if self.is_at("{", "["):
            return self.nested(self.token.start, self.read_brackets, self.advance())
        if not self.is_at("scalar"):
            return None
        first = last = self.advance()
        parts = [first.value]
        while not first.style:
            saved = self.position
            self.skip(*_SKIPPED)
            is_on_next_line = any(token.kind == "newline" for token in self.tokens[saved : self.position])
            if not is_on_next_line or not self.is_at("scalar") or self.token.style:
                self.position = saved
                break
            last = self.advance()
            parts.append(last.value)
        return HeaderValue(kind="scalar", start=first.start, end=last.end, text=" ".join(parts), style=first.style)

    def read_brackets(self, opening: HeaderToken) -> HeaderValue:
        is_map = opening.kind == "{"
        closing, kind, code = ("}", "map", "map") if is_map else ("]", "sequence", "seq")
        entries: list[HeaderEntry] = []
        items: list[HeaderValue] = []
        self.skip(*_SKIPPED)
        while not self.is_at(closing, "end"):
            if is_map and not self.is_at("scalar"):
                self.errors.append("expected-key: Expected mapping key")
                break
            item = self.read_flow()
            if item is None:
                self.errors.append("unexpected-token: Unexpected token in flow sequence")
                self.advance()
                continue
            self.skip(*_SKIPPED)
            if is_map:
                value = _empty(item.end)
                if self.is_at(":"):
                    self.advance()
                    self.skip(*_SKIPPED)
                    value = self.read_flow() or _empty(self.token.start)
                entries.append(HeaderEntry(key=item.text, start=item.start, end=item.end, value=value))
            else:
                items.append(item)
            self.skip(*_SKIPPED)
            if self.is_at(","):
                self.advance()
                self.skip(*_SKIPPED)
        end = self.token.start
        if self.is_at(closing):
            end = self.advance().end
        else:
            self.errors.append(f'expected-flow-{code}-end: Expected "{closing}"')
        return HeaderValue(kind=kind, start=opening.start, end=end, items=tuple(items), entries=tuple(entries))

    def read_value(self, parent_indent: int) -> HeaderValue | None:
        self.skip_blank()
        first = self.past_indent()
        if first == "-":
            return self.read_block_list(self.indent())
        if self.is_at_entry():
            return self.read_block_map(self.indent())
        if first not in ("{", "[") and not self.is_at("scalar", "indent"):
            return None
        self.skip("indent")
        return self.read_flow() if first in ("{", "[") else self.read_scalar(parent_indent)

    def is_at_end_of(self, indent: int, found: int) -> bool:
        """Tell whether a line of indent `found` ends the block of `indent`; a deeper one is reported and taken."""
        if self.is_at("end"):
            return True
        if found > indent:
            self.errors.append(f"unexpected-indentation: Unexpected indentation (expected {indent}, got {found})")
        return found < indent

    def read_block_map(self, indent: int, *, is_begun: bool = False) -> HeaderValue:
        start = self.token.start
        entries: list[HeaderEntry] = []
        keys: set[str] = set()
        while True:
            if entries or not is_begun:
                self.skip_blank()
                if self.is_at_end_of(indent, self.indent()) or not self.is_at_entry():
                    break
            self.skip("indent")
            key, colon = self.advance(), self.advance()
            value = self.read_behind(colon, indent, "Missing value")
            if key.value in keys:
                self.errors.append(f'duplicate-key: Duplicate key: "{key.value}"')
            keys.add(key.value)
            entries.append(HeaderEntry(key=key.value, start=key.start, end=key.end, value=value))
        end = entries[-1].value.end if entries else start
        return HeaderValue(kind="map", start=start, end=end, entries=tuple(entries))

    def read_block_list(self, indent: int) -> HeaderValue:
        start = end = self.token.start
        items: list[HeaderValue] = []
        while True:
            self.skip_blank()
            is_first_dash = not items and self.is_at("-")
            found = _column_of(self.header, self.token.start) if is_first_dash else self.indent()
            if self.is_at_end_of(indent, found) or self.past_indent() != "-":
                break
            self.skip("indent")
            items.append(self.read_behind(self.advance(), indent, "Missing sequence item value"))
            end = items[-1].end
        return HeaderValue(kind="sequence", start=start, end=end, items=tuple(items))

    def read_behind(self, mark: HeaderToken, indent: int, missing: str) -> HeaderValue:
        """Read what stands behind a colon or a dash, on its line or below; a list may begin at its key's own column."""
        if self.is_at("{", "["):
            return self.read_flow() or _empty(mark.end)
        is_dash, column = mark.kind == "-", _column_of(self.header, self.token.start)
        if is_dash and self.is_at("-") and self.depth < DEPTH_LIMIT:
            return self.nested(mark.end, self.read_block_list, column)
        if is_dash and self.is_at_entry() and self.is_at("scalar"):
            return self.read_block_map(column, is_begun=True)
        if self.is_at("scalar"):
            return self.read_scalar(indent)
        self.skip_blank()
        is_beside = not is_dash and self.indent() == indent and self.past_indent() == "-"
        if self.is_at("end") or (self.indent() <= indent and not is_beside):
            self.errors.append(f"missing-value: {missing}")
            return _empty(mark.end)
        return self.nested(mark.end, self.read_value, indent)

    def read_scalar(self, parent_indent: int) -> HeaderValue:
        if not self.is_at("scalar"):
            return _empty(self.token.start)
        first = last = self.advance()
        parts = [first.value]
        while not first.style:
            saved, blank_lines = self.position, -1
            while self.is_at("newline"):
                blank_lines += 1
                self.position += 1
                if self.is_at("indent") and self.past_indent() == "newline":
                    self.position += 1
            is_text = self.past_indent() == "-" or (self.past_indent() == "scalar" and not self.is_at_entry())
            if blank_lines < 0 or self.indent() <= parent_indent or not is_text:
                self.position = saved
                break
            self.skip("indent")
            last = self.advance()
            parts.append("\n" * blank_lines or " ")
            if last.kind == "-":
                parts.append("-")
                if self.is_at("scalar"):
                    last = self.advance()
                    parts.append(" ")
            parts.append(last.value)
        return HeaderValue(kind="scalar", start=first.start, end=last.end, text="".join(parts), style=first.style)
