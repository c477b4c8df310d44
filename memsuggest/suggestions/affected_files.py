"""Suggestions that concern a change: a commit's files, or a pull request's. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional, matching_pattern

if TYPE_CHECKING:
    from collections.abc import Collection

    from memsuggest.model import MemorySuggestion, Target


def why_meets(
    suggestion: MemorySuggestion, target: Target | None, changed: Collection[str], *, root: str
) -> str | None:
    """Say how a suggestion concerns changed files (paths as in the diff); None when it does not.

    It does when its own file changed, when its evidence is about a changed file or a folder of one, or when its file
    is loaded for a changed one but not for all.
    """
    if suggestion.edit.path in changed:
        return "its file is in this change"
    paths = suggestion.fact.cited_paths if suggestion.fact else ()
    cited = next((path for path in paths if _is_among(path, changed)), None)
    if cited:
        return f"it is about {cited}"
    applies_to = target.applies_to if target else None
    if applies_to and not is_unconditional(applies_to):
        loaded = next((path for path in changed if matching_pattern(applies_to, path, root=root)), None)
        return loaded and f"its file is loaded for {loaded}"
    return None


def _is_among(cited: str, changed: Collection[str]) -> bool:
    return cited in changed or (cited.endswith("/") and any(path.startswith(cited) for path in changed))
