"""Values of front matter, and those written on `{…}` and `[…]`; errors are told, never raised. Pure, linear time."""

from __future__ import annotations

from dataclasses import dataclass

from memsuggest.customizations.frontmatter.tokens import HeaderToken, TokenKind, tokens_of

DEPTH_LIMIT = 64
"""Values nested deeper are left out; no host has a use for them."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderError:
    """Something that the host reports about the header."""

    code: str
    message: str
    start: int

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def scalar(token: HeaderToken) -> HeaderValue:
    """Make a value of a scalar token."""
    return HeaderValue(kind="scalar", start=token.start, end=token.end, text=token.value, style=token.style)


def empty(offset: int) -> HeaderValue:
    """Make the empty value that stands where there is none."""
    return HeaderValue(kind="scalar", start=offset, end=offset)


class FlowReader:
    """A place in the tokens of a header, and the reading of flow values from there."""

    def __init__(self, header: str) -> None:
        self.header = header
        self.tokens = tokens_of(header)
        self.position = 0
        self.errors: list[HeaderError] = []
        self.depth = 0

    @property
    def token(self) -> HeaderToken:
        """Return the current token."""
        return self.tokens[self.position]

    def is_at(self, *kinds: TokenKind) -> bool:
        """Tell whether the current token is one of these."""
        return self.tokens[self.position].kind in kinds

    def peek(self, offset: int) -> HeaderToken:
        """Return a token further on, or the end."""
        return self.tokens[min(self.position + offset, len(self.tokens) - 1)]

    def past_indent(self) -> HeaderToken:
        """Return the current token, or the one behind an indent."""
        return self.peek(1) if self.is_at(TokenKind.INDENT) else self.token

    def advance(self) -> HeaderToken:
        """Return the current token and go past it, but never past the end."""
        token = self.token
        if token.kind is not TokenKind.EOF:
            self.position += 1
        return token

    def skip_indent(self) -> None:
        """Go past an indent."""
        if self.is_at(TokenKind.INDENT):
            self.position += 1

    def skip_blank(self) -> None:
        """Go past line ends and comments, up to the indent of the next line with content."""
        while True:
            if self.is_at(TokenKind.INDENT):
                if self.peek(1).kind not in (TokenKind.NEWLINE, TokenKind.COMMENT, TokenKind.EOF):
                    return
            elif not self.is_at(TokenKind.NEWLINE, TokenKind.COMMENT):
                return
            self.position += 1

    def indent(self) -> int:
        """Count the characters of the indent here."""
        return self.token.end - self.token.start if self.is_at(TokenKind.INDENT) else 0

    def report(self, code: str, message: str, token: HeaderToken) -> None:
        """Tell what is wrong at a token."""
        self.errors.append(HeaderError(code=code, message=message, start=token.start))

    def skip_flow_blank(self) -> None:
        """Go past line ends, indents and comments."""
        while self.is_at(TokenKind.NEWLINE, TokenKind.INDENT, TokenKind.COMMENT):
            self.position += 1

    def read_flow(self) -> HeaderValue:
        """Read a `{…}` or `[…]`."""
        opening = self.advance()
        if self.depth >= DEPTH_LIMIT:
            self.position = len(self.tokens) - 1
            return empty(opening.start)
        self.depth += 1
        self.skip_flow_blank()
        is_map = opening.kind is TokenKind.MAP_START
        value = self.read_flow_map(opening) if is_map else self.read_flow_list(opening)
        self.depth -= 1
        return value

    def read_flow_map(self, opening: HeaderToken) -> HeaderValue:
        """Read what follows a `{`."""
        entries: list[HeaderEntry] = []
        while not self.is_at(TokenKind.MAP_END, TokenKind.EOF):
            if not self.is_at(TokenKind.SCALAR):
                self.report("expected-key", "Expected mapping key", self.token)
                break
            key = self.read_flow_scalar()
            self.skip_flow_blank()
            value = empty(key.end)
            if self.is_at(TokenKind.COLON):
                self.advance()
                self.skip_flow_blank()
                value = self.read_flow_value() or empty(self.token.start)
            entries.append(HeaderEntry(key=key.text, start=key.start, end=key.end, value=value))
            self.skip_comma()
        end = self.close_flow(TokenKind.MAP_END, "expected-flow-map-end")
        return HeaderValue(kind="map", start=opening.start, end=end, entries=tuple(entries))

    def read_flow_list(self, opening: HeaderToken) -> HeaderValue:
        """Read what follows a `[`."""
        items: list[HeaderValue] = []
        while not self.is_at(TokenKind.LIST_END, TokenKind.EOF):
            item = self.read_flow_value()
            if item is None:
                self.report("unexpected-token", "Unexpected token in flow sequence", self.advance())
                continue
            items.append(item)
            self.skip_comma()
        end = self.close_flow(TokenKind.LIST_END, "expected-flow-seq-end")
        return HeaderValue(kind="sequence", start=opening.start, end=end, items=tuple(items))

    def read_flow_value(self) -> HeaderValue | None:
        """Read a value inside of a flow value; None where there is none."""
        if self.is_at(TokenKind.MAP_START, TokenKind.LIST_START):
            return self.read_flow()
        return self.read_flow_scalar() if self.is_at(TokenKind.SCALAR) else None

    def skip_comma(self) -> None:
        """Go past a comma and the blanks around it."""
        self.skip_flow_blank()
        if self.is_at(TokenKind.COMMA):
            self.advance()
            self.skip_flow_blank()

    def close_flow(self, closing: TokenKind, code: str) -> int:
        """Go past the closing sign, or report that it is missing; return the offset after it."""
        if self.is_at(closing):
            return self.advance().end
        self.report(code, f'Expected "{closing}"', self.token)
        return self.token.start

    def read_flow_scalar(self) -> HeaderValue:
        """Read a scalar that may go on over several lines."""
        first = self.advance()
        if first.style:
            return scalar(first)
        parts, end = [first.value], first.end
        while True:
            saved = self.position
            self.skip_flow_blank()
            skipped = self.tokens[saved : self.position]
            is_on_next_line = any(token.kind is TokenKind.NEWLINE for token in skipped)
            if not is_on_next_line or not self.is_at(TokenKind.SCALAR) or self.token.style:
                self.position = saved
                return HeaderValue(kind="scalar", start=first.start, end=end, text=" ".join(parts))
            following = self.advance()
            parts.append(following.value)
            end = following.end
