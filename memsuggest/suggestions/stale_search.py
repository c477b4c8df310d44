"""Lines of the repo's customization files that speak of what is gone: found, and asked about in git's history.

Only what git shows was there, and that a commit took away without moving it, is gone for certain. A line is never put
right: of three new names that were put in, one was what the line meant.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memsuggest.core.errors import FileError
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Cause
from memsuggest.customizations.kept_index import made_anew
from memsuggest.customizations.staleness.declared_tasks import NO_TASKS, DeclaredTasks, declared_tasks, tools_of
from memsuggest.customizations.staleness.references import KnownPaths, Reference, known_paths
from memsuggest.customizations.staleness.stale_lines import Stale, cited_tools, stale_lines
from memsuggest.files import read_exact
from memsuggest.suggestions.git_history import removals_of, there_all_the_same
from memsuggest.suggestions.maintenance import made

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.core.context import Context
    from memsuggest.core.model import MemorySuggestion, Target
    from memsuggest.customizations.kept_index import Keep
    from memsuggest.customizations.staleness.references import Removal

_MOST_BUILD_FILES = 400
"""Build files that are read; a repo with more has its tasks elsewhere as well."""
_LARGEST_BUILD_FILE = 1 << 20
_MOST_ASKED = 300
"""Things that git is asked about at a time."""


def stale_suggestions(context: Context, targets: Sequence[Target], *, keep: Keep = made_anew) -> list[MemorySuggestion]:
    """Suggest taking out the lines of some files that speak of what git shows was there, and is gone.

    `keep` has what was made of files before: for pages that are no files, nothing is kept.
    """
    known = known_paths(context.targets.tracked_paths)
    tasks = _tasks(context, targets, keep)
    found = stale_in(targets, known, tasks, keep)
    asked = list(dict.fromkeys((target.folder, one) for target, stale in found for one in stale.gone))[:_MOST_ASKED]
    there = there_all_the_same(context, asked)
    removals = removals_of(context, [one for one in asked if one not in there], tasks=tasks)
    suggested = (
        of_stale(target, stale, [removals.get((target.folder, one)) for one in stale.gone]) for target, stale in found
    )
    return [one for one in suggested if one]


def stale_in(
    targets: Sequence[Target], known: KnownPaths, tasks: DeclaredTasks, keep: Keep
) -> list[tuple[Target, Stale]]:
    """Find the lines of files that name what the repository does not have; the same for the same repository."""
    there = hash_of(*sorted(known.leaves), tasks.digest)
    return [
        (target, Stale(line, tuple(Reference(*fields) for fields in gone), after))
        for target in targets
        for line, gone, after in keep(
            "stale", target.uri, f"{target.digest} {there}", partial(_stale_rows, target, known, tasks)
        )
    ]


def _stale_rows(target: Target, known: KnownPaths, tasks: DeclaredTasks) -> list[tuple[object, ...]]:
    found = stale_lines(target, known, tasks)
    return [(line, [tuple(reference) for reference in gone], after) for line, gone, after in found]


def of_stale(target: Target, stale: Stale, removals: Sequence[Removal | None]) -> MemorySuggestion | None:
    """Suggest taking out lines all of whose matter is gone; `removals` are those of `stale.gone`, in its order."""
    known = [one for one in removals if one]
    if not known or len(known) < len(stale.gone):
        return None
    last = max(known, key=lambda removal: removal.day)
    names = " and ".join(f"`{one.shown}`" for one in stale.gone)
    return made(
        target,
        cause=Cause.STALE,
        name="stale",
        content=f"Mentions {names}, which no longer {'exist' if len(stale.gone) > 1 else 'exists'}",
        why=f"commit {last.commit} removed it on {last.day}" + (f": “{last.subject}”" if last.subject else ""),
        after=stale.after,
    )


def _tasks(context: Context, targets: Sequence[Target], keep: Keep) -> DeclaredTasks:
    """Read the build files of the tools that the lines name; none where they name none."""
    tools = {
        tool for target in targets for tool in keep("tools", target.uri, target.digest, partial(cited_tools, target))
    }
    places = [path for path in context.targets.tracked_paths if tools & tools_of(path)] if tools else []
    return declared_tasks(_read(context, places)) if places else NO_TASKS


def _read(context: Context, places: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Yield build files with their texts, None for those that are not read."""
    nearest_first = sorted(places, key=lambda path: path.count("/"))
    for number, place in enumerate(nearest_first):
        path = context.root / place
        try:
            is_plain = number < _MOST_BUILD_FILES and not path.is_symlink()
            text = read_exact(path, limit=_LARGEST_BUILD_FILE).text if is_plain else None
        except FileError:
            text = None
        yield place, text
