"""Times as people and programs read and write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from memsuggest.core.errors import ConfigError


def iso(milliseconds: int | None) -> str | None:
    """Return a time in ISO 8601 format in UTC."""
    if milliseconds is None:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


_STEPS = ((86_400, "day"), (3_600, "hour"), (60, "min"))


def ago(milliseconds: int | None, *, now: int) -> str:
    """Return how long ago a time was: `5 min ago`, `never`."""
    if milliseconds is None:
        return "never"
    seconds = max(0, now - milliseconds) // 1000
    for size, name in _STEPS:
        if seconds >= size:
            count = seconds // size
            plural = "s" if count > 1 and name != "min" else ""
            return f"{count} {name}{plural} ago"
    return "just now"


def iso_of(milliseconds: int) -> str:
    """Return a time that is known in ISO 8601 format in UTC."""
    return iso(milliseconds) or ""


def iso_of_seconds(seconds: float) -> str | None:
    """Return seconds since the epoch in ISO 8601 format in UTC."""
    return iso(int(seconds * 1000))


def iso_time(at: datetime | None) -> str | None:
    """Return a time in ISO 8601 format, with its own offset."""
    return at.isoformat() if at else None


def day(milliseconds: int) -> str:
    """Return the day of a time, in UTC: `2026-01-31`."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()


def moment(milliseconds: int) -> str:
    """Return a time to the minute, in UTC: `2026-01-31 09:30`."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


_AGE = re.compile(r"(\d{1,5})\s*(h|hours?|d|days?|w|weeks?|m|months?|y|years?)?")
_HOURS = {"h": 1, "d": 24, "w": 168, "m": 730, "y": 8_760}


def parse_moment(text: str | None, *, now: int) -> int | None:
    """Return the moment that `--since` names, a date, a time or an age, in milliseconds since the epoch.

    Raises ConfigError.

    >>> parse_moment("2d", now=200_000_000)
    27200000
    """
    if text is None:
        return None
    if age := _AGE.fullmatch(text.strip().lower()):
        return now - int(age[1]) * _HOURS[(age[2] or "d")[0]] * 3_600_000
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(
            f"`{text}` is not a date or an age", hint="use a format such as 2026-10-31, 30d or 3m"
        ) from None
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
