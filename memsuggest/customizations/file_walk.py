"""The names of the files of a workspace that may be customizations: from git's index, or by a bounded walk.

Reads folders and runs git; opens no file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.core.git import run_git
from memsuggest.customizations.kinds import ALWAYS_ON_NAMES, KINDS
from memsuggest.files.target_names import NOT_OURS, VERSION_CONTROL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_SUFFIXES = (".md", ".mdc", ".json", ".MD", ".Md")
_HOST_FOLDERS = (".github", ".claude", ".agents", ".cursor", ".copilot")
_FOLDER_LIMIT = 20_000  # folders that are looked into where there is no index
_DEPTH_LIMIT = 12
_UNTRACKED = "?"  # how git tags it


@dataclass(frozen=True, slots=True, kw_only=True)
class FileListing:
    """A listing of files."""

    tracked: tuple[str, ...] = ()
    """Every path in git's index, POSIX; all files found by walking where there is no git."""
    candidates: tuple[str, ...] = ()
    """Paths that may be customizations, sorted; they need not exist."""
    odd: tuple[str, ...] = ()
    """Paths that may be customizations, and whose names have control characters."""
    is_cut: bool = False
    """The walk stopped at its limit."""


def list_workspace(root: Path) -> FileListing:
    """List the paths of a workspace in which customizations are looked for."""
    printed = run_git(root, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
    near = set(near_files(root, {folder: kind.depth_here for kind in KINDS for folder in kind.folders}))
    if printed is None:
        found, is_cut = _walk(root)
        names = {*near, *_candidates(found)}
        return FileListing(tracked=tuple(found), candidates=_sorted(names), odd=_odd(names), is_cut=is_cut)
    tagged = [row.partition(" ") for row in printed.decode("utf-8", "surrogateescape").split("\0") if row]
    tracked = tuple(path for tag, _, path in tagged if tag != _UNTRACKED)
    untracked = (path for tag, _, path in tagged if tag == _UNTRACKED)
    always_on = (path for path in untracked if path[path.rfind("/") + 1 :].lower() in ALWAYS_ON_NAMES)
    names = {*near, *_candidates(tracked), *always_on}
    return FileListing(tracked=tracked, candidates=_sorted(names), odd=_odd(names))


def _odd(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths with signs that no person sees: nobody could tell where something would go."""
    return tuple(sorted(path for path in paths if not _is_foreign(path) and not path.isprintable()))


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if not _is_foreign(path) and path.isprintable()))


def _is_foreign(path: str) -> bool:
    """Tell whether a path lies in a folder of things that came from elsewhere."""
    folded = path.lower()
    parts = folded.split("/")[:-1]
    return "/worktrees/" in folded or any(part in NOT_OURS or part in VERSION_CONTROL for part in parts)


def _candidates(paths: Iterable[str]) -> Iterator[str]:
    """Keep the paths below a host's folder and the always-on files; a cheap look, before any path is classified."""
    for path in paths:
        if path.endswith(_SUFFIXES):
            is_near = any(f"{folder}/" in path for folder in _HOST_FOLDERS)
            if is_near or path[path.rfind("/") + 1 :].lower() in ALWAYS_ON_NAMES:
                yield path


def near_files(root: Path, depths: Mapping[str, int]) -> Iterator[str]:
    """List what lies in these folders (POSIX, relative to the root), and so many folders down."""
    for folder, depth in depths.items():
        for path in list_below(root / folder, depth=depth):
            yield f"{folder}/{path}" if folder else path


def list_below(folder: Path, *, depth: int) -> list[str]:
    """List the files below one folder by their paths relative to it, sorted; links are followed, but not in circles."""
    found: list[str] = []
    seen: set[str] = set()
    waiting = [(str(folder), "", depth)]
    while waiting and len(seen) < _FOLDER_LIMIT:
        current, prefix, left = waiting.pop()
        real = os.path.realpath(current)
        if real in seen:
            continue
        seen.add(real)
        for entry in _entries(current):
            if entry.name.endswith(_SUFFIXES):
                found.append(prefix + entry.name)
            elif left and _is_folder(entry) and entry.name.lower() not in NOT_OURS:
                waiting.append((entry.path, f"{prefix}{entry.name}/", left - 1))
    return sorted(found)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _walk(root: Path) -> tuple[list[str], bool]:
    """List the files of a folder that git knows nothing of, nearest first; hidden and foreign folders are left out."""
    found: list[str] = []
    waiting = [(str(root), "", 0)]
    for folders in range(_FOLDER_LIMIT + 1):
        if folders == len(waiting):
            return found, False
        current, prefix, depth = waiting[folders]
        for entry in _entries(current):
            if entry.is_dir(follow_symlinks=False):
                is_wanted = not entry.name.startswith(".") or entry.name in _HOST_FOLDERS
                if is_wanted and depth < _DEPTH_LIMIT and entry.name.lower() not in NOT_OURS:
                    waiting.append((entry.path, f"{prefix}{entry.name}/", depth + 1))
            else:
                found.append(prefix + entry.name)
    return found, True
