"""What stands between two lines that are plainly marks: triple quotes, `[page]` and `[/page]`, banners. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.transcripts.pastes.lines_and_voices import Stretch, VoicedLine

_TRIPLE = re.compile(r"\A[ \t]*(?:\"\"\"|''')[ \t]*\Z")
_BRACKET = re.compile(r"\A[ \t]*\[(/?)([A-Za-z][\w -]{0,40})\][ \t]*\Z")
_BANNER = re.compile(
    r"\A[ \t]*(?:[-=*_#~]{3,}[ \t]*[\w][\w \t.:/-]{0,60}[-=*_#~]{3,}|(?:BEGIN|END|START)\b[A-Z \t_-]{0,40})[ \t]*\Z"
)


def delimited(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find what stands between two lines that are plainly marks: triple quotes, `[page]` and `[/page]`, banners."""
    return [*_between(lines, _TRIPLE, len(text)), *_bracketed(lines), *_between(lines, _BANNER, 0)]


def _between(lines: Sequence[VoicedLine], mark: re.Pattern[str], open_end: int) -> list[Stretch]:
    """Pair marks; one that stays open goes on to `open_end`, if that is given."""
    marks = [line for line in lines if mark.match(line.text)]
    found = [(first.start, last.end) for first, last in zip(marks[::2], marks[1::2], strict=False)]
    return [*found, (marks[-1].start, open_end)] if open_end and len(marks) % 2 else found


def _bracketed(lines: Sequence[VoicedLine]) -> list[Stretch]:
    found: list[Stretch] = []
    opened: dict[str, int] = {}
    for line in lines:
        mark = _BRACKET.match(line.text) if "[" in line.text else None
        if mark and not mark[1]:
            opened.setdefault(mark[2].casefold(), line.start)
        elif mark and (start := opened.pop(mark[2].casefold(), None)) is not None:
            found.append((start, line.end))
    return found
