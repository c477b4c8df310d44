"""Moments as people give them to `--since`: a date, a time, or an age. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from memsuggest.errors import ConfigError

_AGE = re.compile(r"(\d{1,5})\s*(h|hours?|d|days?|w|weeks?|m|months?|y|years?)?")
_HOURS = {"h": 1, "d": 24, "w": 168, "m": 730, "y": 8_760}


def moment(text: str | None, *, now: int) -> int | None:
    """Return a moment in milliseconds since the epoch; raises ConfigError.

    >>> moment("2d", now=200_000_000)
    27200000
    """
    if text is None:
        return None
    if age := _AGE.fullmatch(text.strip().lower()):
        return now - int(age[1]) * _HOURS[(age[2] or "d")[0]] * 3_600_000
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(f"`{text}` is no date and no age", hint="like 2026-10-31, 30d, 6w or 3m") from None
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
