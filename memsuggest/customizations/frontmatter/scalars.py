"""Quoted and block scalars of front matter, by the lenient rules of the hosts. Pure, linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
_NEWLINE = re.compile(r"\r\n|\r|\n")
_HEADER_REST = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)?")
_FOLD = re.compile(r"(?:\r\n|\r|\n)[ \t]*")
_DOUBLE_RUN = re.compile(r'[^"\\\r\n]+')
_SINGLE_RUN = re.compile(r"[^'\r\n]+")
_DOCUMENT_MARK = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
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
