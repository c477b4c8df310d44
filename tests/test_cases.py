"""A test over a table: all rows are tried, and what fails says which row it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases


def test_every_row_that_fails_is_named() -> None:
    """By its id, or by its values; the rows behind it are tried all the same."""
    tried = []

    @cases(("a", "b"), [(1, 1), (1, 2), pytest.param(2, 1, id="the other way round"), (3, 3)])
    def is_equal(a: int, b: int) -> None:
        tried.append((a, b))
        assert a == b

    with pytest.raises(ExceptionGroup) as failed:
        is_equal()
    notes = [note for error in failed.value.exceptions for note in error.__notes__]
    assert notes == ["in the case 1, 2", "in the case the other way round"]
    assert len(tried) == 4


@cases("text", ["a", "b"])
@cases("other", ["c", "d"])
def test_every_pair_of_rows_has_a_folder_of_its_own(tmp_path: Path, text: str, other: str) -> None:
    """Tables multiply, and what one row leaves no other finds."""
    assert list(tmp_path.iterdir()) == []
    (tmp_path / (text + other)).touch()
