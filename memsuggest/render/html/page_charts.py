"""The page's charts as SVG, made by hand: bars and columns, which need no library. Pure.

They stretch to the width of the page (`preserveAspectRatio="none"`), so there is no text in them: days and numbers
stand beside them, and each has a name that says in words what it shows. Colours come from classes.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
