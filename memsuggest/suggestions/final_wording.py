"""The words of a suggestion as they will stand in its file, so that its title and its diff say the same. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.model import MemorySuggestion

_SIGN = re.compile(
    r"""
    (?: [-*+] | \d{1,3}[.)] ) \s+   # the sign of an item
    (?: \[[ xX]\] \s+ )?            # a box to tick
    """,
    re.VERBOSE,
)


def as_written(suggestion: MemorySuggestion) -> str:
    """Return the one rule that a suggestion writes, without the sign of its item; else what was said.

    Steps, hooks and what takes a line out have no line that says it all.
    """
    if suggestion.fact is None or suggestion.executable:
        return suggestion.content
    rows = list(_body(suggestion.suggested_merge_content))
    items = [row for row in rows if _SIGN.match(row)]
    if not rows or len(items) > 1 or (items and items[0] is not rows[0]) or (not items and len(rows) > 1):
        return suggestion.content
    text = " ".join(_SIGN.sub("", row, count=1) if row is rows[0] else row for row in rows)
    return text if text[:1] not in {"<", "|", "{"} else suggestion.content


def _body(text: str) -> Iterator[str]:
    """Yield the rows of a text that are no head, no heading and not empty."""
    rows = [row.strip() for row in text.splitlines()]
    if rows[:1] == ["---"] and "---" in rows[1:]:
        rows = rows[rows.index("---", 1) + 1 :]
    yield from (row for row in rows if row and not row.startswith("#"))
