"""What the customization files of the repo need by themselves: looked for, kept, planned anew, asked of git."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from memsuggest import __version__
from memsuggest.customizations.stale import known_paths, stale_lines
from memsuggest.git import run_git
from memsuggest.identity import hash_of
from memsuggest.model import MemorySuggestion, Scope, SuggestionStatus, Target
from memsuggest.suggestions.care import Fate, chosen, of_budget, of_lints, of_stale
from memsuggest.suggestions.pending import load_care, load_clean, save_care, save_clean
from memsuggest.workflows.stores import all_decisions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from memsuggest.customizations.stale import Known, Stale
    from memsuggest.workflows.desk import Desk

ASKED = 20
"""Paths of one run that git is asked about; what is beyond waits until some of these are settled."""
_REMOVED = ("log", "-1", "--diff-filter=D", "--no-renames", "--format=%H %cs")
_RENAMED = ("show", "-M", "--diff-filter=R", "--name-status", "-z", "--relative", "--no-ext-diff", "--format=")


def refresh_care(desk: Desk) -> tuple[MemorySuggestion, ...]:
    """Look for what the files need, and keep the few that are shown."""
    is_wanted = bool(desk.settings.values["care"].value)
    before = load_clean(desk.state, desk.place.worktree_key)
    clean: set[str] = set()
    found = chosen(_found(desk, before, clean), all_decisions(desk)) if is_wanted else ()
    if not desk.is_dry:
        save_care(desk.state, desk.place.worktree_key, found)
        if clean != before:
            save_clean(desk.state, desk.place.worktree_key, clean)
    return found


def dismissed_care(desk: Desk) -> tuple[MemorySuggestion, ...]:
    """Return what the files still need and the person does not want to hear of."""
    silenced = {one.fact_id for one in all_decisions(desk) if one.status is SuggestionStatus.DISMISSED}
    return tuple(one for one in _found(desk, frozenset(), set()) if one.about in silenced)


def pending_care(desk: Desk) -> list[MemorySuggestion]:
    """Return what was found last, gravest first."""
    return load_care(desk.state, desk.place.worktree_key)


def care_now(desk: Desk, suggestion: MemorySuggestion, target: Target) -> MemorySuggestion | None:
    """Plan care anew for its file as it is now; None when the file has no need of it any more."""
    found = (*of_lints(target), *of_budget(target), *_of_stale(desk, [target]))
    return next((one for one in found if one.about == suggestion.about), None)


def _found(desk: Desk, before: Collection[str], clean: set[str]) -> Iterator[MemorySuggestion]:
    """Look at the files, but for those that were clean `before`, and note which are `clean` now."""
    ours = [one for one in desk.targets.targets if one.scope is Scope.WORKSPACE and one.uri not in desk.bench.closed]
    for target in ours:
        key = hash_of(__version__, target.uri, target.digest)
        found = [] if key in before else [*of_lints(target), *of_budget(target)]
        yield from found
        if not found:
            clean.add(key)
    yield from _of_stale(desk, ours)


def _of_stale(desk: Desk, targets: Iterable[Target]) -> Iterator[MemorySuggestion]:
    known, asked = known_paths(desk.targets.tracked_paths), 0
    for target in targets:
        for stale in stale_lines(target, known):
            asked += len(stale.gone)
            if asked <= ASKED:
                made = of_stale(target, stale, _fates(desk, target, stale, known))
                yield from [made] if made else []


def _fates(desk: Desk, target: Target, stale: Stale, known: Known) -> dict[str, Fate]:
    return {path: _fate(desk, path, folder=target.folder, known=known) for path in stale.gone}


def _fate(desk: Desk, path: str, *, folder: str, known: Known) -> Fate:
    """Ask the disk and git what became of a path, from the root or from the folder of the file that cites it."""
    places = list(dict.fromkeys(posixpath.normpath(one) for one in (path, posixpath.join(folder, path))))
    places = [place for place in places if not place.startswith(("..", "/"))]
    if any(os.path.lexists(desk.root / place) for place in places) or _is_ignored(desk, path, places):
        return Fate(is_there=True)
    for place in places:
        told = run_git(desk.root, "--literal-pathspecs", *_REMOVED, "--", place) or b""
        commit, _, day = told.decode("ascii", "replace").strip().partition(" ")
        if commit:
            return Fate(removed_on=day, moved_to=_moved_to(desk, place, commit, known))
    return Fate()


def _is_ignored(desk: Desk, path: str, places: Iterable[str]) -> bool:
    end = "/" if path.endswith("/") else ""
    return any(run_git(desk.root, "check-ignore", "--quiet", "--", place + end) is not None for place in places)


def _moved_to(desk: Desk, place: str, commit: str, known: Known) -> str:
    """Return where all of a file or folder went in the commit that removed it; empty where that is not one place."""
    told = (run_git(desk.root, *_RENAMED, commit) or b"").decode("utf-8", "surrogateescape").split("\0")
    renames = zip(told[1::3], told[2::3], strict=False)
    places = {_place_after(place, old, new) for old, new in renames if old == place or old.startswith(f"{place}/")}
    new = places.pop() if len(places) == 1 else ""
    return new if new and new.isprintable() and not set("`\n()[]").intersection(new) and known.has(new) else ""


def _place_after(place: str, old: str, new: str) -> str:
    """Return what a place is called now, as one rename tells; empty where it tells nothing."""
    rest = old.removeprefix(place)
    return new.removesuffix(rest) if new.endswith(rest) and new != rest else ""
