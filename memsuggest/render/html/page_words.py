"""Numbers, days and long texts as a page says them. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from memsuggest.render.safe_output import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = TypeVar("Row")

LONGEST = 400
"""Characters of a text on the page."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def number(value: float) -> str:
    """Write a number with its thousands apart.

    >>> number(12345)
    '12,345'
    """
    return f"{value:,.0f}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun.

    >>> counted(1, "chat"), counted(2, "chat"), counted(2, "says", "say")
    ('1 chat', '2 chats', '2 say')
    """
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def day(milliseconds: int) -> str:
    """Write a day as people of all countries read it.

    >>> day(0)
    '1 Jan 1970'
    """
    at = _at(milliseconds)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def month(milliseconds: int) -> str:
    """Write a month.

    >>> month(0)
    'Jan 1970'
    """
    at = _at(milliseconds)
    return f"{_MONTHS[at.month - 1]} {at.year}"


def iso_day(milliseconds: int) -> str:
    """Write a day for programs."""
    return _at(milliseconds).date().isoformat()


def _at(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def short(text: str, limit: int = LONGEST) -> str:
    """Return a text on one line, cut where it is too long to be read."""
    return one_line(text[: 4 * limit], limit=limit)


def pages(
    rows: Sequence[Row], *, first: int, size: int, most: int
) -> tuple[Sequence[Row], list[tuple[str, Sequence[Row]]], int]:
    """Return the first rows, the others in pages with what each is called, and how many are on none.

    >>> pages(range(7), first=2, size=3, most=6)
    (range(0, 2), [('3 to 5', range(2, 5)), ('6 to 6', range(5, 6))], 1)
    """
    shown = rows[:most]
    starts = range(first, len(shown), size)
    parts = [(f"{number(at + 1)} to {number(min(at + size, len(shown)))}", shown[at : at + size]) for at in starts]
    return shown[:first], parts, len(rows) - len(shown)
