"""Front matter as tokens, by the lenient rules of the hosts (not YAML's): never fails. Pure, linear time.

Rules taken from the behaviour of VS Code 1.138: every scalar is a string, a plain value may begin with `*`, `@`, `!`
or a backtick, only the first `: ` of a line separates, and a tab is as good as a space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class TokenKind(StrEnum):
    """The kind of a token."""

    SCALAR = "scalar"
    COLON = ":"
    DASH = "-"
    COMMA = ","
    MAP_START = "{"
    MAP_END = "}"
    LIST_START = "["
    LIST_END = "]"
    NEWLINE = "newline"
    INDENT = "indent"
    COMMENT = "comment"
    DOCUMENT_START = "---"
    DOCUMENT_END = "..."
    EOF = "end"


class HeaderToken(NamedTuple):
    """Some characters of the header, `[start, end)`."""

    kind: TokenKind
    start: int
    end: int
    value: str = ""
    """A scalar's text after unquoting and folding."""
    style: str = ""
    """A scalar's quote (`"`, `'`), `|` or `>`; empty for a plain one."""


_SKIPPED = (TokenKind.NEWLINE, TokenKind.INDENT, TokenKind.COMMENT)
_BLANKS = re.compile(r"[ \t]*")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_DOCUMENT_MARK = re.compile(r"(---|\.\.\.)(?=[ \t\r\n]|\Z)")
_BLOCK_SCALAR = re.compile(r"[|>][1-9+-]*[ \t]*(?=[\r\n#]|\Z)")
_AFTER_MARK = frozenset(" \t\r\n")
_PLAIN_RUN = re.compile(r"[^:#\r\n]+")
_PLAIN_RUN_IN_FLOW = re.compile(r"[^:#\r\n,{}\[\]]+")
_OPENING = {"{": TokenKind.MAP_START, "[": TokenKind.LIST_START}
_CLOSING = {"}": TokenKind.MAP_END, "]": TokenKind.LIST_END}


def tokens_of(header: str) -> list[HeaderToken]:
    """Cut a header (the lines between the two `---`) into tokens; the last one is the end."""
    scan = _Scan(header)
    while scan.position < len(header) and scan.documents < 2:
        scan.read_line()
    scan.add(TokenKind.EOF, 0)
    return scan.tokens


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.tokens: list[HeaderToken] = []
        self.depth = 0
        """How many `{` and `[` are open, over all lines."""
        self.has_colon = False
        """The line has its separating colon already."""
        self.documents = 0

    def add(self, kind: TokenKind, length: int) -> None:
        """Add a token of some characters, and go on behind it."""
        self.tokens.append(HeaderToken(kind, self.position, self.position + length))
        self.position += length

    def read_line(self) -> None:
        """Cut one line into tokens."""
        self.has_colon = False
        indent = self._match(_BLANKS)
        if indent:
            self.add(TokenKind.INDENT, indent)
        mark = None if indent else _DOCUMENT_MARK.match(self.text, self.position)
        first = self.text[self.position : self.position + 1]
        if mark:
            is_start = mark.group(1) == "---"
            self.add(TokenKind.DOCUMENT_START if is_start else TokenKind.DOCUMENT_END, 3)
            self.documents += is_start
            self._read_content()
        elif first == "%":
            self.position += self._match(_REST_OF_LINE)
        elif first not in ("", "\r", "\n"):
            self._read_content()
        newline = self._match(_NEWLINE)
        if newline:
            self.add(TokenKind.NEWLINE, newline)

    def _match(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.position)
        return found.end() - found.start() if found else 0

    def _read_content(self) -> None:
        while True:
            self.position += self._match(_BLANKS)
            char = self.text[self.position : self.position + 1]
            if char in ("", "\r", "\n"):
                return
            if char == "#":
                self.add(TokenKind.COMMENT, self._match(_REST_OF_LINE))
                return
            if char in "|>" and not self.depth and _BLOCK_SCALAR.match(self.text, self.position):
                value, end = read_block_scalar(self.text, self.position, parent_indent=self._parent_indent())
                self.tokens.append(HeaderToken(TokenKind.SCALAR, self.position, end, value, char))
                self.position = end
                return
            self._read_token(char)

    def _read_token(self, char: str) -> None:
        following = self.text[self.position + 1 : self.position + 2]
        if char in _OPENING:
            self.depth += 1
            self.add(_OPENING[char], 1)
        elif char in _CLOSING and self.depth:
            self.depth -= 1
            self.add(_CLOSING[char], 1)
        elif char == "," and self.depth:
            self.add(TokenKind.COMMA, 1)
        elif char == "-" and (not following or following in _AFTER_MARK):
            self.add(TokenKind.DASH, 1)
        elif char == ":" and self._is_colon(self.position):
            self.has_colon = self.has_colon or not self.depth
            self.add(TokenKind.COLON, 1)
        elif char == ":" and self.depth and self._follows_closed_value():
            self.add(TokenKind.COLON, 1)
        elif char in "\"'":
            value, end = read_quoted(self.text, self.position)
            self.tokens.append(HeaderToken(TokenKind.SCALAR, self.position, end, value, char))
            self.position = end
        else:
            self._read_plain()

    def _is_colon(self, position: int) -> bool:
        if self.has_colon and not self.depth:
            return False
        following = self.text[position + 1 : position + 2]
        return not following or following in _AFTER_MARK or (self.depth > 0 and following in ",}]")

    def _follows_closed_value(self) -> bool:
        for token in reversed(self.tokens):
            if token.kind not in _SKIPPED:
                is_quoted = token.kind is TokenKind.SCALAR and bool(token.style)
                return is_quoted or token.kind in (TokenKind.MAP_END, TokenKind.LIST_END)
        return False

    def _read_plain(self) -> None:
        start = at = self.position
        run, stops = (_PLAIN_RUN_IN_FLOW, ",{}[]") if self.depth else (_PLAIN_RUN, "")
        while at < len(self.text):
            char = self.text[at]
            if char in "\r\n" or (char == ":" and self._is_colon(at)):
                break
            if at > start and (char in stops or (char == "#" and self.text[at - 1] in " \t")):
                break
            found = run.match(self.text, at)
            at = found.end() if found else at + 1
        value = self.text[start:at].rstrip(" \t")
        self.tokens.append(HeaderToken(TokenKind.SCALAR, start, start + len(value), value))
        self.position = at

    def _parent_indent(self) -> int:
        """Return the column of the key or dash that a block scalar belongs to."""
        meaningful = (token for token in reversed(self.tokens) if token.kind not in _SKIPPED)
        owner = next(meaningful, None)
        if owner is None:
            return 0
        if owner.kind is TokenKind.DOCUMENT_START:
            return -1
        if owner.kind is TokenKind.COLON:
            owner = next(meaningful, None)
        elif owner.kind is not TokenKind.DASH:
            return 0
        return column_of(self.text, owner.start) if owner else 0


