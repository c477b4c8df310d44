"""Which stretches of a typed text are not the person's own words: code, logs, quotations, pasted documents.

Pure. Errs towards `quoted`: what is quoted can never become a fact on its own.
"""

from __future__ import annotations

import re
from typing import NamedTuple

PASTE_LINES = 40  # nobody types that many lines; what follows the first paragraph was pasted


class _Line(NamedTuple):
    start: int
    end: int
    """Behind the newline."""
    text: str


_FENCE = re.compile(r"^[ \t]*(?:[-*+>] )?(`{3,}|~{3,})([^`\n]*)$")


def quoted_stretches(text: str) -> tuple[tuple[int, int], ...]:
    """Return the `[start, end)` stretches of a text that are quoted or pasted, ascending and disjoint.

    >>> quoted_stretches("why?\\n> use tabs\\nno, spaces")
    ((5, 16),)
    """
    lines = _lines(text)
    found = [stretch for rule in _RULES for stretch in rule(lines, text)]
    return _united(found)


def _lines(text: str) -> list[_Line]:
    lines, start = [], 0
    for part in text.split("\n"):
        end = min(start + len(part) + 1, len(text))
        lines.append(_Line(start, end, part))
        start = end
    return lines


def _fences(lines: list[_Line], _text: str) -> list[tuple[int, int]]:
    """Fenced code; an open fence goes on to the end."""
    found, start, mark = [], -1, ""
    for line in lines:
        fence = _FENCE.match(line.text)
        if start < 0 and fence:
            start, mark = line.start, fence[1]
        elif start >= 0 and fence and fence[1].startswith(mark) and not fence[2].strip():
            found.append((start, line.end))
            start = -1
    return [*found, (start, lines[-1].end)] if start >= 0 else found


def _block_quotes(lines: list[_Line], _text: str) -> list[tuple[int, int]]:
    return [(line.start, line.end) for line in lines if line.text.lstrip().startswith(">")]


_RULES = (_fences, _block_quotes)


def _united(found: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    united: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        elif end > start:
            united.append((start, end))
    return tuple(united)
