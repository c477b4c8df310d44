"""When a transcript began and when something was said last, by the times that stand near its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cases import cases

from memsuggest.transcripts.discovery.session_order import first_time, last_time

if TYPE_CHECKING:
    from pathlib import Path

NINE, TEN = 1772355600.0, 1772359200.0
CHANGED = TEN + 7200


@cases(
    ("text", "first", "last"),
    [
        pytest.param('{"t":"2026-03-01T09:00:00Z"}\n{"t":"2026-03-01T10:00:59Z"}\n', NINE, TEN, id="iso"),
        pytest.param('{"t":1772355600000}\n{"t":1772359200000}', NINE, TEN, id="milliseconds"),
        pytest.param("# aider chat started at 2026-03-01 09:00:00\n" + "x" * 20_000, NINE, NINE, id="far-from-the-end"),
        pytest.param("2026-03-01T09:00:00Z and in 2999-01-01T00:00:00Z", NINE, NINE, id="somebodys-words"),
        pytest.param("2026-02-32T09:00:00Z", None, CHANGED, id="no-day"),
        pytest.param("no time at all", None, CHANGED, id="none"),
        pytest.param("", None, CHANGED, id="empty"),
    ],
)
def test_times(text: str, first: float | None, last: float, tmp_path: Path) -> None:
    """The first and the last time count; those behind the file's own are no turn's."""
    path = tmp_path / "chat"
    path.write_text(text)

    assert first_time(path) == first
    assert last_time(path, size=len(text), changed_at=CHANGED) == last


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    """A file that is not there any more tells nothing."""
    assert first_time(tmp_path / "gone") is None
    assert last_time(tmp_path / "gone", size=1, changed_at=CHANGED) == CHANGED
