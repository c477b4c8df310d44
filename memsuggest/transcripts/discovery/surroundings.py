"""The surroundings on which the places of transcripts depend, and the looking into folders that finds them.

Reads the environment only through the mapping it is given. Nothing here opens a transcript.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.storage.source import Source
from memsuggest.transcripts.storage.virtual_sessions import FileStatus

_SMALL = 1024 * 1024  # bytes of a file that only names folders


class FileCandidate(NamedTuple):
    """A file that may be a transcript of the workspace, by its place alone."""

    path: str
    status: FileStatus
    is_here: bool | None  # whether its place says that it is about the workspace; None: only its records do


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The facts that places depend on."""

    root: Path
    home: Path
    environ: Mapping[str, str]
    platform: str
    looked_into: set[str] = field(default_factory=set, compare=False)
    """Folders, there or not: a new transcript will appear in one of them."""

    def folder(self, variable: str, usual: str) -> Path:
        named = self.environ.get(variable)
        return Path(named) if named else self.home / usual

    def roots(self) -> tuple[str, ...]:
        """Return the root as programs may have called it: by its real path, and by the one that the shell shows."""
        current = Path(self.environ.get("PWD") or self.root)
        shown = next((str(place) for place in (current, *current.parents) if _real(str(place)) == str(self.root)), None)
        return tuple(dict.fromkeys((str(self.root), shown or str(self.root))))

    def note(self, folder: Path | str) -> None:
        self.looked_into.add(str(folder))

    def folders_in(self, folder: Path | str) -> list[os.DirEntry[str]]:
        """List the folders in a folder; a folder that is not there, or closed to us, has none."""
        self.note(folder)
        try:
            with os.scandir(folder) as listing:
                return sorted((entry for entry in listing if entry.is_dir()), key=lambda entry: entry.name)
        except OSError:
            return []

    def files_in(
        self, folder: Path | str, pattern: str, *, is_here: bool | None = None, unless: str = ""
    ) -> Iterator[FileCandidate]:
        self.note(folder)
        is_match = re.compile(fnmatch.translate(pattern)).match
        is_other = re.compile(fnmatch.translate(unless)).match
        try:
            with os.scandir(folder) as listing:
                found = {entry.name: entry for entry in listing if is_match(entry.name) and not is_other(entry.name)}
        except OSError:
            return
        for name in sorted(found):
            try:
                status = found[name].stat()
            except OSError:
                continue  # gone since it was listed
            if stat.S_ISREG(status.st_mode):
                yield FileCandidate(found[name].path, status, is_here)

    def sessions_in(
        self,
        folders: Iterable[Path | str],
        pattern: str,
        endings: Sequence[str] = ("",),
        *,
        is_here: bool | None = None,
    ) -> Iterator[FileCandidate]:
        """Yield the files of each ending in turn, but none that is there with an ending before it: the newer form."""
        for folder in folders:
            seen: set[str] = set()
            for ending in endings:
                found = list(self.files_in(folder, pattern + ending, is_here=is_here))
                yield from (file for file in found if file.path.removesuffix(ending) not in seen)
                seen |= {file.path.removesuffix(ending) for file in found}


def is_same_or_below(path: str, root: Path) -> bool:
    """Tell whether a folder, as some system wrote it, is the root or lies in it; Windows' paths in any case."""
    base = _parts(str(root))
    return _parts(path)[: len(base)] == base


def _parts(path: str) -> tuple[str, ...]:
    if re.match(r"[A-Za-z]:(?:[\\/]|\Z)|\\\\", path):
        return tuple(part.casefold() for part in PureWindowsPath(path).parts)
    return PurePosixPath(path).parts


def as_in(path: str, root: Path) -> str | None:
    """Return a folder's path if it is the root or lies in it: as it is told, or else as its links resolve."""
    if is_same_or_below(path, root):
        return path
    real = _real(path)
    return real if real and is_same_or_below(real, root) else None


@lru_cache(maxsize=1024)
def _real(path: str) -> str:
    """Resolve the links of a folder that is there; other machines' folders are not."""
    try:
        return os.path.realpath(path) if Path(path).is_absolute() and Path(path).is_dir() else ""
    except ValueError:  # a NUL in it
        return ""


def text_in(path: Path) -> str:
    try:
        return Source.at(path).whole(limit=_SMALL).decode("utf-8", "replace")
    except TranscriptError:
        return ""


def json_in(path: Path) -> object:
    """Read a small JSON file; None where there is none."""
    try:
        return json.loads(text_in(path))
    except (ValueError, RecursionError):
        return None
