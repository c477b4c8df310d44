"""Days as people name them in a question: dates, weekdays, “three weeks ago”. Pure.

A library was tried: `dateparser` gives a moment where "last month" is a span, knows no "vorletzte Woche", takes "may
we" for a month, and costs more processor time than the whole hook may.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import datetime, timedelta
from functools import cache
from math import exp
from typing import NamedTuple

_DAY = 86_400_000


class Span(NamedTuple):
    """Some days: from a moment up to another one, in milliseconds since the epoch."""

    begin: int
    end: int

    def nearness(self, at: int) -> float:
        """Return 1 for a moment of these days, and less the further one is from them; what was done is told later."""
        if self.begin <= at < self.end:
            return 1.0
        away = (self.begin - at) * 3 if at < self.begin else at - self.end
        return exp(-away / max(3 * _DAY, (self.end - self.begin) / 2))


_MONTHS = (
    "jan(?:uary?|uar|vier)?|enero", "feb(?:ruary?|ruar)?|février|febrero", "mar(?:ch)?|märz?|mars|marzo",
    "apr(?:il)?|avril|abril", "may|mai|mayo", "june?|juni|juin|junio", "july?|juli|juillet|julio",
    "aug(?:ust)?|août|agosto", "sept?(?:ember)?|septembre|septiembre", "o[ck]t(?:ober|obre|ubre)?",
    "nov(?:ember|embre|iembre)?", "de[cz](?:ember)?|décembre|diciembre",
)  # fmt: skip
_WEEKDAYS = (
    "monday|montag|lundi|lunes", "tuesday|dienstag|mardi|martes", "wednesday|mittwoch|mercredi|miércoles",
    "thursday|donnerstag|jeudi|jueves", "friday|freitag|vendredi|viernes", "saturday|samstag|sonnabend|samedi|sábado",
    "sunday|sonntag|dimanche|domingo",
)  # fmt: skip
_UNITS = {
    "day": "days?|tag(?:en?)?|jours?|días?",
    "week": "weeks?|wochen?|semaines?|semanas?",
    "month": "months?|monat(?:s|en?)?|mois|mes(?:es)?",
    "year": "years?|jahr(?:e[ns]?)?|ans?|années?|años?",
}
_COUNTS = (
    "zero|null", "an?|one|eine[mnrs]?|une?|una", "two|zwei|deux|dos|couple of", "three|drei|trois|tres",
    "four|vier|quatre|cuatro", "five|fünf|cinq|cinco", "six|sechs|seis", "seven|sieben|sept|siete",
    "eight|acht|huit|ocho", "nine|neun|neuf|nueve", "ten|zehn|dix|diez",
)  # fmt: skip
_MONTH, _UNIT = "|".join(_MONTHS), "|".join(_UNITS.values())
_COUNT = rf"\d{{1,3}}|{'|'.join(_COUNTS)}"
_LAST = r"last|past|previous|letzte[mnrs]?|vergangene[mnrs]?|vorige[mnrs]?"
_BEFORE_LAST = r"vorletzte[mnrs]?|vorvorige[mnrs]?"
_COUNTED = r"[ ](?:try|attempt|run|time|line|page|row|item|call|request|commit|of|Versuch|Punkt|Tag|Mal|Zeile|Seite)\b"
"""What makes an ordinal count something else than days."""
_NAMED = rf"""
    \b(?:
        (?P<iso>(?:19|20)\d\d-\d\d-\d\d)
      | (?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?[ ](?:of[ ]|de[ ])?(?P<month>{_MONTH})\b\.?
        (?:,?[ ](?:de[ ])?(?P<year>(?:19|20)\d\d))?
      | (?P<month2>{_MONTH})\b\.?[ ](?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?[ ](?P<year2>(?:19|20)\d\d))?
      | (?:on|since)[ ]the[ ](?P<day7>\d{{1,2}})(?:st|nd|rd|th)(?!{_COUNTED})
      | (?:am|seit[ ]dem)[ ](?P<day8>\d{{1,2}})\.(?!\d|[ ](?:{_MONTH})\b|{_COUNTED})
      | (?P<day3>\d{{1,2}})\.(?P<number3>\d{{1,2}})\.(?P<year3>(?:19|20)\d\d|(?!\d))
      | (?P<month4>{_MONTH})\b,?[ ](?:of[ ]|de[ ])?(?P<year4>(?:19|20)\d\d)
      | (?:in|im|since|during|en|seit|last|letzten|of)[ ](?P<month5>{_MONTH})(?:,?[ ](?P<year5>(?:19|20)\d\d))?
      | (?:in|im[ ]jahr|im[ ]jahre|during|since|en|seit|of)[ ](?P<year6>(?:19|20)\d\d)
      | (?P<today>today|heute|aujourd'hui|hoy)
      | (?P<yesterday>yesterday|gestern|ayer|last[ ]night)
      | (?P<before>day[ ]before[ ]yesterday|vorgestern|avant-hier|anteayer)
      | (?P<count>{_COUNT})[ ](?P<unit>{_UNIT})[ ](?:ago|earlier)
      | (?:vor|il[ ]y[ ]a|hace)[ ](?P<count2>{_COUNT})[ ](?P<unit2>{_UNIT})
      | (?:the[ ])?(?P<unit3>{_UNIT})[ ]before[ ]last | (?:{_BEFORE_LAST})[ ](?P<unit4>{_UNIT})
      | (?:{_LAST})[ ](?P<unit5>{_UNIT}) | (?P<unit6>semaine|mois|année|semana|mes|año)[ ](?:derni[eè]re?|pasad[oa])
      | (?:this|diese[mnrs]?|cette|ce|est[ae])[ ](?P<unit7>{_UNIT})
      | (?:(?P<on>{_LAST}|on|am|le|el)[ ])?(?P<weekday>{"|".join(_WEEKDAYS)})
    )(?!\w)
    """


@cache
def _named() -> re.Pattern[str]:
    return re.compile(_NAMED, re.IGNORECASE | re.VERBOSE)


_LIKELY = re.compile(
    r"""
      \d | day | week | month | year | night | tag | woch | monat | jahr | gestern | heute | mittwoch | sonnabend
    | jan | feb | m[aä]r | apr | ma[iy] | jun | jul | aug | sep | o[ck]t | nov | de[cz] | avr | ao[uû] | ene | abr | ago
    | dic | ayer | hier | hoy | mois | ann | an\b | mes | año | jour | día | sema | di\b | lun | mié | jue | vie | sáb
    | dom
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What a text without any date hardly has."""


def days_named(text: str, *, now: int) -> Span | None:
    """Return the days of the past that a question names; None for none.

    A weekday is the last one before today, in the time of this machine; a date without a year is the last such one.
    """
    found = _named().search(text) if _LIKELY.search(text) else None
    if found is None:
        return None
    given = {name.rstrip("0123456789"): value.lower() for name, value in found.groupdict().items() if value}
    unit_from = next((name for name in ("unit3", "unit4", "unit5", "unit6", "unit7") if found[name]), "")
    today = datetime.fromtimestamp(now / 1000).replace(hour=0, minute=0, second=0, microsecond=0)  # noqa: DTZ006
    try:
        return _span_of(given, unit_from, today)
    except (ValueError, OverflowError):  # the 31st of April
        return None


def _span_of(given: dict[str, str], unit_from: str, today: datetime) -> Span | None:
    if "iso" in given:
        return _days(datetime.fromisoformat(given["iso"]))
    if given.keys() == {"day"}:
        number, first = int(given["day"]), today.replace(day=1)
        while first + timedelta(days=number - 1) > today or monthrange(first.year, first.month)[1] < number:
            first = (first - timedelta(days=1)).replace(day=1)
        return _days(first.replace(day=number))
    if "day" in given or "month" in given:  # without a year, the last one that was
        month = int(given["number"]) if "number" in given else _place(given["month"], _MONTHS) + 1
        first = datetime(int(given.get("year", today.year)), month, int(given.get("day", "1")))  # noqa: DTZ001
        if "year" not in given and first > today:
            first = first.replace(year=first.year - 1)
        return _days(first, 1 if "day" in given else monthrange(first.year, first.month)[1])
    if "year" in given:
        return _days(datetime(int(given["year"]), 1, 1), 365)  # noqa: DTZ001
    for ago, name in enumerate(("today", "yesterday", "before")):
        if name in given:
            return _days(today - timedelta(days=ago))
    if "weekday" in given:
        number = _place(given["weekday"], _WEEKDAYS)
        return _days(today - timedelta(days=(today.weekday() - number - 1) % 7 + 1))
    unit = tuple(_UNITS)[_place(given["unit"], tuple(_UNITS.values()))]
    if "count" in given:
        many = int(given["count"]) if given["count"].isdecimal() else _place(given["count"], _COUNTS)
        length, slack = {"day": (1, 0), "week": (7, 3), "month": (30, 10), "year": (365, 60)}[unit]
        return _days(today - timedelta(days=length * many + slack), 1 + 2 * slack)
    back = {"unit3": 2, "unit4": 2, "unit5": 1, "unit6": 1, "unit7": 0}[unit_from]
    return _whole(unit, back, today)


def _whole(unit: str, back: int, today: datetime) -> Span:
    """Return this week, month or year, or one so many before."""
    if unit == "day":
        return _days(today - timedelta(days=back))
    if unit == "week":
        return _days(today - timedelta(days=today.weekday() + 7 * back), 7)
    if unit == "year":
        return _days(datetime(today.year - back, 1, 1), 366)  # noqa: DTZ001
    months = today.year * 12 + today.month - 1 - back
    first = datetime(months // 12, months % 12 + 1, 1)  # noqa: DTZ001
    return _days(first, monthrange(first.year, first.month)[1])


def _place(word: str, rows: tuple[str, ...]) -> int:
    return next(at for at, row in enumerate(rows) if re.fullmatch(row, word, re.IGNORECASE))


def _days(first: datetime, count: int = 1) -> Span:
    return Span(round(first.timestamp() * 1000), round((first + timedelta(days=count)).timestamp() * 1000))
