"""What became of paths that the repo does not have any more: the disk and git's history are asked, a few at a time."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from memsuggest.git import run_git
from memsuggest.suggestions.maintenance import PathHistory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.customizations.lint.stale import KnownPaths, Stale
    from memsuggest.workflows.context import Context

_REMOVED = ("log", "-1", "--diff-filter=D", "--no-renames", "--format=%H %cs")
_RENAMED = ("show", "-M", "--diff-filter=R", "--name-status", "-z", "--relative", "--no-ext-diff", "--format=")


def is_there(context: Context, path: str, *, folder: str) -> bool:
    """Whether a path that is not tracked lies there all the same, or would: git ignores it."""
    places = _places(path, folder)
    return any(os.path.lexists(context.root / place) for place in places) or _is_ignored(context, path, places)


def path_histories_of(context: Context, stale: Stale, *, folder: str, known: KnownPaths) -> dict[str, PathHistory]:
    """Ask git what became of the paths of a line; every path costs a walk through the history."""
    return {path: _path_history(context, path, folder=folder, known=known) for path in stale.gone}


def _places(path: str, folder: str) -> list[str]:
    """Return where a path may lie: below the root, or below the folder of the file that cites it."""
    places = dict.fromkeys(posixpath.normpath(one) for one in (path, posixpath.join(folder, path)))
    return [place for place in places if not place.startswith(("..", "/"))]


def _path_history(context: Context, path: str, *, folder: str, known: KnownPaths) -> PathHistory:
    for place in _places(path, folder):
        told = run_git(context.root, "--literal-pathspecs", *_REMOVED, "--", place) or b""
        commit, _, day = told.decode("ascii", "replace").strip().partition(" ")
        if commit:
            return PathHistory(removed_on=day, moved_to=_moved_to(context, place, commit, known))
    return PathHistory()


def _is_ignored(context: Context, path: str, places: Iterable[str]) -> bool:
    end = "/" if path.endswith("/") else ""
    return any(run_git(context.root, "check-ignore", "--quiet", "--", place + end) is not None for place in places)


def _moved_to(context: Context, place: str, commit: str, known: KnownPaths) -> str:
    """Return where all of a file or folder went in the commit that removed it; empty where that is not one place."""
    told = (run_git(context.root, *_RENAMED, commit) or b"").decode("utf-8", "surrogateescape").split("\0")
    renames = zip(told[1::3], told[2::3], strict=False)
    places = {_place_after(place, old, new) for old, new in renames if old == place or old.startswith(f"{place}/")}
    new = places.pop() if len(places) == 1 else ""
    return new if new and new.isprintable() and not set("`\n()[]").intersection(new) and known.has(new) else ""


def _place_after(place: str, old: str, new: str) -> str:
    """Return what a place is called now, as one rename tells; empty where it tells nothing."""
    rest = old.removeprefix(place)
    return new.removesuffix(rest) if new.endswith(rest) and new != rest else ""
