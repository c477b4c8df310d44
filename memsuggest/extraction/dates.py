"""Dates: "until the end of the year" said in 2026 becomes "until the end of 2026", so that it stays true to read.

Pure: the day on which something was said is an argument. English, German, French, Spanish, Portuguese.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _day(offset: int) -> Callable[[date], str]:
    return lambda said: (said + timedelta(days=offset)).isoformat()


def _month(offset: int) -> Callable[[date], str]:
    def name(said: date) -> str:
        years, month = divmod(said.year * 12 + said.month - 1 + offset, 12)
        return f"{_MONTHS[month]} {years}"

    return name


def _month_number(offset: int) -> Callable[[date], str]:
    """Return a month as ISO 8601 has it, which is read in any language."""

    def number(said: date) -> str:
        years, month = divmod(said.year * 12 + said.month - 1 + offset, 12)
        return f"{years}-{month + 1:02}"

    return number


def _year(offset: int) -> Callable[[date], str]:
    return lambda said: str(said.year + offset)


def _weeks(called: str, next_one: str, last_one: str, this_one: str) -> tuple[tuple[str, Callable[[date], str]], ...]:
    """Return the words of a language for three weeks, each with what names that week by its Monday."""

    def week(offset: int) -> Callable[[date], str]:
        return lambda said: f"{called} {(said + timedelta(days=7 * offset - said.weekday())).isoformat()}"

    return ((next_one, week(1)), (last_one, week(-1)), (this_one, week(0)))


_WORDS: tuple[tuple[str, Callable[[date], str]], ...] = (
    (r"today|tonight|heute|aujourd'hui|hoy|hoje", _day(0)),
    (r"tomorrow|demain|mañana|amanhã", _day(1)),
    (r"yesterday|gestern|hier soir|ayer|ontem", _day(-1)),
    *_weeks("the week of", r"(?:the )?next week", r"(?:the )?last week", "this week"),
    *_weeks("die Woche vom", "nächste woche", "letzte woche", "diese woche"),
    *_weeks("la semaine du", "la semaine prochaine", "la semaine dernière", "cette semaine"),
    *_weeks("la semana del", "la próxima semana", "la semana pasada", "esta semana"),
    *_weeks("na semana de", "na próxima semana", "na semana passada", "nesta semana"),
    (r"(?:the )?next month", _month(1)),
    (r"(?:the )?last month", _month(-1)),
    (r"this month", _month(0)),
    (r"nächsten monat|le mois prochain|el próximo mes|no próximo mês", _month_number(1)),
    (r"letzten monat|le mois dernier|el mes pasado|no mês passado", _month_number(-1)),
    (r"diesen monat|ce mois(?:-ci)?|este mes|este mês", _month_number(0)),
    (r"(?:the )?next year|nächstes jahr|l'année prochaine|el próximo año|no próximo ano", _year(1)),
    (r"(?:the )?last year|letztes jahr|l'année dernière|el año pasado|no ano passado", _year(-1)),
    (r"this year|dieses jahr|cette année|este año|este ano", _year(0)),
)
_END_OF = re.compile(r"\b(end of )(?:the|this) (year|month)\b", re.IGNORECASE)
_WEEKDAY = re.compile(rf"\b(until|by|before|till|since) (?:next |this )?({'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_NEAR_WEEKDAY = re.compile(
    rf"(?<![\w'-])(?:(?:this|the) coming|coming|this|next) ({'|'.join(_WEEKDAYS)})(?![\w'-])", re.IGNORECASE
)
_MONTH_NAMES = "|".join(_MONTHS).lower()
_BARE_MONTH = re.compile(
    rf"\b(since|until|till|by|end of|as of|starting) ({_MONTH_NAMES})\b(?![\w'-]|,? \d|\.\w)", re.IGNORECASE
)
_COUNTED = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_AGO = re.compile(rf"(?<![\w'-])({'|'.join(_COUNTED)}|\d{{1,2}}) (day|week|month)s? ago(?![\w'-])", re.IGNORECASE)
_PATTERNS = [(re.compile(rf"(?<![\w'-])(?:{words})(?![\w'-])", re.IGNORECASE), when) for words, when in _WORDS]


def with_absolute_dates(text: str, said: datetime | None) -> tuple[str, tuple[str, ...]]:
    """Replace dates that only hold on the day they were said; return the text and the dates that it now names.

    >>> from datetime import datetime
    >>> with_absolute_dates("v1 stays until the end of the year", datetime(2026, 3, 2))[0]
    'v1 stays until the end of 2026'
    """
    if said is None:
        return text, ()
    day = said.date()
    named: list[str] = []

    def put(words: str) -> str:
        named.append(words)
        return words

    text = _END_OF.sub(
        lambda found: found[1] + put(_year(0)(day) if found[2].lower() == "year" else _month(0)(day)), text
    )
    text = _WEEKDAY.sub(
        lambda found: f"{found[1]} {put(_on_weekday(day, found[2], since=found[1].lower() == 'since'))}", text
    )
    text = _NEAR_WEEKDAY.sub(lambda found: put(_on_weekday(day, found[1], since=False)), text)
    text = _BARE_MONTH.sub(
        lambda found: f"{found[1]} {put(_of_year(day, found[2], since=found[1].lower() == 'since'))}", text
    )
    text = _AGO.sub(lambda found: put(_ago(day, found[1], found[2])), text)
    for pattern, when in _PATTERNS:
        text = pattern.sub(lambda _, when=when: put(when(day)), text)  # type: ignore[misc]
    return text, tuple(named)


def _on_weekday(said: date, name: str, *, since: bool) -> str:
    ahead = (_WEEKDAYS.index(name.lower()) - said.weekday()) % 7 or 7
    return (said + timedelta(days=ahead - 7 if since else ahead)).isoformat()


def _of_year(said: date, name: str, *, since: bool) -> str:
    """A month with its year: the last one of that name for "since", else the next one or this."""
    number = [month.lower() for month in _MONTHS].index(name.lower()) + 1
    year = said.year - (number > said.month) if since else said.year + (number < said.month)
    return f"{_MONTHS[number - 1]} {year}"


def _ago(said: date, number: str, unit: str) -> str:
    """The day that was so long ago, or the month where months are counted; "in two weeks" may mean any two weeks."""
    count = _COUNTED.get(number.lower()) or int(number)
    if unit.lower() == "month":
        return f"in {_month(-count)(said)}"
    return f"on {(said - timedelta(days=count * (7 if unit.lower() == 'week' else 1))).isoformat()}"
