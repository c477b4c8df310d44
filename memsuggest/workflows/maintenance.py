"""What the customization files of the repo need by themselves: looked for, kept, planned anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest import __version__
from memsuggest.customizations.lint.stale import known_paths, stale_lines
from memsuggest.identity import hash_of
from memsuggest.model import Cause, MemorySuggestion, Scope, SuggestionStatus, Target
from memsuggest.suggestions.maintenance import chosen, of_budget, of_lints, of_stale
from memsuggest.suggestions.store.pending_cache import load_clean, save_clean, save_maintenance
from memsuggest.workflows.git_history import is_there, path_histories_of
from memsuggest.workflows.pending import pending_maintenance
from memsuggest.workflows.stores import all_decisions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from memsuggest.customizations.lint.stale import Stale
    from memsuggest.workflows.context import Context


def refresh_maintenance(context: Context) -> tuple[MemorySuggestion, ...]:
    """Look for what the files need, and keep the few that are shown."""
    is_wanted = bool(context.settings.values["care"].value)
    found = _chosen(context) if is_wanted else ()
    if not context.is_dry:
        save_maintenance(context.state, context.place.worktree_key, found)
    return found


def _chosen(context: Context) -> tuple[MemorySuggestion, ...]:
    """Choose the few that are shown; git's history is asked about those alone, and once."""
    before = load_clean(context.state, context.place.worktree_key)
    clean: set[str] = set()
    told = {one.about: one for one in pending_maintenance(context)}
    lines = _Lines(context, told)
    found = chosen([*_of_files(context, before, clean), *lines.suggestions(_ours(context))], all_decisions(context))
    if clean != before and not context.is_dry:
        save_clean(context.state, context.place.worktree_key, clean)
    return tuple(asked for one in found if (asked := lines.asked(one)))


def dismissed_maintenance(context: Context) -> tuple[MemorySuggestion, ...]:
    """Return what the files still need and the person does not want to hear of."""
    silenced = {one.fact_id for one in all_decisions(context) if one.status is SuggestionStatus.DISMISSED}
    found = (*_of_files(context, frozenset(), set()), *_Lines(context, {}).suggestions(_ours(context)))
    return tuple(one for one in found if one.about in silenced)


def maintenance_now(context: Context, suggestion: MemorySuggestion, target: Target) -> MemorySuggestion | None:
    """Plan care anew for its file as it is now; None when the file has no need of it any more."""
    lines = _Lines(context, {})
    found = (*of_lints(target), *of_budget(target), *lines.suggestions([target]))
    return next((lines.asked(one) for one in found if one.about == suggestion.about), None)


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


class _Lines:
    """Lines about files that are gone, and what is known of those files."""

    def __init__(self, context: Context, told: Mapping[str, MemorySuggestion]) -> None:
        self._context = context
        self._told = told
        self._known = known_paths(context.targets.tracked_paths)
        self._lines: dict[str, tuple[Target, Stale]] = {}

    def suggestions(self, targets: Iterable[Target]) -> Iterator[MemorySuggestion]:
        """Yield a suggestion for each such line, as it was told before, or else without what git knows."""
        for target in targets:
            for stale in stale_lines(target, self._known):
                made = of_stale(target, stale, {})
                told = self._told.get(made.about) if made else None
                if told and told.edit.before == target.text:
                    yield told
                elif made and not any(is_there(self._context, path, folder=target.folder) for path in stale.gone):
                    self._lines[made.about] = (target, stale)
                    yield made

    def asked(self, one: MemorySuggestion) -> MemorySuggestion | None:
        """Return a suggestion with what git knows; None where that makes it no plain edit."""
        if one.about not in self._lines or not one.maintenance or one.maintenance.cause is not Cause.STALE:
            return one
        target, stale = self._lines[one.about]
        return of_stale(target, stale, path_histories_of(self._context, stale, folder=target.folder, known=self._known))
