"""Lines and paragraphs with their places, and whose voice they speak in: what the rules about quotations stand on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

Stretch = tuple[int, int]  # `[start, end)` in a text


class VoicedLine(NamedTuple):
    """One line and its place; `end` is behind the newline."""

    start: int
    end: int
    text: str


def lines_of(text: str) -> list[VoicedLine]:
    lines, start = [], 0
    for part in text.split("\n"):
        end = start + len(part) + 1
        lines.append(VoicedLine(start, end, part))
        start = end
    lines[-1] = lines[-1]._replace(end=len(text))
    return lines


def paragraphs(lines: Sequence[VoicedLine]) -> list[list[VoicedLine]]:
    """Group lines that no blank line, and no quoted stretch, separates."""
    found: list[list[VoicedLine]] = []
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


def united(found: Sequence[Stretch]) -> tuple[Stretch, ...]:
    joined: list[Stretch] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return tuple(joined)


def bridged(stretches: Sequence[Stretch], text: str) -> tuple[Stretch, ...]:
    joined: list[Stretch] = []
    for start, end in stretches:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def outside(stretches: Sequence[Stretch], others: Sequence[Stretch], text: str) -> tuple[Stretch, ...]:
    """Cut the `others` out of stretches; what is blank then goes. Both ascend and are disjoint."""
    kept: list[Stretch] = []
    at = 0
    for start, end in stretches:
        begin = start
        while at < len(others) and others[at][1] <= begin:
            at += 1
        place = at
        while place < len(others) and others[place][0] < end:
            kept.append((begin, others[place][0]))
            begin = max(begin, others[place][1])
            place += 1
        kept.append((begin, end))
    return tuple((start, end) for start, end in kept if text[start:end].strip())


def without(lines: Sequence[VoicedLine], stretches: Sequence[Stretch]) -> list[VoicedLine]:
    """Keep the lines that begin outside, and what goes on behind a stretch that ends within a line."""
    kept = []
    at = 0
    for line in lines:
        while at < len(stretches) and stretches[at][1] <= line.start:
            at += 1
        start, end = stretches[at] if at < len(stretches) else (line.end + 1, line.end + 1)
        if line.start < start:
            kept.append(line)
        elif line.start < end < line.end:
            kept.append(VoicedLine(end, line.end, line.text[end - line.start :]))
    return kept


_OWN_VOICE = re.compile(
    r"\b(?:I|I'm|I'd|I've|I'll|im|ive|i|[Ww]e|we're|we've|[Oo]ur|us|me|[Mm]y|[Yy]ou|[Yy]our|you're|let's|lets|[Pp]lease|pls|plz)\b"
    r"|\?\s*$"
)
"""Reviewers say `Let's` too, so only its casual spellings count."""


def is_own_voice(text: str) -> bool:
    return bool(_OWN_VOICE.search(text))
