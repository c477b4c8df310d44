"""Moments as people give them to `--since`: a date, a time, or an age. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

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


_DAYS = (
    ("monday", "montag", "lundi", "lunes"),
    ("tuesday", "dienstag", "mardi", "martes"),
    ("wednesday", "mittwoch", "mercredi", "miércoles"),
    ("thursday", "donnerstag", "jeudi", "jueves"),
    ("friday", "freitag", "vendredi", "viernes"),
    ("saturday", "samstag", "samedi", "sábado"),
    ("sunday", "sonntag", "dimanche", "domingo"),
)
_NAMED_DAY = re.compile(rf"\b({'|'.join(name for names in _DAYS for name in names)})\b", re.IGNORECASE)
_AGO = {"today": 0, "heute": 0, "yesterday": 1, "gestern": 1, "vorgestern": 2, "hier": 1, "ayer": 1}
_NAMED_AGO = re.compile(rf"\b({'|'.join(_AGO)})\b", re.IGNORECASE)
_WEEK = re.compile(
    r"\b(?:(?P<last>last|letzte|vergangene|previous)\s(?:week|woche)|(?:this|diese)\s(?:week|woche))\b", re.IGNORECASE
)


def days_named(text: str, *, now: int) -> tuple[int, int] | None:
    """Return the days of the past that a question names, in milliseconds since the epoch: from, and up to.

    A weekday is the last one before today, in the time of this machine; "on Mondays" is none.

    >>> begin, end = days_named("what did I do yesterday?", now=1_800_000_000_000)
    >>> (end - begin) // 3_600_000, days_named("what did I do?", now=0)
    (24, None)
    """
    today = datetime.fromtimestamp(now / 1000).replace(hour=0, minute=0, second=0, microsecond=0)  # noqa: DTZ006
    if found := _WEEK.search(text):
        first = today - timedelta(days=today.weekday() + (7 if found["last"] else 0))
        return _span(first, days=7)
    if found := _NAMED_AGO.search(text):
        return _span(today - timedelta(days=_AGO[found[1].lower()]), days=1)
    if found := _NAMED_DAY.search(text):
        number = next(at for at, names in enumerate(_DAYS) if found[1].lower() in names)
        return _span(today - timedelta(days=(today.weekday() - number - 1) % 7 + 1), days=1)
    return None


def _span(first: datetime, *, days: int) -> tuple[int, int]:
    return round(first.timestamp() * 1000), round((first + timedelta(days=days)).timestamp() * 1000)
