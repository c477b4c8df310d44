"""Times of a transcript: its beginning and the last that was said, by what stands near its ends.

Cheap on purpose: nothing is decoded, so a time may be somebody's words. Only sorting and lists rely on it.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_TIME = re.compile(rb"\b(20\d\d-\d\d-\d\d)[T _](\d\d)[:-](\d\d)|\b(1[5-9]\d{11})\b")
_HEAD = 16 * 1024  # bytes in which the first time stands, if any
_TAILS = (4 * 1024, 64 * 1024)  # bytes in which the last time stands, mostly and nearly always
_AHEAD = 60  # seconds by which a time may lie behind the file's own


def first_time(path: Path) -> float | None:
    """Return the first time that a file names, in seconds since the epoch; None without one."""
    try:
        with path.open("rb") as stream:
            found = _TIME.search(stream.read(_HEAD))
    except OSError:
        return None  # it was there a moment ago
    return _seconds(found) if found else None


def last_time(path: Path, *, size: int, changed_at: float) -> float:
    """Return the last time that a file names near its end, in seconds since the epoch; else when it was changed.

    Times that lie behind the file's own are somebody's words, not a turn's.
    """
    try:
        with path.open("rb") as stream:
            for tail in _TAILS:
                stream.seek(max(size - tail, 0))
                found = (_seconds(time) for time in _TIME.finditer(stream.read(tail)))
                told = max((time for time in found if time and time <= changed_at + _AHEAD), default=None)
                if told is not None:
                    return told
    except (OSError, ValueError):
        pass
    return changed_at


def _seconds(time: re.Match[bytes]) -> float | None:
    """Read a time that was found; None where it names a 32nd of May."""
    if time[4]:
        return int(time[4]) / 1000
    try:
        day, hour, minute = (part.decode() for part in time.groups()[:3])
        return datetime.fromisoformat(f"{day}T{hour}:{minute}:00+00:00").timestamp()
    except ValueError:
        return None
