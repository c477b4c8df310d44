"""The order in which transcripts are read, by their first and last times, and how far back they are read. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from memsuggest.core.model import Trust
from memsuggest.transcripts.discovery import FoundTranscript


def in_order(found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Sort as things were said, so that what was changed later is learned later.

    The most trusted copies of a session come first, and of those assistants' own before copies made by others.
    """
    from memsuggest.transcripts.formats.table import READERS

    trusts, formats = list(Trust), list(READERS)

    def key(found: FoundTranscript) -> tuple[int, float, int, str]:
        time = first_time(found.path)
        started = found.mtime_ns / 1e9 if time is None else time
        place = formats.index(found.format) if found.format in formats else len(formats)
        return trusts.index(found.trust), started // 60, place, found.place

    return sorted(found, key=key)


def last_turn_at(one: FoundTranscript) -> float:
    """Return when something was said last, in seconds since the epoch, as far as the file tells."""
    return last_time(one.path, size=one.size, changed_at=one.mtime_ns / 1e9)


MANY = 20
"""Chats from which on the newest are read first; fewer are read in a moment, in the order in which they were had."""
WINDOWS = (3, 14, 45)  # days: the chats of the last few come first, then those before them, and so on
_DAY = 86_400 * 10**9
_KNOWN = 30 * 365 * _DAY
"""A time before the year 2000 is none: sessions in exports may have no time, and count as new."""


def recent(found: Iterable[FoundTranscript], *, days: int | None, now: int) -> list[FoundTranscript]:
    """Return the chats of the last days (None: all), and those that were named; `now` is in milliseconds."""
    if days is None:
        return list(found)
    start = now * 10**6 - days * _DAY
    return [transcript for transcript in found if transcript.is_named or not _KNOWN <= transcript.mtime_ns < start]


def newest_first(found: Sequence[FoundTranscript], *, now: int) -> list[FoundTranscript]:
    """Return many chats with the newest first; what belongs to one span of time stays as it was said."""
    if len(found) <= MANY:
        return in_order(found)
    ordered: list[FoundTranscript] = []
    left = list(found)
    for days in WINDOWS:
        start = now * 10**6 - days * _DAY
        ordered += in_order(one for one in left if one.mtime_ns >= start)
        left = [one for one in left if one.mtime_ns < start]
    return [*ordered, *in_order(left)]


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
