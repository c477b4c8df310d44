"""`applyTo`: which files a pattern covers, in both dialects, and how a portable one is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal

from memsuggest.customizations.globs import alternatives, compiled, glob, split_aware

JS_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000\ufeff"
)
"""What the hosts, being written in JavaScript, take for white space."""


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
        raise ValueError(f"unknown dialect `{dialect}`; choose from {', '.join(DIALECTS)}")
    is_vscode, base = dialect == "vscode", _posix(root).rstrip("/") + "/"
    subject = None if path is None else _posix(path)
    if subject is not None and not subject.startswith("/"):
        subject = (base if is_vscode else "") + subject.removeprefix("./")
    elif subject is not None and not is_vscode:  # of what lies elsewhere GitHub knows nothing
        subject = subject.removeprefix(base) if subject.startswith(base) else None
    for pattern in patterns_of(apply_to):
        if pattern in _UNCONDITIONAL[dialect]:
            return pattern
        normal = "**/" + pattern if is_vscode and not pattern.startswith(("/", "**/")) else pattern
        if subject is not None and (compiled(normal) if is_vscode else _github(normal))(subject):
            return normal
    return None


def is_unconditional(apply_to: str | None) -> bool:
    """Tell whether VS Code attaches the file to every request."""
    return any(pattern in _UNCONDITIONAL["vscode"] for pattern in patterns_of(apply_to))


def _posix(path: str) -> str:
    if len(path) > 1 and (path[1] == ":" or path.startswith("\\\\")):
        path = path.replace("\\", "/")
    return "/" + path if _DRIVE.match(path) else path


@lru_cache(maxsize=4096)
def _github(pattern: str) -> Callable[[str], bool]:
    """Compile a pattern relative to the repository's root, where case counts and braces nest."""
    ways = [glob(way, ignores_case=False) for way in alternatives(pattern.removeprefix("./"))]
    return lambda path: any(matches(path) for matches in ways)


_WHYS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\*\Z"), "`*` matches every file in VS Code, but only files in the root folder on GitHub"),
    (
        re.compile(r"[^/]*\Z"),
        "a name without a folder matches in every folder in VS Code, but only in the root folder on GitHub",
    ),
    (re.compile(r"\./"), "`./` never matches in VS Code"),
    (re.compile(r"/"), "a leading `/` means the file system root in VS Code"),
    (re.compile(r"(?!\*\*/).*"), "the pattern matches from the root on GitHub, but from any folder in VS Code"),
    (re.compile(r""), "VS Code and GitHub handle case, braces or backslashes differently"),
)


def why_different(apply_to: str | None, path: str, root: str) -> list[str]:
    """Say of each pattern that covers a file (relative to the root) in one dialect only why that is so."""
    return [
        next(why for shape, why in _WHYS if shape.match(pattern))
        for pattern in patterns_of(apply_to)
        if len({matching_pattern(pattern, path, root=root, dialect=dialect) is None for dialect in DIALECTS}) > 1
    ]


_SAFE_NAME = re.compile(r"[^\s,*?\[\]{}!\\\"'|;:<>\x00-\x1f\x7f]+")
_NOT_PORTABLE = re.compile("[!\\\\,{}\\[\\]\"'\n\r]")
_CLASS = re.compile(r"\[[^\[\]/!,\\\"'\n\r]+\]")
_STARS = re.compile(r"\*{2,}")
_SORTS = 3  # sorts of files that are listed one by one; more are the whole folder
_TWOFOLD = re.compile(r"\.(?:test|spec|stories|e2e|cy|bench|module|config|d|component|service)\.[A-Za-z0-9]+\Z")
_AFFIXES = (
    (re.compile(r".+_test\.[A-Za-z0-9]+"), "*_test."),
    (re.compile(r".+_spec\.[A-Za-z0-9]+"), "*_spec."),
    (re.compile(r"test_.+\.[A-Za-z0-9]+"), "test_*."),
)
"""How tests are named where no second ending tells."""
_DATA = {"json", "yaml", "yml", "toml", "ini", "cfg", "conf", "lock", "xml", "properties", "env"}
"""Endings that say nothing about what a file is for: in the root folder its name does."""


def portable(patterns: Iterable[str]) -> str:
    """Write patterns so that both dialects read them alike: no braces, no `./`, `**/` before what has no folder.

    Raises ValueError for a pattern that cannot be written so (a negation, a backslash, a path that leaves the root).
    """
    written: list[str] = []
    for way in (way for pattern in patterns for way in alternatives(pattern.strip(JS_SPACE))):
        plain = way.strip(JS_SPACE).removeprefix("./").removeprefix("/")
        if plain in ("*", "**", "**/*"):
            written.append("**")
            continue
        plain += "**" * plain.endswith("/")
        segments = [_STARS.sub("*", segment) if segment != "**" else segment for segment in plain.split("/")]
        if {"", ".", ".."}.intersection(segments) or _NOT_PORTABLE.search(_CLASS.sub("x", plain)):
            raise ValueError(f"`{plain}` cannot be written in a form that all assistants read the same way")
        written.append("/".join(segments if len(segments) > 1 else ["**", *segments]))
    return "**" if "**" in written else ",".join(dict.fromkeys(written))


def infer(paths: Iterable[str]) -> str | None:
    """Say in patterns what these files (POSIX, relative to the root) have in common; None when that is too little."""
    files = set[tuple[str, ...]]()
    for path in paths:
        names = path.removeprefix("./").split("/")
        if not path.startswith(("/", "~")) and ":" not in names[0] and not {"", ".", ".."}.intersection(names):
            files.add(tuple(names))
    if not files:
        return None
    folder = ""
    for level in zip(*(names[:-1] for names in files), strict=False):
        if len(set(level)) > 1 or not _SAFE_NAME.fullmatch(level[0]):
            break
        folder += f"{level[0]}/"
    endings = _endings(sorted({names[-1] for names in files}), is_in_root=not folder)
    if folder:
        endings = [f"{folder}**/{ending}" for ending in endings] or [f"{folder}**"]
    return portable(endings) if endings else None


def _endings(names: Sequence[str], *, is_in_root: bool) -> list[str]:
    """Return the patterns of a few sorts of file names; none when they are too many, or odd."""
    if is_in_root and len(names) <= _SORTS and all(name.rpartition(".")[2] in _DATA for name in names):
        return list(names)
    for shape, pattern in _AFFIXES:
        if all(shape.fullmatch(name) for name in names):
            return sorted({pattern + name.rpartition(".")[2] for name in names})
    sorts: set[str] = set()
    for name in names:
        twofold, (stem, dot, ending) = _TWOFOLD.search(name), name.rpartition(".")
        if twofold and twofold.start():
            sorts.add("*" + twofold.group())
        elif dot and stem and ending.isalnum():
            sorts.add(f"*.{ending}")
        elif len(names) == 1 and _SAFE_NAME.fullmatch(name):
            sorts.add(name)
        else:
            return []
    return sorted(sorts) if len(sorts) <= _SORTS else []
