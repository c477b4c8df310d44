"""A test over a table: all rows are tried, and what fails says which row it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cases import cases


def failures(test: Any, **fixtures: object) -> list[str]:
    """The notes of the rows that failed."""
    with pytest.raises(ExceptionGroup) as failed:
        test(**fixtures)
    return [note for exception in failed.value.exceptions for note in exception.__notes__]


def test_every_row_that_fails_is_named() -> None:
    """By its id, or by its values; the rows behind it are tried all the same."""
    tried = []

    @cases(("a", "b"), [(1, 1), (1, 2), pytest.param(2, 1, id="the other way round"), (3, 3)])
    def is_equal(a: int, b: int) -> None:
        tried.append((a, b))
        assert a == b

    assert failures(is_equal) == ["in the case 1, 2", "in the case the other way round"]
    assert len(tried) == 4


def test_a_table_of_single_values() -> None:
    """A row need not be a tuple, may be one, and may get its name from a function."""
    seen: list[object] = []

    @cases("value", [(1, 2), "ab"], ids=str)
    def takes(value: object) -> None:
        seen.append(value)
        assert value != "ab"

    assert failures(takes) == ["in the case ab"]
    assert seen == [(1, 2), "ab"]


@cases("text", ["a", "b"])
@cases("other", ["c", "d"])
def test_every_pair_of_rows_has_a_folder_of_its_own(tmp_path: Path, text: str, other: str) -> None:
    """Tables multiply, and what one row leaves no other finds."""
    assert list(tmp_path.iterdir()) == []
    (tmp_path / (text + other)).touch()


def test_a_table_that_is_empty_here_is_skipped() -> None:
    """As where the cases are not there."""

    @cases("text", [])
    def never(text: str) -> None:
        raise AssertionError(text)

    with pytest.raises(pytest.skip.Exception):
        never()


def test_a_row_is_not_marked() -> None:
    """A mark would say nothing: the table is one test."""
    with pytest.raises(AssertionError, match="no marks"):
        cases("text", [pytest.param("a", marks=pytest.mark.slow)])
