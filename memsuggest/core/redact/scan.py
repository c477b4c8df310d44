"""Findings of redaction, and a text as rules look at it: beside it what can be searched much faster."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import AnyStr, NamedTuple

MARK = "[REDACTED:"
"""What stands for a secret, followed by its kind and `]`."""


class Finding(NamedTuple):
    """A secret or personal detail: `[start, end)` in the text that was given."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without secrets, and where in the original they stood."""

    text: str
    found: tuple[Finding, ...]


def merged_findings(found: Iterable[Finding]) -> list[Finding]:
    """Sort and unite overlapping stretches; the longest gives the kind, of equals the one found first."""
    whole: list[Finding] = []
    for finding in sorted(found, key=lambda found: (found.start, -found.end)):
        if whole and finding.start < whole[-1].end:
            last = whole[-1]
            kind = finding.kind if finding.end - finding.start > last.end - last.start else last.kind
            whole[-1] = Finding(kind, last.start, max(last.end, finding.end))
        elif finding.end > finding.start:
            whole.append(finding)
    return whole


def _table(classes: dict[str, str], rest: str) -> bytes:
    """Map each character to that of its class."""
    named = {char: name for name, chars in classes.items() for char in chars}
    return bytes(ord(named.get(chr(code), rest)) for code in range(256))


_ASCII = bytes(range(128))
_FORMS = _table({"0": string.digits, "A": string.ascii_uppercase, "a": string.ascii_lowercase,
                 "!": "@$!#&*?", "-": " ().+/-"}, ".")  # fmt: skip
_RUNS = _table({"a": string.ascii_letters + string.digits + "_+/=~.%-"}, " ")
_PIECES = _table({"a": string.ascii_letters, "0": string.digits}, " ")


class TextViews(NamedTuple):
    """A text, and what can be searched for much faster than it; all of one length, position by position."""

    text: str
    foreign: str
    """Its characters that are not ASCII, one behind the other; the only one of another length."""
    plain: bytes
    """ASCII; `?` for any other letter."""
    low: bytes
    forms: bytes
    """`0` for digits, `A` and `a` for letters, `-` for what stands between digits, `!` for symbols, else `.`."""
    runs: bytes
    """`a` for characters of tokens, paths and addresses, a space for others."""
    pieces: bytes
    """`a` for letters, `0` for digits, a space for others."""


def views_of(text: str) -> TextViews:
    foreign = ""
    if not text.isascii():
        foreign = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    plain = text.encode("ascii", "replace")
    return TextViews(
        text, foreign, plain, plain.lower(), plain.translate(_FORMS), plain.translate(_RUNS), plain.translate(_PIECES)
    )


def places(text: AnyStr, needle: AnyStr) -> Iterator[int]:
    """Tell where `needle` stands in the text."""
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))
