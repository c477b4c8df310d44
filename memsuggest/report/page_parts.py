"""Parts of the page: charts as SVG, rules over time, numbers, days and long texts. Pure.

Charts are made by hand: bars and columns, which need no library. They stretch to the width of the page
(`preserveAspectRatio="none"`), so there is no text in them: days and numbers stand beside them, and each has a name
that says in words what it shows. Colours come from classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from markupsafe import Markup

from memsuggest.core.render.safe_output import one_line
from memsuggest.held.held_report import HeldRule
from memsuggest.report.workspace_report import ChatShare, share_before, share_since

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


WIDTH = 600
_MONTH = 30.4 * 86_400_000
_WEEK = 7 * 86_400_000
FEWEST = 12
"""Columns from which a chart counts by months."""


def stacked(parts: Sequence[tuple[str, int]], *, label: str, most: int | None = None, css: str = "stack") -> Markup:
    """Draw one bar of several parts, each with its class; with `most`, it is as long as its share of that."""
    total = most or sum(size for _, size in parts) or 1
    rects, at = [], 0.0
    for name, size in parts:
        width = size / total * WIDTH
        if size:
            rects.append(
                Markup('<rect class="{}" x="{}" y="0" width="{}" height="10"/>').format(name, _n(at), _n(width))
            )
        at += width
    return _svg(Markup("").join(rects), height=10, label=label, css=css)


def columns(
    values: Sequence[tuple[int, int]], *, label: str, css: str = "columns", line: float | None = None
) -> Markup:
    """Draw a column for each pair of a whole and a part of it, which stands at its foot; `line` is at a share of all.

    All wholes are one path, and so are all parts: a page has hundreds of these.
    """
    highest = max((whole for whole, _ in values), default=0) or 1
    step = WIDTH / max(len(values), 1)
    gap = min(3.0, step * 0.2)
    wholes, parts = [], []
    for place, (whole, part) in enumerate(values):
        left, width = place * step + gap / 2, step - gap
        if whole - part:
            wholes.append(_column(left, width, bottom=40 - part / highest * 40, height=(whole - part) / highest * 40))
        if part:
            parts.append(_column(left, width, bottom=40, height=part / highest * 40))
    drawn = Markup('<path class="whole" d="{}"/>').format("".join(wholes)) if wholes else Markup("")
    drawn += Markup('<path class="part" d="{}"/>').format("".join(parts)) if parts else Markup("")
    if line is not None:
        drawn += Markup('<path class="line" d="M{} 0v40"/>').format(_n(line * WIDTH))
    return _svg(drawn, height=40, label=label, css=css)


def _column(left: float, width: float, *, bottom: float, height: float) -> str:
    return f"M{_n(left)} {_n(bottom)}v-{_n(height)}h{_n(width)}v{_n(height)}z"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _svg(drawn: Markup, *, height: int, label: str, css: str) -> Markup:
    return Markup(
        '<svg class="{}" role="img" aria-label="{}" viewBox="0 0 {} {}" preserveAspectRatio="none">{}</svg>'
    ).format(css, label, WIDTH, height, drawn)


def steps(first: int, last: int) -> int:
    """Return how many columns a time is cut into: weeks, or months where there would be too many of those."""
    span = max(last - first, 1)
    weeks = span / _WEEK
    return max(1, round(weeks if weeks <= 2 * FEWEST else span / _MONTH))


def over_time(times: Iterable[int], *, first: int, last: int, count: int) -> list[int]:
    """Return how many of these times lie in each of `count` equal parts of a stretch."""
    width = max(last - first, 1) / count
    found = Counter(min(count - 1, max(0, int((at - first) / width))) for at in times)
    return [found[place] for place in range(count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """A rule with what the page counts of it."""

    rule: HeldRule
    before: ChatShare
    since: ChatShare


def rule_view(rule: HeldRule) -> RuleView:
    """Count what the page says of a rule."""
    return RuleView(rule=rule, before=share_before(rule), since=share_since(rule))


def told(share: ChatShare) -> str:
    """Say a share of chats: `3 of 12 chats`."""
    return f"{share.said:,} of {counted(share.of, 'chat')}"


def rule_chart(view: RuleView, *, first: int | None, made_at: int) -> Markup | None:
    """Draw the chats in which a rule mattered, and those in which it was said; None where there are no days.

    All rules have the same days, so that one can be held beside another.
    """
    rule = view.rule
    if first is None or not (view.before.of or view.since.of):
        return None
    last = max(made_at, rule.since)
    began = {one.session_id: one.at for one in (*rule.exposed_before, *rule.exposed) if one.at}
    for one in (*rule.said_before, *rule.said_again):
        if one.at:
            began.setdefault(one.session_id, round(one.at.timestamp() * 1000))
    speaking = {one.session_id for one in (*rule.said_before, *rule.said_again)}
    count = steps(first, last)
    wholes = over_time(began.values(), first=first, last=last, count=count)
    parts = over_time((at for name, at in began.items() if name in speaking), first=first, last=last, count=count)
    share = (rule.since - first) / max(last - first, 1)
    return columns(
        list(zip(wholes, parts, strict=True)),
        label=f"Said in {told(view.before)} before {day(rule.since)}, and in {told(view.since)} since",
        css="strip",
        line=share if 0 <= share <= 1 else None,
    )
