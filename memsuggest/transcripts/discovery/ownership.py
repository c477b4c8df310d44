"""Owners of the transcripts in a repo: the person where git says that they were never committed."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from memsuggest.core.git import run_git


def claimed_among(files: Iterable[str], root: Path) -> set[str]:
    """Return the files in a workspace, or linked into it, that anybody may have put there."""
    top_folder, base = str(root), os.path.realpath(root)
    folders: dict[str, str] = {}
    real: dict[str, str] = {}  # where those really lie that do, or whose path does, in the workspace
    for file in files:
        folder, name = os.path.split(file)
        if folder not in folders:  # links are resolved once a folder
            folders[folder] = os.path.realpath(folder)
        path = os.path.join(folders[folder], name)  # noqa: PTH118
        if os.path.islink(path):  # noqa: PTH114
            path = os.path.realpath(path)
        if _is_inside(file, top_folder) or _is_inside(path, base):
            real[file] = path
    if not real:
        return set()
    top = repo_of(base)
    repos = {folder: repo_of(folder) for folder in {os.path.dirname(path) for path in real.values()}}  # noqa: PTH120
    own = {
        file: path
        for file, path in real.items()
        if top and _is_inside(path, base) and repos[os.path.dirname(path)] == top  # noqa: PTH120  (thousands of them)
    }
    tracked = _tracked(top, {os.path.relpath(path, top) for path in own.values()}) if top and own else set()
    if tracked is None:
        return set(real)
    return {file for file in real if file not in own or _key(os.path.relpath(own[file], top or base)) in tracked}


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def repo_of(folder: str) -> str | None:
    while not os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return None
        folder = above
    return folder


def _tracked(top: str, paths: Iterable[str]) -> set[str] | None:
    """Return what git tracks, or has in its last commit, near these paths, in any case; None where git cannot say."""

    places = sorted({f":(icase,literal){path.partition(os.sep)[0]}" for path in paths})
    listed = run_git(Path(top), "ls-files", "-z", "--full-name", "--", *places)
    if listed is None:
        return None
    listing = ("diff-index", "--cached", "--name-status", "-z", "--no-renames", "--diff-filter=AD", "HEAD", "--")
    staged = run_git(Path(top), *listing, *places)
    if staged is None:  # or there is no commit yet, and so nothing in one
        is_new = run_git(Path(top), "rev-parse", "--verify", "--quiet", "HEAD") is None
        return set() if is_new else None
    fields = staged.decode("utf-8", "surrogateescape").split("\0")
    changed = dict(zip(fields[1::2], fields[::2], strict=False))
    names = {name for name in listed.decode("utf-8", "surrogateescape").split("\0") if name}
    added = {name for name, what in changed.items() if what == "A"}  # staged here, and never committed
    return {_key(name) for name in (names - added) | (changed.keys() - added)}


def _key(path: str) -> str:
    return unicodedata.normalize("NFC", path.replace(os.sep, "/")).casefold()
