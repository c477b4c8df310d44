"""`move`: another place for a suggestion, as it is named on the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.suggestions.decision_reports import PlaceChoice, Places
from memsuggest.suggestions.maybes import find_planned
from memsuggest.suggestions.move import other_places, typed_place, what_is_new
from memsuggest.suggestions.review import below_root
from memsuggest.suggestions.suggesting import replanned
from memsuggest.suggestions.target_paths import HOME
from memsuggest.suggestions.writing import settle


def find_movable(context: Context, prefix: str) -> MemorySuggestion:
    """Return what is to be moved, as it would be written now; raises MemsuggestError for what has one place only."""
    if not context.is_dry:
        with context.exclusive():
            settle(context)
    found = find_planned(context, prefix)
    if found.executable:
        raise MemsuggestError("a hook cannot be moved", hint=f"run `memsuggest show {prefix}` to see it")
    if found.fact is None:
        raise MemsuggestError(
            "this suggestion changes a line of its own file and cannot be moved",
            hint=f"run `memsuggest show {prefix}` to see it",
        )
    return replanned(context, found).suggestion


def best_places(context: Context, suggestion: MemorySuggestion) -> Places:
    """Return where else a suggestion could go, best first."""
    return Places(suggestion=suggestion, places=tuple(other_places(suggestion, context.workspace_index)))


def named_place(context: Context, suggestion: MemorySuggestion, *, file: str, heading: str) -> PlaceChoice:
    """Return the place that was named: a file, a heading, or both; raises MemsuggestError for what is no place.

    A file is named as from the root or from the current folder, by its whole path, or by how its name ends.
    """
    known = list(context.workspace_index.by_uri)
    name, sign, title = file.partition("#")
    text = f"{_as_uri(context, name, known)}{sign}{title}" + (f"#{heading}" if heading else "")
    return typed_place(text, here=suggestion.edit.path, known=known)


def _as_uri(context: Context, name: str, known: Iterable[str]) -> str:
    """Return a file's name as targets have it; one that a shell made of `~/…` begins so again."""
    if not name or name in known or name.startswith(HOME):
        return name
    path, home = Path(name), context.folders.home
    if not path.is_absolute():
        return below_root(context, path) if os.path.lexists(path) else name
    if path.is_relative_to(home) and not path.is_relative_to(context.root):
        return HOME + path.relative_to(home).as_posix()
    return below_root(context, path)


def require_place(context: Context, suggestion: MemorySuggestion, place: PlaceChoice) -> None:
    """Raise MemsuggestError where a place is not there yet, and is not to be made, with how it is."""
    missing = not place.makes and what_is_new(context, suggestion, place)
    if missing:
        raise MemsuggestError(f"not moved: {missing}", hint="add `--make` to create it")
