"""Lines of the repo's customization files that speak of what is gone: found, and asked about in git's history.

Only what git shows was there, and that a commit took away without moving it, is gone for certain. A line is never put
right: of three new names that were put in, one was what the line meant. A walk through a long history takes seconds,
so answers are kept for as long as the history is the same.
"""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TypeAlias

from memsuggest.core.context import Context
from memsuggest.core.errors import FileError
from memsuggest.core.git import git_text, run_git
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Cause, MemorySuggestion, Target
from memsuggest.core.redact import clean, redact
from memsuggest.core.workspace import current_commit
from memsuggest.customizations.kept_index import Keep, made_anew
from memsuggest.customizations.staleness.declared_tasks import (
    NO_TASKS,
    DeclaredTasks,
    declared_tasks,
    pattern_of,
    removed_tasks,
    tools_of,
)
from memsuggest.customizations.staleness.stale_lines import (
    KnownPaths,
    Reference,
    Removal,
    Stale,
    cited_tools,
    known_paths,
    stale_lines,
)
from memsuggest.files import read_exact
from memsuggest.suggestions.pending_suggestions import load_answers, save_answers
from memsuggest.suggestions.placement.place import maintained

Asked: TypeAlias = tuple[str, Reference]
"""The folder of the file that names something, and what it names."""
_MOST_BUILD_FILES = 400
"""Build files that are read; a repo with more has its tasks elsewhere as well."""
_LARGEST_BUILD_FILE = 1 << 20
_MOST_ASKED = 300
"""Things that git is asked about at a time."""


def stale_suggestions(context: Context, targets: Sequence[Target], *, keep: Keep = made_anew) -> list[MemorySuggestion]:
    """Suggest taking out the lines of some files that speak of what git shows was there, and is gone.

    `keep` has what was made of files before: for pages that are no files, nothing is kept.
    """
    # The build files of the tools that the lines name.
    tools = {
        tool for target in targets for tool in keep("tools", target.uri, target.digest, partial(cited_tools, target))
    }
    places = [path for path in context.targets.tracked_paths if tools & tools_of(path)] if tools else []
    tasks = declared_tasks(_read(context, places)) if places else NO_TASKS
    found = stale_in(targets, known_paths(context.targets.tracked_paths), tasks, keep)
    asked = list(dict.fromkeys((target.folder, reference) for target, stale in found for reference in stale.gone))
    asked = asked[:_MOST_ASKED]
    there = _there_all_the_same(context, asked)
    removals = _removals_of(context, [thing for thing in asked if thing not in there], tasks=tasks)
    suggested = (
        of_stale(target, stale, [removals.get((target.folder, reference)) for reference in stale.gone])
        for target, stale in found
    )
    return [suggestion for suggestion in suggested if suggestion]


def stale_in(
    targets: Sequence[Target], known: KnownPaths, tasks: DeclaredTasks, keep: Keep
) -> list[tuple[Target, Stale]]:
    """Find the lines of files that name what the repository does not have; the same for the same repository."""
    there = hash_of(*sorted(known.leaves), tasks.digest)

    def rows(target: Target) -> list[tuple[object, ...]]:
        found = stale_lines(target, known, tasks)
        return [(line, [tuple(reference) for reference in gone], after) for line, gone, after in found]

    return [
        (target, Stale(line, tuple(Reference(*fields) for fields in gone), after))
        for target in targets
        for line, gone, after in keep("stale", target.uri, f"{target.digest} {there}", partial(rows, target))
    ]


def of_stale(target: Target, stale: Stale, removals: Sequence[Removal | None]) -> MemorySuggestion | None:
    """Suggest taking out lines all of whose matter is gone; `removals` are those of `stale.gone`, in its order."""
    known = [removal for removal in removals if removal]
    if not known or len(known) < len(stale.gone):
        return None
    last = max(known, key=lambda removal: removal.day)
    names = " and ".join(f"`{reference.shown}`" for reference in stale.gone)
    return maintained(
        target,
        cause=Cause.STALE,
        name="stale",
        content=f"Mentions {names}, which no longer {'exist' if len(stale.gone) > 1 else 'exists'}",
        why=f"removed by commit {last.commit} on {last.day}" + (f": “{last.subject}”" if last.subject else ""),
        after=stale.after,
    )


