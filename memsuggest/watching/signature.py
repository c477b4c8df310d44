"""Signatures of files by what the file system says of them: did they change? Nothing is opened."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Signature = tuple[tuple[int, int, int] | None, ...]
"""Of each file its time, size and number; None for one that is not there."""


def signature_of(paths: Iterable[str]) -> Signature:
    """Return how files are now."""
    return tuple(map(_of, paths))


def _of(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116  (hundreds of files at a time)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
