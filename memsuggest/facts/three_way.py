"""A three-way merge of texts, by git."""

from __future__ import annotations

import tempfile
from pathlib import Path

from memsuggest.core.git import run_git


def merged_texts(ours: str, *, base: str, other: str) -> str | None:
    """Return `ours` with what changed from `base` to `other`; None where they conflict, or without git."""
    with tempfile.TemporaryDirectory(prefix="memsuggest-") as folder:
        names = ("ours", "base", "other")
        for name, text in zip(names, (ours, base, other), strict=True):
            Path(folder, name).write_bytes(text.encode())
        result = run_git(Path(folder), "merge-file", "-p", *names)
    return result.decode() if result is not None else None