def column_of(text: str, offset: int) -> int:
    return offset - 1 - max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset))


_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "\\": "\\",
    '"': '"',
    "/": "/",
    "r": "\r",
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "v": "\v",
    "f": "\f",
    " ": " ",
    "_": "\u00a0",
}
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}
_HEX = re.compile(r"[ \t\r\n\v\f\u00a0]*([+-]?)(?:0[xX])?([0-9a-fA-F]+)")
_HEADER_REST = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)?")
_FOLD = re.compile(r"(?:\r\n|\r|\n)[ \t]*")
_DOUBLE_RUN = re.compile(r'[^"\\\r\n]+')
_SINGLE_RUN = re.compile(r"[^'\r\n]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def joined(text: str) -> str:
    """Put surrogate pairs together; one that stands alone becomes the replacement character."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read_quoted(text: str, start: int) -> tuple[str, int]:
    """Read the quoted scalar that begins here: its value, and the offset after it; unclosed, it takes all the rest."""
    quote = text[start]
    run = _DOUBLE_RUN if quote == '"' else _SINGLE_RUN
    parts: list[str] = []
    is_literal = False
    at = start + 1
    while at < len(text):
        found = run.match(text, at)
        if found:
            value, at = found.group(), found.end()
        elif text[at] == quote:
            if quote == '"' or text[at + 1 : at + 2] != "'":
                return joined("".join(parts)), at + 1
            value, at = "'", at + 2
        elif text[at] == "\\":
            value, at = _read_escape(text, at)
        else:
            if is_literal:
                parts[-1] = parts[-1].rstrip(" \t")
            value, at = _read_fold(text, at)
        parts.append(value)
        is_literal = found is not None
    return joined("".join(parts)), len(text)


def _read_fold(text: str, at: int) -> tuple[str, int]:
    empty = -1
    while found := _FOLD.match(text, at):
        empty += 1
        at = found.end()
    return "\n" * empty if empty else " ", at


def _read_escape(text: str, at: int) -> tuple[str, int]:
    following = text[at + 1 : at + 2]
    if following in ("\r", "\n"):
        found = _FOLD.match(text, at + 1)
        return "", found.end() if found else at + 2
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


@dataclass(slots=True)
class _Lines:
    """The content lines of a block scalar, and how many blank ones are at the end."""

    lines: list[str]
    trailing: int = 0


def read_block_scalar(text: str, start: int, *, parent_indent: int) -> tuple[str, int]:
    """Read the `|` or `>` scalar that begins here: its value, and the offset after it."""
    style, at = text[start], start + 1
    explicit, chomping = 0, ""
    for _ in range(2):
        sign = text[at : at + 1]
        if sign in "123456789" and sign and not explicit:
            explicit, at = int(sign), at + 1
        elif sign in ("+", "-") and not chomping:
            chomping, at = sign, at + 1
    found = _HEADER_REST.match(text, at)
    at = found.end() if found else at
    content, at = _read_lines(text, at, parent_indent=parent_indent, indent=parent_indent + explicit if explicit else 0)
    body = "\n".join(content.lines) if style == "|" else _folded(content.lines)
    return joined(_chomped(body, content, chomping)), at


def _read_lines(text: str, at: int, *, parent_indent: int, indent: int) -> tuple[_Lines, int]:
    content = _Lines([])
    while at < len(text):
        found = _NEWLINE.search(text, at)
        end, after = found.span() if found else (len(text), len(text))
        line = text[at:end]
        depth = len(line) - len(line.lstrip(" "))
        if depth == len(line):
            kept = line[indent:] if indent > 0 and depth >= indent else ""
        else:
            if not depth and _DOCUMENT_MARK.match(text, at):
                break
            if not indent:
                if depth <= parent_indent:
                    break
                indent = depth
            if depth < indent:
                break
            kept = line[indent:] if indent > 0 else line
        content.lines.append(kept)
        content.trailing = 0 if kept or depth < len(line) else content.trailing + 1
        at = after
    return content, at


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


def _chomped(body: str, content: _Lines, chomping: str) -> str:
    if content.trailing:
        body = body.rstrip("\n")
    has_text = any(content.lines)
    if chomping == "+":
        return body + "\n" * (content.trailing + 1) if has_text else "\n" * content.trailing
    return body + "\n" if has_text and not chomping else body
