"""What the customization files of the repo need by themselves: looked for, kept, planned anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest import __version__
from memsuggest.customizations.stale import known_paths, stale_lines
from memsuggest.identity import hash_of
from memsuggest.model import Cause, MemorySuggestion, Scope, SuggestionStatus, Target
from memsuggest.suggestions.care import chosen, of_budget, of_lints, of_stale
from memsuggest.suggestions.pending import load_clean, save_care, save_clean
from memsuggest.workflows.fates import fates_of, is_there
from memsuggest.workflows.stores import all_decisions
from memsuggest.workflows.waiting import pending_care

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from memsuggest.customizations.stale import Stale
    from memsuggest.workflows.desk import Desk


def refresh_care(desk: Desk) -> tuple[MemorySuggestion, ...]:
    """Look for what the files need, and keep the few that are shown."""
    is_wanted = bool(desk.settings.values["care"].value)
    found = _chosen(desk) if is_wanted else ()
    if not desk.is_dry:
        save_care(desk.state, desk.place.worktree_key, found)
    return found


def _chosen(desk: Desk) -> tuple[MemorySuggestion, ...]:
    """Choose the few that are shown; git's history is asked about those alone, and once."""
    before = load_clean(desk.state, desk.place.worktree_key)
    clean: set[str] = set()
    told = {one.about: one for one in pending_care(desk)}
    lines = _Lines(desk, told)
    found = chosen([*_of_files(desk, before, clean), *lines.suggestions(_ours(desk))], all_decisions(desk))
    if clean != before and not desk.is_dry:
        save_clean(desk.state, desk.place.worktree_key, clean)
    return tuple(asked for one in found if (asked := lines.asked(one)))


def dismissed_care(desk: Desk) -> tuple[MemorySuggestion, ...]:
    """Return what the files still need and the person does not want to hear of."""
    silenced = {one.fact_id for one in all_decisions(desk) if one.status is SuggestionStatus.DISMISSED}
    found = (*_of_files(desk, frozenset(), set()), *_Lines(desk, {}).suggestions(_ours(desk)))
    return tuple(one for one in found if one.about in silenced)


def care_now(desk: Desk, suggestion: MemorySuggestion, target: Target) -> MemorySuggestion | None:
    """Plan care anew for its file as it is now; None when the file has no need of it any more."""
    lines = _Lines(desk, {})
    found = (*of_lints(target), *of_budget(target), *lines.suggestions([target]))
    return next((lines.asked(one) for one in found if one.about == suggestion.about), None)


def _ours(desk: Desk) -> list[Target]:
    """Return the files of the repo that may be written."""
    return [one for one in desk.targets.targets if one.scope is Scope.WORKSPACE and one.uri not in desk.bench.closed]


def _of_files(desk: Desk, before: Collection[str], clean: set[str]) -> Iterator[MemorySuggestion]:
    """Look at the files, but for those that were clean `before`, and note which are `clean` now."""
    for target in _ours(desk):
        key = hash_of(__version__, target.uri, target.digest)
        found = [] if key in before else [*of_lints(target), *of_budget(target)]
        yield from found
        if not found:
            clean.add(key)


class _Lines:
    """Lines about files that are gone, and what is known of those files."""

    def __init__(self, desk: Desk, told: Mapping[str, MemorySuggestion]) -> None:
        self._desk = desk
        self._told = told
        self._known = known_paths(desk.targets.tracked_paths)
        self._lines: dict[str, tuple[Target, Stale]] = {}

    def suggestions(self, targets: Iterable[Target]) -> Iterator[MemorySuggestion]:
        """Yield a suggestion for each such line, as it was told before, or else without what git knows."""
        for target in targets:
            for stale in stale_lines(target, self._known):
                made = of_stale(target, stale, {})
                told = self._told.get(made.about) if made else None
                if told and told.edit.before == target.text:
                    yield told
                elif made and not any(is_there(self._desk, path, folder=target.folder) for path in stale.gone):
                    self._lines[made.about] = (target, stale)
                    yield made

    def asked(self, one: MemorySuggestion) -> MemorySuggestion | None:
        """Return a suggestion with what git knows; None where that makes it no plain edit."""
        if one.about not in self._lines or not one.care or one.care.cause is not Cause.STALE:
            return one
        target, stale = self._lines[one.about]
        return of_stale(target, stale, fates_of(self._desk, stale, folder=target.folder, known=self._known))
