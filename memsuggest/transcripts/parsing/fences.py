"""Fenced code in Markdown, line by line; pure."""

from __future__ import annotations

import re

_FENCE = re.compile(r"[ \t]{0,12}(?:[-*+>] )?(`{3,}|~{3,})([^`]*)$")


def fence_language(line: str) -> str | None:
    """Give what stands behind a fence's marks, empty for none; None for a line that is no fence."""
    fence = _FENCE.match(line)
    return fence[2].strip() if fence else None


class Fences:
    """Takes the lines of a text and tells of each whether it stands inside fenced code."""

    def __init__(self) -> None:
        self._mark = ""

    @property
    def is_open(self) -> bool:
        """Tell whether the next line stands inside."""
        return bool(self._mark)

    def take(self, line: str) -> bool:
        """Take the next line; the fences themselves count as inside."""
        fence = _FENCE.match(line)
        if not self._mark:
            self._mark = fence[1] if fence else ""
            return bool(fence)
        if fence and fence[1].startswith(self._mark) and not fence[2].strip():
            self._mark = ""
        return True
