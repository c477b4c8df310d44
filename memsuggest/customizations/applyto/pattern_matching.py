"""Matching of `applyTo` to files: as VS Code does it, as GitHub documents it, and where they differ. Pure.

VS Code matches against the absolute path, after putting `**/` before every pattern that begins with neither `/` nor
`**/`; so `*.ts` means every folder and `src/**` a `src` at any depth. GitHub's pages describe patterns relative to the
repository's root: `*.ts` is the root folder only. Written is only what both read alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from memsuggest.customizations.applyto.glob_engine import Glob, compiled
from memsuggest.customizations.applyto.glob_pieces import alternatives, split_aware
from memsuggest.customizations.blocks.space import JS_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Dialect = Literal["vscode", "github"]
DIALECTS: tuple[Dialect, ...] = ("vscode", "github")

_UNCONDITIONAL = {"vscode": ("**", "**/*", "*"), "github": ("**", "**/*")}
_DRIVE = re.compile(r"[A-Za-z]:/")


def patterns_of(apply_to: str | None) -> list[str]:
    """Split an `applyTo` into its patterns, as both hosts do."""
    return [part.strip(JS_SPACE) for part in split_aware(apply_to or "", ",") if part.strip(JS_SPACE)]


def matching_pattern(apply_to: str | None, path: str | None, *, root: str, dialect: str = "vscode") -> str | None:
    """Return the first pattern that covers the file, in the host's normal form, or None.

    `path` is absolute or relative to `root`; None means no file in context, so that only `**` and its like match.
    """
    if dialect not in _UNCONDITIONAL:
        raise ValueError(f"`{dialect}` is no dialect; there are {', '.join(DIALECTS)}")
    subject = None if path is None else _absolute(path, root) if dialect == "vscode" else _relative(path, root)
    for pattern in patterns_of(apply_to):
        if pattern in _UNCONDITIONAL[dialect]:
            return pattern
        normal = _anchored(pattern) if dialect == "vscode" else pattern
        if subject is not None and (compiled(normal) if dialect == "vscode" else _github(normal))(subject):
            return normal
    return None


def is_unconditional(apply_to: str | None) -> bool:
    """Tell whether VS Code attaches the file to every request."""
    return any(pattern in _UNCONDITIONAL["vscode"] for pattern in patterns_of(apply_to))


def _anchored(pattern: str) -> str:
    return pattern if pattern.startswith(("/", "**/")) else "**/" + pattern


def _posix(path: str) -> str:
    """Spell a Windows path the way its address has it: `/c:/code/app`."""
    if len(path) > 1 and (path[1] == ":" or path.startswith("\\\\")):
        path = path.replace("\\", "/")
    return "/" + path if _DRIVE.match(path) else path


def _absolute(path: str, root: str) -> str:
    path = _posix(path)
    return path if path.startswith("/") else _posix(root).rstrip("/") + "/" + path.removeprefix("./")


def _relative(path: str, root: str) -> str | None:
    """Return the path below the root; None when it lies elsewhere."""
    path = _posix(path)
    if not path.startswith("/"):
        return path.removeprefix("./")
    base = _posix(root).rstrip("/") + "/"
    return path[len(base) :] if path.startswith(base) else None


# ---- GitHub's dialect ----


@lru_cache(maxsize=4096)
def _github(pattern: str) -> Callable[[str], bool]:
    """Compile a pattern relative to the repository's root, where case counts and braces nest."""
    globs = [Glob(way, ignores_case=False) for way in alternatives(pattern.removeprefix("./"))]
    return lambda path: any(glob.matches(path) for glob in globs)


# ---- where they differ ----


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A pattern that the dialects read differently."""

    pattern: str
    why: str
    only_vscode: tuple[str, ...] = ()
    """Some of the given files that only VS Code covers by it."""
    only_github: tuple[str, ...] = ()


_SHOWN = 3
_WHYS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\*\Z"), "`*` is every file for VS Code, and only those of the root folder for GitHub"),
    (re.compile(r"[^/]*\Z"), "without a folder it means any folder for VS Code, and only the root for GitHub"),
    (re.compile(r"\./"), "`./` never matches in VS Code"),
    (re.compile(r"/"), "a leading `/` is the root of the file system for VS Code"),
    (re.compile(r"(?!\*\*/).*"), "it begins at the root for GitHub, and in any folder of that name for VS Code"),
    (re.compile(r""), "case, braces or backslashes count differently"),
)


def differences(apply_to: str | None, paths: Iterable[str], root: str) -> tuple[Difference, ...]:
    """Name the patterns by which the dialects cover different ones of these files (relative to the root)."""
    listed = list(paths)
    return tuple(filter(None, (_difference(pattern, listed, root) for pattern in patterns_of(apply_to))))


def _difference(pattern: str, paths: Sequence[str], root: str) -> Difference | None:
    by = {
        dialect: [path for path in paths if matching_pattern(pattern, path, root=root, dialect=dialect)]
        for dialect in DIALECTS
    }
    if by["vscode"] == by["github"]:
        return None
    vscode, github = set(by["vscode"]), set(by["github"])
    return Difference(
        pattern=pattern,
        why=next(why for shape, why in _WHYS if shape.match(pattern)),
        only_vscode=tuple(path for path in by["vscode"] if path not in github)[:_SHOWN],
        only_github=tuple(path for path in by["github"] if path not in vscode)[:_SHOWN],
    )
