"""Reading what programs print and keep: of any shape, so that nothing is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_LIMIT = 32 * 1024 * 1024


def mapping_of(value: object) -> dict[str, Any]:
    """Return a mapping, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def json_lines(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects among printed lines; a hook or an update may print lines of its own between them."""
    for line in text.splitlines():
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def count_in(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9
    return value if is_count else 0  # type: ignore[return-value]


def json_file(path: Path) -> dict[str, Any]:
    """Return the mapping in a JSON file of another program; an empty one where there is none."""
    try:
        if path.stat().st_size > _LIMIT:
            return {}
        return mapping_of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return {}
