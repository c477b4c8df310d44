"""Suggestions as they are listed: the order, the place in a line, the words, what goes together. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from memsuggest.core.model import MemorySuggestion, Target, TargetType
from memsuggest.customizations.applyto import is_unconditional, matching_pattern

_KINDS = tuple(TargetType)


def in_order(suggestions: Iterable[MemorySuggestion], *, seen: Collection[str]) -> list[MemorySuggestion]:
    """Return suggestions, given best first, in the order in which a person meets them; `seen` are ids shown before.

    What files need by themselves comes after what was said.
    """

    def rank(suggestion: MemorySuggestion) -> tuple[bool, bool, int]:
        is_said = suggestion.fact is not None
        return suggestion.id in seen, not is_said, _KINDS.index(suggestion.target_type) if is_said else 0

    return sorted(suggestions, key=rank)


def where(suggestion: MemorySuggestion) -> str:
    """Return the file and the heading, and whether they are new, or a line is replaced or taken out."""
    file = suggestion.target_uri or f"{suggestion.suggested_file_name} (new file)"
    place = f"{file} › {suggestion.heading}" if suggestion.heading else file
    if has_new_heading(suggestion):
        place += " (new heading)"
    if not suggestion.replaces:
        return place
    return f"{place} · replaces a line" if suggestion.suggested_merge_content else f"{place} · removes a line"


def has_new_heading(suggestion: MemorySuggestion) -> bool:
    """Tell whether the file is there and the heading is not: it is written with the rule."""
    before, after = suggestion.edit.before, suggestion.edit.after
    if not suggestion.heading or before is None or after is None:
        return False
    heading = suggestion.heading.strip("# ")
    times = [
        sum(row.strip().strip("# ") == heading for row in text.splitlines() if row.lstrip().startswith("#"))
        for text in (before, after)
    ]
    return times[1] > times[0]


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
    rows = [row.strip() for row in suggestion.suggested_merge_content.splitlines()]
    if rows[:1] == ["---"] and "---" in rows[1:]:
        rows = rows[rows.index("---", 1) + 1 :]
    rows = [row for row in rows if row and not row.startswith("#")]
    items = [row for row in rows if _SIGN.match(row)]
    if not rows or len(items) > 1 or (items and items[0] is not rows[0]) or (not items and len(rows) > 1):
        return suggestion.content
    text = " ".join(_SIGN.sub("", row, count=1) if row is rows[0] else row for row in rows)
    return text if text[:1] not in {"<", "|", "{"} else suggestion.content


def similar(suggestion: MemorySuggestion, others: Iterable[MemorySuggestion]) -> list[MemorySuggestion]:
    return [
        other
        for other in others
        if other.id != suggestion.id
        and other.edit.path == suggestion.edit.path
        and (other.fact is None) is (suggestion.fact is None)
        and (suggestion.heading is None or other.fact is None or other.heading == suggestion.heading)
    ]


def why_meets(
    suggestion: MemorySuggestion, target: Target | None, changed: Collection[str], *, root: str
) -> str | None:
    """Say how a suggestion concerns changed files (paths as in the diff); None when it does not.

    It does when its own file changed, when its evidence is about a changed file or a folder of one, or when its file
    is loaded for a changed one but not for all.
    """
    if suggestion.edit.path in changed:
        return "the suggestion's file is among the changed files"
    for cited in suggestion.fact.cited_paths if suggestion.fact else ():
        if cited in changed or (cited.endswith("/") and any(path.startswith(cited) for path in changed)):
            return f"the suggestion is about {cited}"
    applies_to = target.applies_to if target else None
    if applies_to and not is_unconditional(applies_to):
        loaded = next((path for path in changed if matching_pattern(applies_to, path, root=root)), None)
        return loaded and f"the file this suggestion changes is loaded for {loaded}"
    return None
