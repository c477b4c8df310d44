"""Front matter as tokens, by the lenient rules of the hosts (not YAML's): never fails. Pure, linear time.

Rules taken from the behaviour of VS Code 1.138: every scalar is a string, a plain value may begin with `*`, `@`, `!`
or a backtick, only the first `: ` of a line separates, and a tab is as good as a space.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from memsuggest.customizations.frontmatter.scalars import read_block_scalar, read_quoted


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
    """Count the characters between the beginning of the line and this offset."""
    return offset - 1 - max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset))
