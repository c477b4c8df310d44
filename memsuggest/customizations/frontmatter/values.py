"""Front matter as keys and values: maps, lists and plain scalars over several lines. Pure, linear time."""

from __future__ import annotations

from dataclasses import dataclass

from memsuggest.customizations.frontmatter.tokens import HeaderToken, TokenKind, column_of, tokens_of

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
        return self.tokens[self.position].kind in kinds

    def peek(self, offset: int) -> HeaderToken:
        return self.tokens[min(self.position + offset, len(self.tokens) - 1)]

    def past_indent(self) -> HeaderToken:
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


__all__ = ["HeaderEntry", "HeaderError", "HeaderValue", "values_of"]


def values_of(header: str) -> tuple[HeaderValue | None, tuple[HeaderError, ...]]:
    """Read a header (the lines between the two `---`): its value, which should be a map, and what was wrong."""
    reader = _BlockReader(header)
    value = reader.read_document()
    return value, tuple(reader.errors)


class _BlockReader(FlowReader):
    def read_document(self) -> HeaderValue | None:
        """Read the whole header; None where it is empty."""
        self.skip_blank()
        if self.is_at(TokenKind.DOCUMENT_START):
            self.advance()
            self.skip_blank()
        if self.is_at(TokenKind.EOF, TokenKind.DOCUMENT_END):
            return None
        return self.read_value(-1)

    def read_value(self, parent_indent: int) -> HeaderValue | None:
        """Read the value that begins here, deeper than its parent."""
        self.skip_blank()
        first = self.past_indent()
        if first.kind in (TokenKind.MAP_START, TokenKind.LIST_START):
            self.skip_indent()
            return self.read_flow()
        if first.kind is TokenKind.DASH:
            return self.read_block_list(self.indent())
        if self.is_at_entry():
            return self.read_block_map(self.indent())
        if self.is_at(TokenKind.SCALAR, TokenKind.INDENT):
            self.skip_indent()
            return self.read_scalar(parent_indent)
        return None

    def is_at_entry(self) -> bool:
        """Tell whether a key and its colon stand here."""
        skipped = self.is_at(TokenKind.INDENT)
        return self.peek(skipped).kind is TokenKind.SCALAR and self.peek(skipped + 1).kind is TokenKind.COLON

    def is_at_end_of(self, indent: int, found: int) -> bool:
        """Tell whether the line of indent `found` ends the block of `indent`; a deeper one is reported and taken."""
        if found > indent:
            self.report(
                "unexpected-indentation", f"Unexpected indentation (expected {indent}, got {found})", self.token
            )
        return found < indent

    def read_block_map(self, indent: int, *, is_begun: bool = False) -> HeaderValue:
        """Read the entries of a map, all as deep as its first."""
        start = self.token.start
        entries: list[HeaderEntry] = []
        keys: set[str] = set()
        while is_begun or self.is_at_next_entry(indent):
            is_begun = False
            entry = self.read_entry(indent)
            if entry.key in keys:
                place = HeaderToken(TokenKind.SCALAR, entry.start, entry.end)
                self.report("duplicate-key", f'Duplicate key: "{entry.key}"', place)
            keys.add(entry.key)
            entries.append(entry)
        end = entries[-1].value.end if entries else start
        return HeaderValue(kind="map", start=start, end=end, entries=tuple(entries))

    def is_at_next_entry(self, indent: int) -> bool:
        """Tell whether one more entry of a map follows."""
        self.skip_blank()
        if self.is_at(TokenKind.EOF) or self.is_at_end_of(indent, self.indent()):
            return False
        return self.is_at_entry()

    def read_entry(self, indent: int) -> HeaderEntry:
        """Read a key and its value."""
        self.skip_indent()
        key, colon = self.advance(), self.advance()
        return HeaderEntry(key=key.value, start=key.start, end=key.end, value=self.read_entry_value(indent, colon))

    def read_entry_value(self, indent: int, colon: HeaderToken) -> HeaderValue:
        """Read what stands behind a colon."""
        if self.is_at(TokenKind.MAP_START, TokenKind.LIST_START):
            return self.read_flow()
        if self.is_at(TokenKind.SCALAR):
            return self.read_scalar(indent)
        self.skip_blank()
        is_list_beside_key = self.indent() == indent and self.past_indent().kind is TokenKind.DASH
        if self.is_at(TokenKind.EOF) or (self.indent() <= indent and not is_list_beside_key):
            self.report("missing-value", "Missing value", colon)
            return empty(colon.end)
        return self.nested(indent) or empty(colon.end)

    def nested(self, indent: int) -> HeaderValue | None:
        """Read a value inside of another one, unless it is too deep."""
        if self.depth >= DEPTH_LIMIT:
            self.position = len(self.tokens) - 1
            return None
        self.depth += 1
        value = self.read_value(indent)
        self.depth -= 1
        return value

    def read_block_list(self, indent: int) -> HeaderValue:
        """Read the items of a list, all as deep as its first."""
        start = end = self.token.start
        items: list[HeaderValue] = []
        while True:
            self.skip_blank()
            is_first_dash = not items and self.is_at(TokenKind.DASH)
            found = column_of(self.header, self.token.start) if is_first_dash else self.indent()
            if self.is_at(TokenKind.EOF) or self.is_at_end_of(indent, found):
                break
            if self.past_indent().kind is not TokenKind.DASH:
                break
            self.skip_indent()
            items.append(self.read_item(indent, self.advance()))
            end = items[-1].end
        return HeaderValue(kind="sequence", start=start, end=end, items=tuple(items))

    def read_item(self, indent: int, dash: HeaderToken) -> HeaderValue:
        """Read what stands behind a dash."""
        following = self.token.kind
        if following is TokenKind.COMMENT:
            self.advance()
        if self.is_at(TokenKind.MAP_START, TokenKind.LIST_START) and following is not TokenKind.COMMENT:
            return self.read_flow()
        if following is TokenKind.DASH and self.depth < DEPTH_LIMIT:
            self.depth += 1
            nested = self.read_block_list(column_of(self.header, self.token.start))
            self.depth -= 1
            return nested
        if following is TokenKind.SCALAR:
            if self.peek(1).kind is TokenKind.COLON:
                return self.read_block_map(column_of(self.header, self.token.start), is_begun=True)
            return self.read_scalar(indent)
        self.skip_blank()
        if self.is_at(TokenKind.EOF) or self.indent() <= indent:
            self.report("missing-value", "Missing sequence item value", dash)
            return empty(dash.end)
        return self.nested(indent) or empty(dash.end)

    def read_scalar(self, parent_indent: int) -> HeaderValue:
        """Read a scalar, with the lines that go on with it."""
        if not self.is_at(TokenKind.SCALAR):
            return empty(self.token.start)
        first = self.advance()
        if first.style:
            return scalar(first)
        parts, end = [first.value], first.end
        while (blank_lines := self.go_to_continuation(parent_indent)) is not None:
            if self.is_at(TokenKind.DASH):
                dash = self.advance()
                has_more = self.is_at(TokenKind.SCALAR)
                words, end = ("- " + self.token.value, self.token.end) if has_more else ("-", dash.end)
                self.position += has_more
            else:
                words, end = self.token.value, self.token.end
                self.advance()
            parts += ("\n" * blank_lines or " ", words)
        return HeaderValue(kind="scalar", start=first.start, end=end, text="".join(parts))

    def go_to_continuation(self, parent_indent: int) -> int | None:
        """Go to where a plain scalar goes on; return the blank lines before that, or None, and stay."""
        saved, blank_lines = self.position, -1
        while self.is_at(TokenKind.NEWLINE):
            blank_lines += 1
            self.position += 1
            if self.is_at(TokenKind.INDENT) and self.peek(1).kind is TokenKind.NEWLINE:
                self.position += 1
        indent = self.indent()
        goes_deeper = indent > parent_indent if self.is_at(TokenKind.INDENT) else parent_indent < 0
        following = self.past_indent().kind
        after = self.peek(2 if self.is_at(TokenKind.INDENT) else 1).kind
        is_text = following is TokenKind.DASH or (following is TokenKind.SCALAR and after is not TokenKind.COLON)
        if blank_lines < 0 or not goes_deeper or not is_text:
            self.position = saved
            return None
        self.skip_indent()
        return blank_lines
