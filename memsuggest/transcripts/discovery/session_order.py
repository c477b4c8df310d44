"""In which order transcripts are read: as they were begun; and when something was said in one last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.model import Trust
from memsuggest.transcripts.formats.table import READERS
from memsuggest.transcripts.parsing.times import first_time, last_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.transcripts.discovery import FoundTranscript


def in_order(found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Sort as things were said, so that what was changed later is learned later.

    The most trusted copies of a session come first, and of those assistants' own before copies made by others.
    """
    trusts, formats = list(Trust), list(READERS)
    return sorted(
        found,
        key=lambda one: (
            trusts.index(one.trust),
            _started_at(one) // 60,
            formats.index(one.format) if one.format in formats else len(formats),
            _natural(one.place),
        ),
    )


def _natural(name: str) -> list[tuple[int, str]]:
    """Order names as people do: `session_10` behind `session_2`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBERS.split(name)]


_NUMBERS = re.compile(r"(\d{1,18})")


def _started_at(one: FoundTranscript) -> float:
    time = first_time(one.path)
    return one.mtime_ns / 1e9 if time is None else time


def last_turn_at(one: FoundTranscript) -> float:
    """Return when something was said last, in seconds since the epoch, as far as the file tells."""
    return last_time(one.path, size=one.size, changed_at=one.mtime_ns / 1e9)
