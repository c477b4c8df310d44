"""A suggestion's place in a line that a person reads: the file, the heading, what is new about them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import MemorySuggestion


def where(suggestion: MemorySuggestion) -> str:
    """Return the file and the heading, and whether they are new, or a line is replaced or taken out."""
    file = suggestion.target_uri or f"{suggestion.suggested_file_name} (new file)"
    place = f"{file} › {suggestion.heading}" if suggestion.heading else file
    if has_new_heading(suggestion):
        place += " (new heading)"
    if not suggestion.replaces:
        return place
    return f"{place} · replaces a line" if suggestion.suggested_merge_content else f"{place} · takes a line out"


def has_new_heading(suggestion: MemorySuggestion) -> bool:
    """Tell whether the file is there and the heading is not: it is written with the rule."""
    before, after = suggestion.edit.before, suggestion.edit.after
    if not suggestion.heading or before is None or after is None:
        return False
    return _times(after, suggestion.heading) > _times(before, suggestion.heading)


def _times(text: str, heading: str) -> int:
    """Return how often a text has a heading; what a program would take for one in a block of code counts, too."""
    rows = (row.strip() for row in text.splitlines() if row.lstrip().startswith("#"))
    return sum(row.strip("# ") == heading.strip("# ") for row in rows)
