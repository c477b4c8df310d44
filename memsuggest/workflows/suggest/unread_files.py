"""Suggestions for files that the assistant does not read that was told, so that a list can say so."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.errors import FileError, OutsideWorkspace
from memsuggest.suggestions.ranking.hosts import Host, unread_by
from memsuggest.workflows.decide.paths import current_text, path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memsuggest.model import MemorySuggestion
    from memsuggest.workflows.context import Context

_TAKING_IN: Mapping[Host, tuple[str, ...]] = {
    Host.CLAUDE: ("CLAUDE.md", ".claude/CLAUDE.md"),
    Host.GEMINI: ("GEMINI.md",),
}
"""Files of an assistant's own that may be a link to another file, or take it in with `@`."""


def unread(context: Context, suggestions: Iterable[MemorySuggestion]) -> dict[str, str]:
    """Return by the ids of suggestions the assistant that was told and does not read the file, where that is so."""
    found, taken = {}, {}
    for one in suggestions:
        host = unread_by(one.edit.path, one.fact) if one.fact else None
        if host is None:
            continue
        key = host, one.edit.path
        if key not in taken:
            taken[key] = is_taken_in(context, *key)
        if not taken[key]:
            found[one.id] = str(host)
    return found


def is_taken_in(context: Context, host: Host, uri: str) -> bool:
    """Tell whether an assistant's own file beside another is a link to it, or takes it in."""
    folder, _, name = uri.rpartition("/")
    for own in _TAKING_IN.get(host, ()):
        beside = f"{folder}/{own}" if folder else own
        with suppress(OutsideWorkspace, FileError, OSError):
            text = current_text(context, beside)
            if text is not None and (f"@{name}" in text or path_of(context, beside).samefile(path_of(context, uri))):
                return True
    return False
