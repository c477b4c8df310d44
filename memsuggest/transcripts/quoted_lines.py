"""Lines and paragraphs with their places, and whose voice they speak in: what the rules about quotations stand on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Stretch = tuple[int, int]
"""`[start, end)` in a text."""


class Line(NamedTuple):
    """One line and its place; `end` is behind the newline."""

    start: int
    end: int
    text: str


def lines_of(text: str) -> list[Line]:
    """Split a text at its newlines."""
    lines, start = [], 0
    for part in text.split("\n"):
        end = min(start + len(part) + 1, len(text))
        lines.append(Line(start, end, part))
        start = end
    return lines


def paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Group lines that no blank line, and no quoted stretch, separates."""
    found: list[list[Line]] = []
    is_new = True
    for line in lines:
        if not line.text.strip():
            is_new = True
        elif is_new or found[-1][-1].end != line.start:
            found.append([line])
            is_new = False
        else:
            found[-1].append(line)
    return found


_OWN_VOICE = re.compile(
    r"\b(?:I|I'm|I'd|I've|I'll|im|ive|i|[Ww]e|we're|we've|[Oo]ur|us|me|[Mm]y|[Yy]ou|[Yy]our|you're|let's|lets|[Pp]lease|pls|plz)\b"
    r"|\?\s*$"
)
"""Reviewers say `Let's` too, so only its casual spellings count."""


def is_own_voice(text: str) -> bool:
    """Tell whether a text speaks as one person to another."""
    return bool(_OWN_VOICE.search(text))
