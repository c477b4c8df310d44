"""Suggestions that the customization files need by themselves: looked for, kept, planned anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import Cause, MemorySuggestion, Scope, SuggestionStatus, Target
from memsuggest.facts.stores import Known, all_decisions, read_known
from memsuggest.held.unheld_search import unheld_key, unheld_suggestions
from memsuggest.suggestions.bridges import bridge, is_taken_in
from memsuggest.suggestions.maintenance import Chosen, chosen, of_budget, of_lints
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.pending_suggestions import save_held, save_maintenance
from memsuggest.suggestions.ranking.hosts import unread_by
from memsuggest.suggestions.stale_search import stale_suggestions
from memsuggest.suggestions.target_paths import current_text


def find_bridges(
    context: Context, known: Known | None = None, suggestions: Iterable[MemorySuggestion] | None = None
) -> list[MemorySuggestion]:
    """Return a bridge for every assistant that was corrected and does not read the file of the rule.

    One for an assistant and a file, whatever the number of rules; it is decided once for the repo. `known` and
    `suggestions` are what is known and pending, if at hand.
    """
    known = known or read_known(context)
    pending = load(context, known.facts) if suggestions is None else suggestions
    facts = {fact.id: fact for fact in known.facts}
    rules = [(suggestion.edit.path, suggestion.fact) for suggestion in pending]
    rules += [
        (decision.target, facts.get(decision.fact_id))
        for decision in known.decisions
        if decision.status is SuggestionStatus.APPLIED and decision.target
    ]
    ours = [(uri, fact) for uri, fact in rules if fact and fact.scope is Scope.WORKSPACE]
    pairs = {(host, uri) for uri, fact in ours if (host := unread_by(uri, fact))}

    def text_of(uri: str) -> str | None:
        with suppress(MemsuggestError):
            return current_text(context, uri)
        return None

    found = (bridge(host, uri, text_of) for host, uri in sorted(pairs) if not is_taken_in(context, host, uri))
    return [made for made in found if made]


def refresh_maintenance(context: Context, suggestions: Iterable[MemorySuggestion] | None = None) -> Chosen:
    """Look for what the files need, and keep the few that are shown; `suggestions` are what is pending, if at hand."""
    is_wanted = bool(context.settings.values["care"].value)
    found = _chosen(context, suggestions) if is_wanted else Chosen()
    if not context.is_dry:
        save_maintenance(context.state, context.place.worktree_key, found.shown)
        save_held(context.state, context.place.worktree_key, found.held)
    return found


def _chosen(context: Context, suggestions: Iterable[MemorySuggestion] | None) -> Chosen:
    ours = _ours(context)
    bridges = find_bridges(context, suggestions=suggestions)
    bridged = {(need.edit.path, need.edit.after) for need in bridges}
    of_chats = _unless_clean(
        context, "unheld", "", unheld_key(context, ours), partial(unheld_suggestions, context, ours)
    )
    others = (need for need in of_chats if (need.edit.path, need.edit.after) not in bridged)
    return chosen([*bridges, *_of_files(context, ours), *others], all_decisions(context))


def dismissed_maintenance(context: Context) -> tuple[MemorySuggestion, ...]:
    decided = (decision for decision in all_decisions(context) if decision.status is SuggestionStatus.DISMISSED)
    silenced = {decision.fact_id for decision in decided}
    ours = _ours(context)
    found = (*find_bridges(context), *_of_files(context, ours), *unheld_suggestions(context, ours))
    return tuple(need for need in found if need.about in silenced)


def maintenance_now(context: Context, suggestion: MemorySuggestion, target: Target) -> MemorySuggestion | None:
    """Plan care anew for its file as it is now; None when the file has no need of it any more."""
    cause = suggestion.maintenance.cause if suggestion.maintenance else None
    found: Iterable[MemorySuggestion]
    if cause is Cause.UNREAD:
        found = find_bridges(context)
    elif cause is Cause.UNHELD:
        found = unheld_suggestions(context, list({file.uri: file for file in [*_ours(context), target]}.values()))
    else:
        found = chain(_lints_of(target), stale_suggestions(context, [target]))
    return next((need for need in found if need.about == suggestion.about), None)


def _ours(context: Context) -> list[Target]:
    return [
        target
        for target in context.targets.targets
        if target.scope is Scope.WORKSPACE and target.uri not in context.workspace_index.closed
    ]


def _lints_of(target: Target) -> Iterator[MemorySuggestion]:
    return chain(of_lints(target), of_budget(target))


def _of_files(context: Context, ours: Sequence[Target]) -> Iterator[MemorySuggestion]:
    for target in ours:
        yield from _unless_clean(context, "lints", target.uri, target.digest, partial(_lints_of, target))
    yield from stale_suggestions(context, ours, keep=context.kept_index.of)


def _unless_clean(
    context: Context, part: str, uri: str, key: str, look: Callable[[], Iterable[MemorySuggestion]]
) -> list[MemorySuggestion]:
    """Look for what is needed, unless nothing was when the same was looked at before."""
    found: list[MemorySuggestion] = []

    def is_clean() -> bool:
        found.extend(look())
        return not found

    is_known = context.kept_index.of(part, uri, key, is_clean)
    return found if is_known or found else list(look())
