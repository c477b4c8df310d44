"""The days that a question names."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from memsuggest.memory.moments import days_named

NOW = round(datetime(2026, 11, 24, 12).timestamp() * 1000)  # noqa: DTZ001  (a Tuesday, here)


@pytest.mark.parametrize(
    ("query", "begin", "end"),
    [
        ("what did we decide last month about caching?", "2026-10-01", "2026-11-01"),
        ("was haben wir vorletzte Woche gemacht", "2026-11-09", "2026-11-16"),
        ("was war am 10. November", "2026-11-10", "2026-11-11"),
        ("what broke on 2026-03-05?", "2026-03-05", "2026-03-06"),
        ("on 14 August, 2023", "2023-08-14", "2023-08-15"),
        ("what happened in June 2023", "2023-06-01", "2023-07-01"),
        ("vor 3 Tagen", "2026-11-21", "2026-11-22"),
        ("two weeks ago", "2026-11-07", "2026-11-14"),
        ("letzten Dienstag", "2026-11-17", "2026-11-18"),
        ("am 3.12.", "2025-12-03", "2025-12-04"),
        ("what did we choose on the 10th?", "2026-11-10", "2026-11-11"),
        ("was haben wir am 30. beschlossen", "2026-10-30", "2026-10-31"),
    ],
)
def test_days(query: str, begin: str, end: str) -> None:
    """Absolute and relative, in English and German; without a year, the last that was."""
    span = days_named(query, now=NOW)
    assert span is not None
    found = [date.fromtimestamp(at / 1000).isoformat() for at in span]  # noqa: DTZ012
    assert found == [begin, end]


@pytest.mark.parametrize(
    "query",
    [
        "What may we do?",
        "the second one",
        "keep 3 days of logs",
        "on 31 April",
        "add a test",
        "it failed on the 1st try",
    ],
)
def test_none(query: str) -> None:
    """A number, a modal verb or a day that never was is no date."""
    assert days_named(query, now=NOW) is None


def test_nearness() -> None:
    """What was done is often told a little later, seldom before."""
    span = days_named("on 2026-11-10", now=NOW)
    assert span is not None
    day = 86_400_000
    assert span.nearness(span.begin) == 1 > span.nearness(span.end + day) > span.nearness(span.begin - day)
