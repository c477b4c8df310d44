"""Extensions of other installed packages: entry points in the group of a seam, as `memsuggest.plugins.formats`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any


@cache
def extensions(seam: str) -> tuple[Any, ...]:
    """Return what installed packages add to a seam: `formats`, `kinds`, `outputs`, `engines`, `notices`.

    One that cannot be loaded is a bug of its own, and its traceback says whose.
    """
    return tuple(
        found.load() for found in sorted(entry_points(group=f"memsuggest.plugins.{seam}"), key=lambda point: point.name)
    )
