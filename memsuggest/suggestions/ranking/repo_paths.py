"""The paths of a repo, and which of them a text names. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PATH_LIKE = re.compile(r"[\w@.\-/]+")
_SAID_TO_BE_FOLDERS = (
    re.compile(r"(?<![\w/.-])[`\"']?([\w@.-]{2,60})[`\"']? (?:folder|directory|dir)\b", re.IGNORECASE),
    re.compile(r"\b(?:folder|directory|dir) [`\"']?([\w@.-]{2,60})", re.IGNORECASE),
)
_FEW = 3
"""Files of a name up to which naming it means them; more are a habit of naming (`index.ts`)."""
_SHOWN = 40
"""Files of a folder that are looked at, spread over all of it."""
_DESTINATION = re.compile(
    r"\b(?:entry|entries|line|note|notes|section|paragraph|word|sentence|row|item|documented|described|mentioned"
    r"|listed|recorded|noted|registered|added|copied|eintrag|dokumentiert|beschrieben)\s+(?:\w+\s+){0,3}?"
    r"(?:in|into|to|under|im)\s+(?:the\s+|our\s+)?[`\"']?$",
    re.IGNORECASE,
)
"""What stands before a place to which something is added: the rule is needed where that something is made."""
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

    def spoken_of(self, text: str) -> list[str]:
        """Return the files that a text is about: those that it names, but where it only says what is added there.

        "New settings need an entry in docs/" is about settings.
        """
        named = self.named_in(text)
        places = [found for found in _PATH_LIKE.finditer(text) if _DESTINATION.search(text[: found.start()])]
        added_to = {name for found in places for name in self.named_in(found.group())}
        return [name for name in named if name not in added_to]

    def shown(self, paths: Iterable[str]) -> list[str]:
        """Return paths with some of the files below it for each folder, where there are any."""
        found: dict[str, None] = {}
        for path in paths:
            below = self._below(path.removesuffix(INSIDE)) if path.endswith(f"/{INSIDE}") else []
            found.update(dict.fromkeys(below or [path]))
        return list(found)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._paths)

    def _below(self, folder: str) -> list[str]:
        """Return some of the files below a folder (with its slash), spread over all of them."""
        first = bisect_left(self._sorted, folder)
        last = bisect_left(self._sorted, f"{folder}\U0010ffff")
        return self._sorted[first : last : max(1, (last - first) // _SHOWN)]

    def as_files(self, paths: Iterable[str]) -> list[str]:
        """Return paths with a file inside it for each folder, whether it ends with a slash or is known as one."""
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
