"""The backlog of chats: how far back they are read, and which of many come first. Pure.

By the time at which a chat was last written to, which is known without opening it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.transcripts.discovery.session_order import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.transcripts.discovery import FoundTranscript

MANY = 20
"""Chats from which on the newest are read first; fewer are read in a moment, in the order in which they were had."""
WINDOWS = (3, 14, 45)
"""Days: the chats of the last few come first, then those before them, and so on."""
_DAY = 86_400 * 10**9
_KNOWN = 30 * 365 * _DAY
"""A time before the year 2000 is none: sessions in exports may have no time, and count as new."""


def recent(found: Iterable[FoundTranscript], *, days: int | None, now: int) -> list[FoundTranscript]:
    """Return the chats of the last days (None: all), and those that were named; `now` is in milliseconds."""
    if days is None:
        return list(found)
    start = now * 10**6 - days * _DAY
    return [one for one in found if one.is_named or not _KNOWN <= one.mtime_ns < start]


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
