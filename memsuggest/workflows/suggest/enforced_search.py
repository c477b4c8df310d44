"""Lines of the repo's customization files that its formatters and linters enforce already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.lint.style_settings import Enforced, enforced_by, is_style_file
from memsuggest.errors import FileError
from memsuggest.files import read_exact
from memsuggest.suggestions.enforced_rules import has_style_rules, of_enforced, only_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.model import MemorySuggestion, Target
    from memsuggest.workflows.context import Context

_LARGEST = 1 << 20


def enforced_suggestions(context: Context, targets: Sequence[Target]) -> Iterator[MemorySuggestion]:
    """Suggest taking out lines that the configuration at the root enforces, where no folder has one of its own."""
    if not has_style_rules(targets):
        return
    tracked = context.targets.tracked_paths
    enforced = _settings(context, [path for path in tracked if is_style_file(path)])
    language = only_language(tracked)
    for target in targets:
        yield from of_enforced(target, enforced, language=language)


def _settings(context: Context, places: Sequence[str]) -> list[Enforced]:
    """Return what the files at the root say; of a matter for which a folder says something else, nothing."""
    found = enforced_by(_read(context, places))
    return [
        one
        for one in found
        if "/" not in one.path and not any(_is_other(one, other) for other in found if "/" in other.path)
    ]


def _is_other(one: Enforced, other: Enforced) -> bool:
    is_same_code = not one.language or not other.language or one.language == other.language
    return is_same_code and one.matter == other.matter and one.value != other.value


def _read(context: Context, places: Sequence[str]) -> Iterator[tuple[str, str]]:
    for place in places:
        path = context.root / place
        try:
            if not path.is_symlink():
                yield place, read_exact(path, limit=_LARGEST).text
        except FileError:
            continue
