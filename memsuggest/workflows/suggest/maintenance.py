"""Suggestions that the customization files need by themselves: looked for, kept, planned anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest import __version__
from memsuggest.identity import hash_of
from memsuggest.model import MemorySuggestion, Scope, SuggestionStatus, Target
from memsuggest.suggestions.maintenance import Chosen, chosen, of_budget, of_lints
from memsuggest.suggestions.store.pending_cache import load_clean, save_clean, save_held, save_maintenance
from memsuggest.workflows.facts.stores import all_decisions
from memsuggest.workflows.suggest.clash_search import clash_suggestions
from memsuggest.workflows.suggest.enforced_search import enforced_suggestions
from memsuggest.workflows.suggest.stale_search import stale_suggestions
from memsuggest.workflows.suggest.unheld_search import unheld_suggestions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from memsuggest.workflows.context import Context


def refresh_maintenance(context: Context) -> Chosen:
    """Look for what the files need, and keep the few that are shown."""
    is_wanted = bool(context.settings.values["care"].value)
    found = _chosen(context) if is_wanted else Chosen()
    if not context.is_dry:
        save_maintenance(context.state, context.place.worktree_key, found.shown)
        save_held(context.state, context.place.worktree_key, found.held)
    return found


def _chosen(context: Context) -> Chosen:
    before = load_clean(context.state, context.place.worktree_key)
    clean: set[str] = set()
    ours = _ours(context)
    found = chosen([*_of_files(context, before, clean), *_of_repository(context, ours)], all_decisions(context))
    if clean != before and not context.is_dry:
        save_clean(context.state, context.place.worktree_key, clean)
    return found


def dismissed_maintenance(context: Context) -> tuple[MemorySuggestion, ...]:
    """Return what the files still need and the person does not want to hear of."""
    silenced = {one.fact_id for one in all_decisions(context) if one.status is SuggestionStatus.DISMISSED}
    found = (*_of_files(context, frozenset(), set()), *_of_repository(context, _ours(context)))
    return tuple(one for one in found if one.about in silenced)


def maintenance_now(context: Context, suggestion: MemorySuggestion, target: Target) -> MemorySuggestion | None:
    """Plan care anew for its file as it is now; None when the file has no need of it any more."""
    found = (*of_lints(target), *of_budget(target), *_of_repository(context, [target]))
    return next((one for one in found if one.about == suggestion.about), None)


def _of_repository(context: Context, targets: Sequence[Target]) -> Iterator[MemorySuggestion]:
    """Hold files against what else the repo has, and against what was said in chats."""
    yield from stale_suggestions(context, targets)
    as_they_are = {one.uri: one for one in [*_ours(context), *targets]}  # a file may have been written meanwhile
    every = list(as_they_are.values())
    found = (*clash_suggestions(context, every), *unheld_suggestions(context, every))
    wanted = {target.uri for target in targets}
    yield from (one for one in found if one.edit.path in wanted or one.edit.before is None)
    yield from enforced_suggestions(context, targets)


def _ours(context: Context) -> list[Target]:
    """Return the files of the repo that may be written."""
    return [
        one
        for one in context.targets.targets
        if one.scope is Scope.WORKSPACE and one.uri not in context.workspace_index.closed
    ]


def _of_files(context: Context, before: Collection[str], clean: set[str]) -> Iterator[MemorySuggestion]:
    """Look at the files, but for those that were clean `before`, and note which are `clean` now."""
    for target in _ours(context):
        key = hash_of(__version__, target.uri, target.digest)
        found = [] if key in before else [*of_lints(target), *of_budget(target)]
        yield from found
        if not found:
            clean.add(key)
