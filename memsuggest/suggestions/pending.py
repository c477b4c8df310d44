"""Pending suggestions as they were made last, and what became of others: read quickly, so that `list` is fast."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.errors import LEAST, UnknownId, beginning, only_one
from memsuggest.core.identity import former_suggestion_id
from memsuggest.core.model import MemoryFact, MemorySuggestion, SuggestionStatus
from memsuggest.facts.stores import all_decisions, all_facts, known_facts
from memsuggest.files.journal import APPLIED, CONSOLIDATED, DISMISSED, FORGOT, SILENCED
from memsuggest.suggestions.pending_suggestions import load_held, load_maintenance, load_pending
from memsuggest.suggestions.target_paths import HOST

_LIST = "`memsuggest list`"


def load(context: Context, facts: Sequence[MemoryFact] | None = None) -> list[MemorySuggestion]:
    """Return the pending suggestions as they were made last, best first; `facts` are all there are, if at hand."""
    by_id = {fact.id: fact for fact in (all_facts(context) if facts is None else facts)}
    return load_pending(context.state, context.place.worktree_key, facts=by_id)


def load_all(context: Context, facts: Sequence[MemoryFact] | None = None) -> list[MemorySuggestion]:
    """Return the pending suggestions, and after them what files need by themselves."""
    return [*load(context, facts), *pending_maintenance(context)]


def pending_maintenance(context: Context) -> list[MemorySuggestion]:
    """Return what was found last, gravest first."""
    return load_maintenance(context.state, context.place.worktree_key)


def held_maintenance(context: Context) -> dict[str, int]:
    return load_held(context.state, context.place.worktree_key)


def find_pending(context: Context, prefix: str) -> MemorySuggestion:
    if found := pending_with(context, prefix):
        return found
    if known := find_settled(context, prefix):
        raise UnknownId(f"`{prefix}` was already {known.what}: “{known.content}”{known.files}", hint=known.way_back)
    hint = f"run {_LIST} to see pending suggestions"
    if os.path.lexists(prefix):
        hint = f"run `memsuggest show {prefix}` to list pending suggestions for this file"
    raise UnknownId(f"no pending suggestion with ID `{prefix}`", hint=hint)


def pending_with(context: Context, prefix: str, facts: Sequence[MemoryFact] | None = None) -> MemorySuggestion | None:
    pending = load_all(context, facts)
    wanted = beginning(prefix, known_facts(context) if len(prefix.strip()) < LEAST else (), shown_by=_LIST)
    found = [suggestion for suggestion in pending if suggestion.id.startswith(wanted)]
    found = found or [
        suggestion
        for suggestion in pending
        if former_suggestion_id(suggestion.about, suggestion.edit.path).startswith(wanted)
    ]
    return only_one(found, prefix, called="suggestions")


_WAS = {
    APPLIED: "applied",
    DISMISSED: "dismissed",
    SILENCED: "dismissed along with everything else from its chat",
    FORGOT: "forgotten",
    CONSOLIDATED: "merged with another fact",
}
"""How it is said of a rule what the journal calls so."""
_LOOKED_THROUGH = 20
"""Decisions that are looked through: what `undo --list` shows."""


class Settled(NamedTuple):
    """The fate of a suggestion, and how that is taken back."""

    what: str
    """As `applied on 2026-03-01 14:05`."""
    content: str
    files: str
    way_back: str


def find_settled(context: Context, prefix: str) -> Settled | None:
    """Return what became of the suggestion with this id prefix; None where nothing is known.

    Of what was decided too long ago, or elsewhere, the stores know that it was, not when.
    """
    wanted = prefix.strip().lower()
    for newer, entry in enumerate(context.journal.newest(_LOOKED_THROUGH)):
        about = next((subject for subject in entry.about if subject.id.startswith(wanted)), None)
        if about is None or entry.verb not in _WAS:
            continue
        if not newer:
            way_back = "run `memsuggest undo` to revert this decision"
        elif entry.verb in {DISMISSED, SILENCED}:
            way_back = f"run `memsuggest memory confirm {about.id[:7]}` to restore the fact"
        else:
            later = f"{newer} later decision{'s' * (newer > 1)}"
            way_back = f"`memsuggest undo` reverts {later} first; see `memsuggest undo --list`"
        when = datetime.fromtimestamp(entry.at / 1000, UTC).astimezone()
        files = ", ".join(dict.fromkeys(edit.path.removeprefix(HOST) for edit in entry.edits))
        what = f"{_WAS[entry.verb]} on {when:%Y-%m-%d %H:%M}"
        return Settled(what, about.content, f" → {files}" if files else "", way_back)
    contents = {fact.id: fact.content for fact in known_facts(context) if fact.id.startswith(wanted)}
    found = next((decision for decision in all_decisions(context) if decision.fact_id in contents), None)
    if found is None:
        return None
    verb, aim = ("show", "see") if found.status is SuggestionStatus.APPLIED else ("confirm", "restore")
    way_back = f"run `memsuggest memory {verb} {found.fact_id[:7]}` to {aim} the fact"
    files = f" → {found.target}" if found.target else ""
    return Settled(str(found.status), contents[found.fact_id], files, way_back)
