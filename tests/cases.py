"""One test over a table: every case is tried, and all that fail are told by name.

For checks that need nothing but their values; what prepares a repo, a server or a process for each case is better off
with `pytest.mark.parametrize`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

Test = Callable[..., None]


def cases(
    names: str | Sequence[str], table: Iterable[Any], *, ids: Callable[[Any], Any] | Sequence[str] | None = None
) -> Callable[[Test], Test]:
    """Try a test with every row of a table: the drop-in for `parametrize` that makes one test of them all.

    A row is a value, a tuple of values or a `pytest.param` with an id. Every row has a folder of its own, where the
    test asks for `tmp_path`. An `ExceptionGroup` holds what failed, each with its row in a note.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_row(given, len(arguments)) for given in table]
    if ids is not None:
        told = [ids(values[0]) for _, values in rows] if callable(ids) else ids
        rows = [(str(one), values) for one, (_, values) in zip(told, rows, strict=True)]

    def decorate(test: Test) -> Test:
        @wraps(test)
        def over_all(*bound: Any, **given: Any) -> None:
            if not rows:
                pytest.skip("the table has no rows here")
            failed = []
            for number, (name, values) in enumerate(rows):
                try:
                    test(*bound, **_apart(given, number), **dict(zip(arguments, values, strict=True)))
                except Exception as error:  # noqa: BLE001 - told with all others
                    error.add_note(f"in the case {name}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(rows)} cases of {test.__name__}", failed)

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in arguments]
        over_all.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return over_all

    return decorate


def _row(given: Any, width: int) -> tuple[str, tuple[Any, ...]]:
    """The name and the values of a row."""
    name = ""
    if hasattr(given, "marks") and hasattr(given, "values"):
        assert not given.marks, "a row of a table has no marks"
        name, given = str(given.id or ""), given.values if width > 1 else given.values[0]
    values = tuple(given) if width > 1 else (given,)
    assert len(values) == width, f"{values!r} are not {width} values"
    return name or ", ".join(map(repr, values))[:200], values


def _apart(given: dict[str, Any], number: int) -> dict[str, Any]:
    """The fixtures, with a folder for this row alone."""
    folder = given.get("tmp_path")
    if not isinstance(folder, Path):
        return given
    own = folder / str(number)
    own.mkdir()
    return {**given, "tmp_path": own}
