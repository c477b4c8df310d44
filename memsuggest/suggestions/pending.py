"""Suggestions that wait, as they were made last: reading them loads little, so that `list` answers at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memsuggest.core.errors import LEAST, UnknownId, beginning, only_one
from memsuggest.core.identity import former_suggestion_id
from memsuggest.facts.stores import all_facts, known_facts
from memsuggest.suggestions.pending_suggestions import load_held, load_maintenance, load_pending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.core.context import Context
    from memsuggest.core.model import MemoryFact, MemorySuggestion


_LIST = "`memsuggest list`"


def load(context: Context, facts: Sequence[MemoryFact] | None = None) -> list[MemorySuggestion]:
    """Return the pending suggestions as they were made last, best first; `facts` are all there are, if at hand."""
    by_id = {fact.id: fact for fact in (all_facts(context) if facts is None else facts)}
    return load_pending(context.state, context.place.worktree_key, facts=by_id)


def load_all(context: Context) -> list[MemorySuggestion]:
    """Return the pending suggestions, and after them what files need by themselves."""
    return [*load(context), *pending_maintenance(context)]


def pending_maintenance(context: Context) -> list[MemorySuggestion]:
    """Return what was found last, gravest first."""
    return load_maintenance(context.state, context.place.worktree_key)


def held_maintenance(context: Context) -> dict[str, int]:
    return load_held(context.state, context.place.worktree_key)


def find_pending(context: Context, prefix: str) -> MemorySuggestion:
    """Return the pending suggestion with this id prefix; raises UnknownId for none and for several."""
    found = pending_with(context, prefix)
    if found is None:
        from memsuggest.suggestions.decided_before import find_settled

        is_file = os.path.lexists(prefix)
        hint = (
            f"run `memsuggest show {prefix}` to list its pending suggestions"
            if is_file
            else f"run {_LIST} to see pending suggestions"
        )
        if known := find_settled(context, prefix):
            raise known.error(prefix)
        raise UnknownId(f"no pending suggestion with ID `{prefix}`", hint=hint)
    return found


def pending_with(context: Context, prefix: str) -> MemorySuggestion | None:
    """Return the pending suggestion with this id prefix, if there is one; raises UnknownId for several."""
    pending = load_all(context)
    wanted = beginning(prefix, known_facts(context) if len(prefix.strip()) < LEAST else (), shown_by=_LIST)
    found = [suggestion for suggestion in pending if suggestion.id.startswith(wanted)]
    found = found or [suggestion for suggestion in pending if _former_id(suggestion).startswith(wanted)]
    return only_one(found, prefix, called="suggestions")


def _former_id(one: MemorySuggestion) -> str:
    return former_suggestion_id(one.about, one.edit.path)
