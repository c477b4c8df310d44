"""Suggestions after a single decision: only what it touched is planned anew, so that a key answers at once.

In a repo with hundreds of customization files it takes seconds to look at all of them; a `reconcile` does that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import Cause, Decision, MemoryFact, MemorySuggestion, SuggestionStatus
from memsuggest.facts.stores import all_decisions, all_facts
from memsuggest.suggestions.find_maintenance import find_bridges
from memsuggest.suggestions.listed import closed_targets, is_open
from memsuggest.suggestions.marker_files import keep_badge
from memsuggest.suggestions.pending import load, pending_maintenance
from memsuggest.suggestions.pending_suggestions import save_maintenance, save_pending
from memsuggest.suggestions.suggesting import (
    make_suggestions,
    overruled,
    replan_on,
    surest_first,
    taken_in,
)
from memsuggest.suggestions.target_paths import current_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """The suggestions after a decision."""

    suggestions: tuple[MemorySuggestion, ...]
    maintenance: tuple[MemorySuggestion, ...]
    taken_away: tuple[MemorySuggestion, ...]
    """What waited before in another form, or does not wait any more: `undo` brings back the very same."""


def open_facts(context: Context) -> dict[str, MemoryFact]:
    """Return the facts that are to be suggested unless a file says them already, by id."""
    decisions = all_decisions(context)
    known = all_facts(context)
    found = _undecided(context, known, decisions)
    losers = context.known_pairs.losers(found) | overruled(found, taken_in(known, decisions))
    return {fact.id: fact for fact in found if fact.id not in losers}


def _undecided(context: Context, known: Iterable[MemoryFact], decisions: Sequence[Decision]) -> list[MemoryFact]:
    settled = {
        decision.fact_id
        for decision in decisions
        if decision.status is SuggestionStatus.APPLIED or decision.target is None
    }
    threshold = context.settings.threshold
    return [fact for fact in known if fact.id not in settled and is_open(fact, (), threshold=threshold)]


def compare_ahead(context: Context, count: int) -> bool:
    """Compare so many of the facts that wait with one another, so that a decision need not; True once all are."""
    found = _undecided(context, all_facts(context), all_decisions(context))
    if context.known_pairs.size < count:  # else a decision needed more of them meanwhile
        context.known_pairs.losers(found[:count])
    return context.known_pairs.size >= len(found) or count >= len(found)


def renew(
    context: Context,
    before: Mapping[str, MemoryFact],
    *,
    paths: Collection[str] = (),
    back: Sequence[MemorySuggestion] = (),
) -> Renewed:
    """Bring what waits up to date after a decision, and keep it.

    `before` are the facts that were open then, `paths` the files that were written, and `back` are suggestions that an
    undone decision had taken away.
    """
    context.forget_targets()
    now, decisions = open_facts(context), all_decisions(context)
    held = {suggestion.id: suggestion for suggestion in load(context)}
    returned = {suggestion.id: suggestion for suggestion in back if suggestion.fact}
    kept: list[MemorySuggestion] = []
    anew: list[MemoryFact] = []
    for fact in now.values():
        found = returned.get(fact.id) or held.get(fact.id)
        if found is None:
            anew += [fact] if before.get(fact.id) != fact else []
            continue
        is_reworded = fact.id in before and before[fact.id] != fact and fact.id not in returned
        planned = None if is_reworded else _planned(context, found, paths, decisions)
        if planned is None:
            anew.append(fact)
        else:
            kept += planned
    kept += make_suggestions(context, anew).suggestions if anew else ()
    kept.sort(key=surest_first)
    maintenance_before = pending_maintenance(context)
    maintenance = _maintenance(context, maintenance_before, back, paths, decisions)
    maintenance = _without_idle_bridges(context, maintenance, kept)
    _save(context, kept, maintenance)
    places = {_place_of(suggestion) for suggestion in (*kept, *maintenance)}
    gone = [suggestion for suggestion in (*held.values(), *maintenance_before) if _place_of(suggestion) not in places]
    return Renewed(suggestions=tuple(kept), maintenance=tuple(maintenance), taken_away=tuple(gone))


def _place_of(one: MemorySuggestion) -> tuple[object, ...]:
    """Return what the journal need not keep where it waits still: for another text of its file it is planned anew.

    Not so where it goes to another place in its file, as under a heading that came with the rule that was applied.
    """
    return one.id, one.edit.path, one.target_uri is None, one.heading, one.replaces, one.suggested_merge_content


def _planned(
    context: Context, one: MemorySuggestion, paths: Collection[str], decisions: Sequence[Decision]
) -> list[MemorySuggestion] | None:
    """Return a suggestion for its file as it is now; nothing where that says it, None where it needs another place."""
    if one.fact and one.edit.path in closed_targets(one.fact, decisions):
        return None
    if one.edit.path not in paths:
        return [one]
    try:
        text = current_text(context, one.edit.path)
        if text == one.edit.before:
            return [one]
        if text is None:
            return None
        return [replan_on(context, one, text)]
    except MemsuggestError:  # it is said there now, or the file cannot be read
        return []


def _maintenance(
    context: Context,
    held: Sequence[MemorySuggestion],
    back: Sequence[MemorySuggestion],
    paths: Collection[str],
    decisions: Iterable[Decision],
) -> list[MemorySuggestion]:
    """Return the care that files still need; of a file that was written, as it is planned when somebody looks at it."""
    settled = {decision.fact_id for decision in decisions if decision.status is not SuggestionStatus.PENDING}
    returned = {suggestion.id: suggestion for suggestion in back if suggestion.maintenance}
    found = returned | {suggestion.id: returned.get(suggestion.id, suggestion) for suggestion in held}
    return [one for one in found.values() if one.id not in settled and _is_needed(context, one, paths)]


def _is_needed(context: Context, one: MemorySuggestion, paths: Collection[str]) -> bool:
    if one.edit.path not in paths or one.edit.before is None or one.replaces is None:
        return True
    text = current_text(context, one.edit.path)
    return text is not None and one.replaces.partition("\n")[0] in text


def _without_idle_bridges(
    context: Context, maintenance: list[MemorySuggestion], pending: Sequence[MemorySuggestion]
) -> list[MemorySuggestion]:
    """Leave out each bridge to a file that no pending or applied rule goes to any more."""
    bridges = {one.id for one in maintenance if one.maintenance and one.maintenance.cause is Cause.UNREAD}
    idle = bridges and bridges - {one.id for one in find_bridges(context, pending)}
    return [one for one in maintenance if one.id not in idle]


def _save(context: Context, suggestions: Sequence[MemorySuggestion], maintenance: Sequence[MemorySuggestion]) -> None:
    if not context.is_dry:
        save_pending(context.state, context.place.worktree_key, suggestions)
        save_maintenance(context.state, context.place.worktree_key, maintenance)
        keep_badge(context, len(suggestions))
