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
        self.depth = 0
        """How many `{` and `[` are open, over all lines."""
        self.has_colon = False
        """The line has its separating colon already."""
        documents = 0
        while self.position < len(text) and documents < 2:
            documents += self._read_line()
        self._add("end", self.position)

    def _add(self, kind: str, end: int, value: str = "", style: str = "") -> None:
        self.tokens.append(HeaderToken(kind, self.position, end, value, style))
        self.position = end

    def _char(self, offset: int = 0) -> str:
        return self.text[self.position + offset : self.position + offset + 1]

    def _read_line(self) -> bool:
        """Cut one line into tokens; tell whether a document begins there."""
        self.has_colon = False
        mark = _DOCUMENT_MARK.match(self.text, self.position)
        if (indent := behind(_BLANKS, self.text, self.position)) > self.position:
            self._add("indent", indent)
        elif mark:
            self._add(mark[1], mark.end())
        if not mark and self._char() == "%":
            self.position = behind(_REST_OF_LINE, self.text, self.position)
        else:
            self._read_content()
        if (end := behind(_NEWLINE, self.text, self.position)) > self.position:
            self._add("newline", end)
        return mark is not None and mark[1] == "---"

    def _read_content(self) -> None:
        while True:
            self.position = behind(_BLANKS, self.text, self.position)
            char = self._char()
            if char in ("", "\r", "\n"):
                return
            if char == "#":
                self._add("comment", behind(_REST_OF_LINE, self.text, self.position))
                return
            if char in "|>" and not self.depth and _BLOCK_SCALAR.match(self.text, self.position):
                value, end = _block_scalar(self.text, self.position, parent_indent=self._parent_indent())
                self._add("scalar", end, value, char)
                return
            is_sign = char in "{[" or (char in "}]," and self.depth) or (char == "-" and self._char(1) in _AFTER_MARK)
            if char == ":":  # behind a closed value no blank need follow it
                last = next((token for token in reversed(self.tokens) if token.kind not in _SKIPPED), None)
                is_closed = last is not None and (last.style != "" or last.kind in ("}", "]"))
                is_sign = self._is_colon(self.position) or (self.depth > 0 and is_closed)
            if is_sign:
                self.depth += (char in "{[") - (char in "}]")
                self.has_colon = self.has_colon or (char == ":" and not self.depth)
                self._add(char, self.position + 1)
            elif char in "\"'":
                value, end = _quoted(self.text, self.position)
                self._add("scalar", end, value, char)
            else:
                self._read_plain()

    def _is_colon(self, position: int) -> bool:
        following = self.text[position + 1 : position + 2]
        if self.depth:
            return following in _AFTER_MARK or following in ",}]"
        return not self.has_colon and following in _AFTER_MARK

    def _read_plain(self) -> None:
        start = at = self.position
        run, stops = (_PLAIN_RUN_IN_FLOW, ",{}[]") if self.depth else (_PLAIN_RUN, "")
        while at < len(self.text):
            char = self.text[at]
            if char in "\r\n" or (char == ":" and self._is_colon(at)):
                break
            if at > start and (char in stops or (char == "#" and self.text[at - 1] in " \t")):
                break
            at = max(at + 1, behind(run, self.text, at))
        value = self.text[start:at].rstrip(" \t")
        self._add("scalar", start + len(value), value)
        self.position = at

    def _parent_indent(self) -> int:
        """Return the column of the key or dash that a block scalar belongs to."""
        meaningful = (token for token in reversed(self.tokens) if token.kind not in _SKIPPED)
        owner = next(meaningful, None)
        if owner and owner.kind == "---":
            return -1
        if owner and owner.kind == ":":
            owner = next(meaningful, None)
        elif owner and owner.kind != "-":
            return 0
        return _column_of(self.text, owner.start) if owner else 0


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
    if following in _HEX_LENGTH:
        length = _HEX_LENGTH[following]
        digits = text[at + 2 : at + 2 + length]
        number = _HEX.match(digits)
        if len(digits) < length or number is None:
            return "\\" + following, at + 2
        code = int(number.group(1) + number.group(2), 16)
        char = chr(code & 0xFFFF) if length == 2 else chr(code) if 0 <= code <= 0x10FFFF else "\ufffd"
        return char, at + 2 + length
    return _ESCAPES.get(following, "\\" + following), at + 2


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
    """Make the empty value that stands where there is none."""
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

    def peek(self, offset: int) -> str:
        return self.tokens[min(self.position + offset, len(self.tokens) - 1)].kind

    def past_indent(self) -> str:
        return self.peek(self.is_at("indent"))

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
            self.is_at("indent") and self.peek(1) in ("newline", "comment", "end")
        ):
            self.position += 1

    def empty(self) -> HeaderValue:
        return _empty(self.token.start)

    def indent(self) -> int:
        return self.token.end - self.token.start if self.is_at("indent") else 0

    def nested(self, read: Callable[[], HeaderValue | None]) -> HeaderValue | None:
        """Read a value inside of another one; unless it is too deep: then nothing more is read at all."""
        if self.depth >= DEPTH_LIMIT:
            self.position = len(self.tokens) - 1
            return None
        self.depth += 1
        value = read()
        self.depth -= 1
        return value

    def read_flow(self) -> HeaderValue:
        opening = self.advance()
        return self.nested(lambda: self.read_flow_inside(opening)) or _empty(opening.start)

    def read_flow_inside(self, opening: HeaderToken) -> HeaderValue:
        is_map = opening.kind == "{"
        closing, kind, code = ("}", "map", "map") if is_map else ("]", "sequence", "seq")
        entries: list[HeaderEntry] = []
        items: list[HeaderValue] = []
        self.skip(*_SKIPPED)
        while not self.is_at(closing, "end"):
            if is_map and not self.is_at("scalar"):
                self.errors.append("expected-key: Expected mapping key")
                break
            item = self.read_flow() if self.is_at("{", "[") else self.read_flow_scalar()
            self.skip(*(_SKIPPED if item else ()))
            if item is None:
                self.errors.append("unexpected-token: Unexpected token in flow sequence")
                self.advance()
                continue
            if is_map:
                value = _empty(item.end)
                if self.is_at(":"):
                    self.advance()
                    self.skip(*_SKIPPED)
                    value = self.read_flow() if self.is_at("{", "[") else self.read_flow_scalar() or self.empty()
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

    def read_flow_scalar(self) -> HeaderValue | None:
        """Read a scalar that may go on over several lines; None where there is none."""
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

    def read_value(self, parent_indent: int) -> HeaderValue | None:
        self.skip_blank()
        first = self.past_indent()
        if first in ("{", "["):
            self.skip("indent")
            return self.read_flow()
        if first == "-":
            return self.read_block_list(self.indent())
        if self.is_at_entry():
            return self.read_block_map(self.indent())
        if self.is_at("scalar", "indent"):
            self.skip("indent")
            return self.read_scalar(parent_indent)
        return None

    def is_at_entry(self) -> bool:
        skipped = self.is_at("indent")
        return self.peek(skipped) == "scalar" and self.peek(skipped + 1) == ":"

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
            value = self.read_behind(colon, indent, "Missing value", can_be_beside=True)
            if key.value in keys:
                self.errors.append(f'duplicate-key: Duplicate key: "{key.value}"')
            keys.add(key.value)
            entries.append(HeaderEntry(key=key.value, start=key.start, end=key.end, value=value))
        end = entries[-1].value.end if entries else start
        return HeaderValue(kind="map", start=start, end=end, entries=tuple(entries))

    def read_behind(self, mark: HeaderToken, indent: int, missing: str, *, can_be_beside: bool) -> HeaderValue:
        """Read what stands behind a colon or a dash, on its line or below; a list may begin at its key's own column."""
        if self.is_at("{", "["):
            return self.read_flow()
        column = _column_of(self.header, self.token.start)
        if mark.kind == "-" and self.is_at("-") and self.depth < DEPTH_LIMIT:
            return self.nested(lambda: self.read_block_list(column)) or _empty(mark.end)
        if mark.kind == "-" and self.is_at("scalar") and self.peek(1) == ":":
            return self.read_block_map(column, is_begun=True)
        if self.is_at("scalar"):
            return self.read_scalar(indent)
        self.skip_blank()
        is_beside = can_be_beside and self.indent() == indent and self.past_indent() == "-"
        if self.is_at("end") or (self.indent() <= indent and not is_beside):
            self.errors.append(f"missing-value: {missing}")
            return _empty(mark.end)
        return self.nested(lambda: self.read_value(indent)) or _empty(mark.end)

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
            dash = self.advance()
            items.append(self.read_behind(dash, indent, "Missing sequence item value", can_be_beside=False))
            end = items[-1].end
        return HeaderValue(kind="sequence", start=start, end=end, items=tuple(items))

    def read_scalar(self, parent_indent: int) -> HeaderValue:
        """Read a scalar, with the lines that go on with it."""
        if not self.is_at("scalar"):
            return self.empty()
        first = last = self.advance()
        parts = [first.value]
        while not first.style and (blank_lines := self.go_to_continuation(parent_indent)) is not None:
            last, words = self.advance(), ""
            if last.kind == "-":
                words = "-"
                if self.is_at("scalar"):
                    last, words = self.advance(), "- "
            parts += ("\n" * blank_lines or " ", words + last.value)
        return HeaderValue(kind="scalar", start=first.start, end=last.end, text="".join(parts), style=first.style)

    def go_to_continuation(self, parent_indent: int) -> int | None:
        """Go to where a plain scalar goes on; return the blank lines before that, or None, and stay."""
        saved, blank_lines = self.position, -1
        while self.is_at("newline"):
            blank_lines += 1
            self.position += 1
            if self.is_at("indent") and self.peek(1) == "newline":
                self.position += 1
        is_indented = self.is_at("indent")
        goes_deeper = self.indent() > parent_indent if is_indented else parent_indent < 0
        following = self.past_indent()
        is_text = following == "-" or (following == "scalar" and self.peek(1 + is_indented) != ":")
        if blank_lines < 0 or not goes_deeper or not is_text:
            self.position = saved
            return None
        self.skip("indent")
        return blank_lines
