"""The paths of a repo, which of them a text names, and which customization files govern them. Pure.

A nested AGENTS.md governs its folder, a skill its own, instructions govern what their `applyTo` covers, and the
always-on file of the root the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memsuggest.core.model import Target
from memsuggest.customizations.applyto import is_unconditional, matching_pattern, patterns_of

_PATH_LIKE = re.compile(r"[\w@.\-/]+")
_SAID_TO_BE_FOLDERS = (
    re.compile(r"(?<![\w/.-])[`\"']?([\w@.-]{2,60})[`\"']? (?:folder|directory|dir)\b", re.IGNORECASE),
    re.compile(r"\b(?:folder|directory|dir) [`\"']?([\w@.-]{2,60})", re.IGNORECASE),
)
_FEW = 3
"""Files of a name up to which naming it means them; more are a habit of naming (`index.ts`)."""
_SHOWN = 40
"""Files of a folder that are looked at, spread over all of it."""
_SENTENCE_END = ".,;:!?"
INSIDE = "_"
"""Stands for any file in a folder that is named."""


class Tracked:
    """The paths that git tracks, POSIX, ready to be found in texts."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        return _by_last_part(self._paths)

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        found: set[str] = set()
        for path in self._paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return _by_last_part(sorted(found))

    def named_in(self, text: str) -> list[str]:
        """Return the files that a text names, whole or by the end of their path; a folder gives a file inside it."""
        found: dict[str, None] = {}
        for token in _PATH_LIKE.findall(text):
            name = token.strip("./")
            if "/" in token:
                folders = (f"{folder}/{INSIDE}" for folder in _ending(self._folders, name))
                found.update(dict.fromkeys(_ending(self._files, name) or folders))
            elif "." in name:
                found.update(dict.fromkeys(_ending(self._files, name)))
        for name in (name.strip(".") for form in _SAID_TO_BE_FOLDERS for name in form.findall(text)):
            found.update(dict.fromkeys(f"{folder}/{INSIDE}" for folder in _ending(self._folders, name)))
        return list(found)

    def shown(self, paths: Iterable[str]) -> list[str]:
        """Return paths with some of the files below it for each folder, where there are any."""
        found: dict[str, None] = {}
        for path in paths:
            below: list[str] = []
            if path.endswith(f"/{INSIDE}"):
                folder = path.removesuffix(INSIDE)
                first, last = (bisect_left(self._sorted, end) for end in (folder, f"{folder}\U0010ffff"))
                below = self._sorted[first : last : max(1, (last - first) // _SHOWN)]
            found.update(dict.fromkeys(below or [path]))
        return list(found)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._paths)

    def as_files(self, paths: Iterable[str]) -> list[str]:
        return [f"{path.rstrip('/')}/{INSIDE}" if self._is_folder(path) else path for path in paths]

    def existing(self, paths: Iterable[str]) -> list[str]:
        """Return those of some cited paths that are there, or new in a folder that is, in the spelling of git.

        Talk leaves pieces among them: `c.json` of a variable, `src/app.py.` at the end of a sentence.
        """
        found: dict[str, None] = {}
        for path in paths:
            name = path.rstrip(_SENTENCE_END)
            folder = name.rpartition("/")[0]
            is_there = bool(folder) and (not self._paths or self._is_folder(folder))
            found.update(dict.fromkeys(_ending(self._files, name) or ([name] if is_there else [])))
        return list(found)

    def _is_folder(self, path: str) -> bool:
        name = path.rstrip("/")
        return bool(name) and (name != path or name in self._folders.get(name.rpartition("/")[2], ()))


def _by_last_part(paths: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def _ending(index: dict[str, list[str]], name: str) -> list[str]:
    """Return the path itself, or those that end like it where they are few."""
    same = index.get(name.rpartition("/")[2], ())
    if name in same:
        return [name]
    ending = [path for path in same if path.endswith(f"/{name}")]
    return ending if len(ending) <= _FEW else []


_NOT_LITERAL = re.compile(r"\{[^}]*\}?|\[[^\]]*\]?|[*?]+")
"""What stands for other signs than itself: alternatives, classes, wildcards."""


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover of the cited paths by files of an index, by number; shares of them, 0 to 1."""

    near: dict[int, float] = field(default_factory=dict)
    """Files with a folder of their own: paths to which it is the nearest."""
    applies: dict[int, float] = field(default_factory=dict)
    """Instructions: paths that its patterns cover."""
    cited: dict[int, str] = field(default_factory=dict)
    """The first path that is theirs; a folder with its slash."""


NOTHING = Cover()


class Territories:
    """The territories of the files of an index."""

    def __init__(self, targets: Sequence[Target], *, local: Iterable[int], root: str, tracked: Tracked) -> None:
        self._root = root
        self._tracked = tracked
        self._folders: dict[str, list[int]] = {}
        for number in local:
            self._folders.setdefault(targets[number].folder, []).append(number)
        patterns: dict[str, list[int]] = {}
        for number, target in enumerate(targets):
            if target.applies_to and not target.always_on and not is_unconditional(target.applies_to):
                for pattern in patterns_of(target.applies_to):
                    patterns.setdefault(pattern, []).append(number)
        self._patterns = [
            (max((piece.strip("/") for piece in _NOT_LITERAL.split(pattern.lower())), key=len), pattern, tuple(numbers))
            for pattern, numbers in patterns.items()
        ]
        self._of_path: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def cover(self, paths: Sequence[str]) -> Cover:
        """Say which files cover cited paths (relative to the root, or absolute)."""
        root = self._root.rstrip("/") + "/"
        root = root if root != "/" else ""
        relative = [path.replace("\\", "/").removeprefix(root).removeprefix("./") for path in paths]
        cover = Cover()
        for path in relative:
            share = 1 / len(relative)
            if path not in self._of_path:
                self._of_path[path] = self._nearest(path), self._covering(path)
            near, applies = self._of_path[path]
            for found, numbers in ((cover.near, near), (cover.applies, applies)):
                for number in numbers:
                    found[number] = found.get(number, 0.0) + share
                    cover.cited.setdefault(number, path.removesuffix(INSIDE))
        return cover

    def _nearest(self, path: str) -> tuple[int, ...]:
        while "/" in path:
            path = path.rpartition("/")[0]
            if path in self._folders:
                return tuple(self._folders[path])
        return ()

    def _covering(self, path: str) -> tuple[int, ...]:
        root = self._root or "/"
        whole = f"{root}/{path}".lower()
        found: dict[int, None] = {}
        # A folder stands for the files in it: `web/**/*.tsx` is for the folder `web`, too.
        inside = [] if not path.endswith(f"/{INSIDE}") else self._tracked.shown([path])
        for literal, pattern, numbers in self._patterns:
            is_possible = literal in whole or bool(inside)
            if is_possible and any(matching_pattern(pattern, file, root=root) for file in inside or [path]):
                found.update(dict.fromkeys(numbers))
        return tuple(found)