def _read(context: Context, places: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Yield build files with their texts, the nearest first; None for those that are not read."""
    for number, place in enumerate(sorted(places, key=lambda path: path.count("/"))):
        path, text = context.root / place, None
        if number < _MOST_BUILD_FILES and not path.is_symlink():
            with suppress(FileError):
                text = read_exact(path, limit=_LARGEST_BUILD_FILE).text
        yield place, text


_FORMAT = "--format=%x01%h%x1f%cs%x1f%s%x1f"
_LOG = ("log", "--no-color", "--encoding=UTF-8", "--no-follow", "--relative", _FORMAT)
_REMOVED = (*_LOG, "--diff-filter=D", "--no-renames", "--name-only", "-z")
_PATCHES = (*_LOG, "--diff-filter=MD", "-p", "-U0")
_RENAMED = ("show", "--no-color", "-M", "--diff-filter=RD", "--name-status", "-z", "--relative", "--format=")
_MOST_COMMITS = 30
"""Commits whose renames are looked at."""
_MOST_TASK_FILES = 40
_SUBJECT_LENGTH = 72


def _there_all_the_same(context: Context, asked: Iterable[Asked]) -> set[Asked]:
    """Return the paths that git does not track, and that lie there, or are ignored: they come and go."""
    places = [(place, thing) for thing in asked if not thing[1].tool for place in _places(thing)]
    context.looked_for |= {place: os.path.lexists(context.root / place) for place, _ in places}
    found = {thing for place, thing in places if context.looked_for[place]}
    for place, thing in places:  # what lies beyond a link, or in a repository within this one
        above = [context.root / folder for folder in _upwards(posixpath.dirname(place))]
        if any(folder.is_symlink() or (folder / ".git").exists() for folder in above):
            found.add(thing)
    ends = [(place + "/" * thing[1].name.endswith("/"), thing) for place, thing in places if thing not in found]
    output = run_git(context.root, "check-ignore", "--", *dict(ends), accept=(0, 1)) if ends else b""
    if output is None:
        return {thing for _, thing in places}  # nobody can tell
    ignored = set(_text(output).split("\n"))
    return found | {thing for end, thing in ends if end in ignored}


def head_of(root: Path) -> str:
    return current_commit(root) or git_text(root, "rev-parse", "HEAD").strip()


def _removals_of(context: Context, asked: Sequence[Asked], *, tasks: DeclaredTasks) -> dict[Asked, Removal]:
    """Return the commit that took each thing away; what git never had, or shows under another name, is left out."""
    head = head_of(context.root)
    if not head or not asked:
        return {}
    key = hash_of(head, *(f"{folder}\0{thing.tool}\0{thing.name}" for folder, thing in asked))
    kept = load_answers(context.state, context.place.worktree_key, key)
    if kept is not None:
        return {thing: Removal(**row) for thing, row in zip(asked, json.loads(kept), strict=True) if row}
    found = _removed_paths(context.root, [thing for thing in asked if not thing[1].tool])
    for tool in sorted({thing.tool for _, thing in asked if thing.tool}):
        of_tool = [thing for thing in asked if thing[1].tool == tool]
        names, places = {thing.name for _, thing in of_tool}, tasks.files.get(tool, ())[:_MOST_TASK_FILES]
        usual = [place for place in tasks.usual_files(tool) if place not in places]
        output = run_git(context.root, *_PATCHES, f"-G{pattern_of(tool, names)}", "--", *places, *usual)
        removed: dict[str, Removal] = {}
        for removal, patch in _commits_of(output):
            removed |= dict.fromkeys(removed_tasks(tool, names, patch) - removed.keys(), removal)
        found |= {thing: removed[thing[1].name] for thing in of_tool if thing[1].name in removed}
    if not context.is_dry:
        parts = [asdict(found[thing]) if thing in found else None for thing in asked]
        save_answers(context.state, context.place.worktree_key, head=head, key=key, answers=json.dumps(parts))
    return found


def _places(thing: Asked) -> list[str]:
    """Return the paths that a name may mean: from the root, and from the folder of the file that names it."""
    folder, path = thing[0], thing[1].name
    places = dict.fromkeys(posixpath.normpath(option) for option in (path, posixpath.join(folder, path)))
    return [place for place in places if not place.startswith(("..", "/"))]


def _removed_paths(root: Path, asked: Iterable[Asked]) -> dict[Asked, Removal]:
    """Return the last commit that took each path away, where that commit did not move any of it."""
    places = {thing: _places(thing) for thing in asked}
    wanted = {place for found in places.values() for place in found}
    output = run_git(root, "--literal-pathspecs", *_REMOVED, "--", *sorted(wanted)) if wanted else None
    removed: dict[str, Removal] = {}
    for removal, rest in _commits_of(output):
        for path in rest.strip("\n\0").split("\0"):
            for place in _upwards(path.strip("\n")):
                if place in wanted:
                    removed.setdefault(place, removal)
    first = {thing: next((place for place in found if place in removed), "") for thing, found in places.items()}
    commits = list(dict.fromkeys(removed[place].commit for place in first.values() if place))[:_MOST_COMMITS]
    moved: dict[str, list[str]] = {commit: [] for commit in commits}
    for commit in commits:  # of what a commit took away, git tells no new name
        statuses = iter([part for part in _text(run_git(root, *_RENAMED, commit)).split("\0") if part])
        for status in statuses:
            old = next(statuses, "")
            if status.startswith("R") and next(statuses, ""):
                moved[commit].append(old)
    return {
        thing: removed[place]
        for thing, place in first.items()
        if place and removed[place].commit in moved
        if not any(path == place or path.startswith(f"{place}/") for path in moved[removed[place].commit])
    }


def _upwards(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def _commits_of(output: bytes | None) -> Iterator[tuple[Removal, str]]:
    for chunk in _text(output).split("\x01")[1:]:
        commit, day, subject, rest = [*chunk.split("\x1f", 3), "", "", "", ""][:4]
        if commit.isalnum():
            line = " ".join(clean(redact(subject).text).split())
            line = line if len(line) <= _SUBJECT_LENGTH else line[: _SUBJECT_LENGTH - 1].rstrip() + "…"
            yield Removal(commit=commit, day=day, subject=line), rest


def _text(output: bytes | None) -> str:
    return (output or b"").decode("utf-8", "surrogateescape")
