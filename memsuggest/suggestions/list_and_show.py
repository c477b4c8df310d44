"""Looking at suggestions: all of them, or one whole, or one after the other in a review."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from memsuggest.core.config import Mode
from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import LEAST, ConfigError, MemsuggestError, StoreError, UnknownId, only_one
from memsuggest.core.identity import normalised
from memsuggest.core.model import MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, is_maybe
from memsuggest.core.render.safe_output import one_line
from memsuggest.facts.fact_reports import FactShown
from memsuggest.facts.stores import all_decisions, all_facts, closed_targets, known_facts, only_written, waiting_maybes
from memsuggest.suggestions.decision_reports import Decided, Listing, Maybes, Shown
from memsuggest.suggestions.listed import in_order, similar, why_meets
from memsuggest.suggestions.marker_files import read_status
from memsuggest.suggestions.pending import (
    find_pending,
    held_maintenance,
    load,
    load_all,
    pending_maintenance,
    pending_with,
)
from memsuggest.suggestions.pending_suggestions import looked_at as ids_seen
from memsuggest.suggestions.pending_suggestions import note_look
from memsuggest.suggestions.target_paths import below_root


def list_maybes(context: Context) -> Maybes:
    """Return what is kept aside, what was said most often first."""
    facts = waiting_maybes(context)
    return Maybes(mode=context.settings.mode, last_run=read_status(context).last_run, facts=tuple(facts))


def find_pending_or_maybe(
    context: Context, prefix: str, facts: Sequence[MemoryFact] | None = None
) -> MemorySuggestion | MemoryFact:
    if found := pending_with(context, prefix, facts):
        return found
    wanted = prefix.strip().lower()  # long enough: what is pending was looked for before
    maybes = [maybe for maybe in waiting_maybes(context) if wanted and maybe.id.startswith(wanted)]
    return only_one(maybes, prefix, called="maybes") or find_pending(context, prefix)


def find_planned(context: Context, prefix: str, facts: Sequence[MemoryFact] | None = None) -> MemorySuggestion:
    """Return the pending suggestion with this id prefix, or the maybe as it would be written.

    Raises UnknownId, and MemsuggestError where there is no place for a maybe.
    """
    found = find_pending_or_maybe(context, prefix, facts)
    return found if isinstance(found, MemorySuggestion) else plan_maybe(context, found)


def plan_maybe(context: Context, maybe: MemoryFact) -> MemorySuggestion:
    """Return where a maybe would go, under its own id; raises MemsuggestError where it goes nowhere."""
    from memsuggest.judging.verdicts.verdict import Becomes
    from memsuggest.suggestions.move import with_moves
    from memsuggest.suggestions.ranking.workspace_index import AlreadySaid
    from memsuggest.suggestions.suggest import suggest
    from memsuggest.suggestions.suggesting import verdicts_of

    decisions = all_decisions(context)
    verdict = verdicts_of(context).get(maybe.id)
    if verdict and verdict.becomes is Becomes.NOWHERE:  # the person knows better
        verdict = replace(verdict, becomes=Becomes.UNUSABLE)
    made = suggest(maybe, context.workspace_index, decided=closed_targets(maybe, decisions), verdict=verdict)
    hint = (
        f"run `memsuggest memory edit {maybe.id[:7]}` to reword the rule, or `memsuggest dismiss "
        f"{maybe.id[:7]}` to dismiss it"
    )
    if isinstance(made, AlreadySaid):
        raise MemsuggestError(f"`{made.uri}` already says this on line {made.line}: {made.text.strip()}", hint=hint)
    if made is None or isinstance(made, Skipped):
        why = f": {made.why}" if made else ""
        raise MemsuggestError(f"this suggestion cannot be added to any file{why}", hint=hint)
    return with_moves(context, [replace(made, id=maybe.id)], decisions)[0]


def planned(context: Context, name: str) -> Shown | None:
    """Return the pending suggestion with an id as it would be written now; None if it is no longer pending."""
    from memsuggest.suggestions.suggesting import looked_at

    found = next((suggestion for suggestion in load_all(context) if suggestion.id == name), None)
    return looked_at(context, found) if found else None


def planned_maybe(context: Context, name: str) -> Shown | None:
    """Return the low-confidence suggestion with an id as it would be written now; None if it was decided."""
    from memsuggest.suggestions.suggesting import looked_at

    found = next((maybe for maybe in waiting_maybes(context) if maybe.id == name), None)
    return looked_at(context, plan_maybe(context, found)) if found else None


def why_own(shown: Shown) -> str:
    """Say why more than one key is needed: what it runs, or how it weakens safety; empty where one key is enough."""
    from memsuggest.suggestions.hook_wishes import SAYS_WHEN, wish_of

    suggestion = shown.suggestion
    if not suggestion.executable:
        return f"this rule {shown.danger}" if shown.danger else ""
    wish = wish_of(suggestion.fact) if suggestion.fact else None
    if suggestion.maintenance:
        return "this changes an agent's permissions"
    if wish is None or wish.command not in suggestion.suggested_merge_content:
        return "this runs a command"
    return f"assistants will run `{one_line(wish.command)}` {SAYS_WHEN[wish.event]}"


def is_as_said(suggestion: MemorySuggestion) -> bool:
    """Tell whether a suggestion is a maybe in the very words of the person, which nobody has made a rule of."""
    fact = suggestion.fact
    if fact is None or not is_maybe(fact):
        return False
    return normalised(fact.content) in {normalised(citation.quote) for citation in fact.citations}


def list_suggestions(context: Context, *, status: str, paths: Sequence[Path] | None = None) -> Listing:
    """Return what is pending, or what was applied or dismissed; with paths, only what concerns those files."""
    try:
        wanted = SuggestionStatus(status)
    except ValueError:
        raise ConfigError(f"unknown status `{status}`", hint="use pending, applied or dismissed") from None
    mode = context.settings.mode
    listing = partial(Listing, mode=mode, last_run=read_status(context).last_run, status=wanted)
    if mode is Mode.OFF:
        return listing(suggestions=())
    if wanted is not SuggestionStatus.PENDING:
        from memsuggest.suggestions.maintenance import dismissed_maintenance

        facts = {fact.id: fact for fact in known_facts(context)}
        decided = tuple(
            Decided(fact=facts[decision.fact_id], target=decision.target, status=decision.status)
            for decision in all_decisions(context)
            if decision.status is wanted and decision.fact_id in facts
        )
        maintenance = dismissed_maintenance(context) if wanted is SuggestionStatus.DISMISSED else ()
        return listing(suggestions=(), decided=decided, maintenance=maintenance)
    from memsuggest.suggestions.bridges import unread
    from memsuggest.suggestions.dangerous_rules import dangerous_among

    known = all_facts(context)
    pending = load(context, known)
    if paths is not None:
        pending = _meeting(context, pending, paths)
    shown = listing(
        suggestions=tuple(pending),
        dangerous=dangerous_among(pending, context.kept_index.of),
        unread=unread(context, pending),
        is_narrowed=paths is not None,
    )
    if paths is not None:
        return shown
    return replace(
        shown,
        maintenance=tuple(pending_maintenance(context)),
        maintenance_held=held_maintenance(context),
        written=len(only_written(known)),
    )


def to_review(context: Context, wanted: Sequence[str]) -> list[MemorySuggestion]:
    """Return what a review goes through: all that is pending, or what has certain ids or concerns certain files.

    The order is that of `list`. Raises UnknownId for what is neither an id nor a file that is there.
    """
    if context.settings.mode is Mode.OFF:
        return []
    found: dict[str, MemorySuggestion] = {}
    for word in wanted:
        try:
            named = [find_pending(context, word)]
        except UnknownId:
            if not os.path.lexists(word):
                raise
            named = _meeting(context, load(context), [Path(word)])
        found |= {suggestion.id: suggestion for suggestion in named}
    return in_order(found.values() if wanted else load_all(context), seen=seen_before(context))


def _meeting(context: Context, pending: list[MemorySuggestion], paths: Sequence[Path]) -> list[MemorySuggestion]:
    if not pending:
        return []  # no files need to be looked for
    names = {below_root(context, path) for path in paths}
    by_uri = {target.uri: target for target in context.targets.targets}
    root = str(context.root)
    return [
        suggestion
        for suggestion in pending
        if why_meets(suggestion, by_uri.get(suggestion.edit.path), names, root=root)
    ]


def show_suggestion(context: Context, prefix: str) -> Shown:
    """Return one suggestion as it would be written now, with those like it; raises MemsuggestError.

    That is where there is none of this id, and where one of low confidence has no place.
    """
    from memsuggest.suggestions.suggesting import looked_at

    suggestion = find_planned(context, prefix)
    shown = looked_at(context, suggestion)
    is_pending = not (suggestion.fact and is_maybe(suggestion.fact))
    return replace(shown, similar=tuple(similar(suggestion, load(context)))) if is_pending else shown


def show_whole(context: Context, word: str) -> Shown | FactShown | Listing:
    """Do the same, but return a maybe without a place, and what was decided, as a mere fact, with the reason.

    The name of a file stands for what is pending for it, or concerns it.
    """
    from memsuggest.facts.look_at_facts import show_fact
    from memsuggest.suggestions.pending import find_settled

    try:
        found = find_pending_or_maybe(context, word)
    except UnknownId:
        wanted = word.strip().lower()
        facts = [fact for fact in known_facts(context) if len(wanted) >= LEAST and fact.id.startswith(wanted)]
        other = show_fact(context, facts[0].id) if len(facts) == 1 else None
        if other and (other.decisions or other.contradictions):
            known = find_settled(context, word) if other.decisions else None
            return replace(other, note=f"{known.what}: {known.way_back}") if known else other
        if not os.path.lexists(word):
            raise
        return list_suggestions(context, status=SuggestionStatus.PENDING, paths=[Path(word)])
    try:
        return show_suggestion(context, found.id)
    except MemsuggestError as error:
        if isinstance(found, MemorySuggestion):
            raise
        return replace(show_fact(context, found.id), note=error.message)


class Look(Protocol):
    """A report of what is pending."""

    @property
    def mode(self) -> Mode: ...
    @property
    def is_of_all(self) -> bool: ...
    @property
    def suggestions(self) -> Sequence[MemorySuggestion]: ...
    @property
    def maintenance(self) -> Sequence[MemorySuggestion]: ...


def seen_of(context: Context, report: Look) -> frozenset[str]:
    """Return the ids of what a report shows that were shown at the last look.

    A part of what is pending is shown whole, and so is a list in which nothing is new.
    """
    if not report.is_of_all:
        return frozenset()
    with store_errors(context.state):
        before = ids_seen(context.state, context.place.worktree_key)
    ids = {suggestion.id for suggestion in (*report.suggestions, *report.maintenance)}
    is_asked_again = isinstance(report, Listing) and ids <= before  # who lists what they know wants to see it
    return frozenset() if is_asked_again else frozenset(before & ids)


def seen_before(context: Context) -> frozenset[str]:
    """Return the ids of what was shown at the last look; nothing where that cannot be read."""
    with suppress(StoreError), store_errors(context.state):
        return frozenset(ids_seen(context.state, context.place.worktree_key))
    return frozenset()


def note_met(context: Context, ids: Iterable[str]) -> None:
    """Remember that suggestions were on the screen; where that cannot be kept, they are new once more the next time."""
    if not context.is_dry:
        with suppress(StoreError), store_errors(context.state):
            note_look(context.state, context.place.worktree_key, frozenset(ids))


def note_shown(context: Context, report: Look) -> None:
    """Remember what a report of what waits put on the screen."""
    if report.mode is not Mode.OFF and (report.is_of_all or (isinstance(report, Listing) and report.is_narrowed)):
        note_met(context, {suggestion.id for suggestion in (*report.suggestions, *report.maintenance)})
