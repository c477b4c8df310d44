"""Patterns as we write them: read alike by every host, and inferred from the files that a rule is about. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto.glob_pieces import alternatives
from memsuggest.customizations.blocks.space import JS_SPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    for pattern in patterns:
        for way in alternatives(pattern.strip(JS_SPACE)):
            plain = _portable(way.strip(JS_SPACE))
            if plain not in written:
                written.append(plain)
    return "**" if "**" in written else ",".join(written)


def _portable(pattern: str) -> str:
    pattern = pattern.removeprefix("./").removeprefix("/")
    if pattern in ("*", "**", "**/*"):
        return "**"
    if pattern.endswith("/"):
        pattern += "**"
    segments = [_STARS.sub("*", segment) if segment != "**" else segment for segment in pattern.split("/")]
    if {"", ".", ".."}.intersection(segments) or _NOT_PORTABLE.search(_CLASS.sub("x", pattern)):
        raise ValueError(f"`{pattern}` cannot be written so that every host reads it alike")
    return "/".join(segments if len(segments) > 1 else ["**", *segments])


def infer(paths: Iterable[str]) -> str | None:
    """Say in patterns what these files (POSIX, relative to the root) have in common; None when that is too little."""
    files = sorted({path.removeprefix("./") for path in paths if _is_below_root(path)})
    if not files:
        return None
    folder = _common_folder(files)
    endings = _endings([file.rpartition("/")[2] for file in files], is_in_root=not folder)
    if folder:
        below = f"{folder}/**"
        return portable(f"{below}/{ending}" for ending in endings) if endings else portable([below])
    return portable(endings) if endings else None


def _is_below_root(path: str) -> bool:
    segments = path.removeprefix("./").split("/")
    return not path.startswith(("/", "~")) and ":" not in segments[0] and not {"", ".", ".."}.intersection(segments)


def _common_folder(files: Sequence[str]) -> str:
    common: list[str] = []
    for names in zip(*(file.split("/")[:-1] for file in files), strict=False):
        if len(set(names)) > 1 or not _SAFE_NAME.fullmatch(names[0]):
            break
        common.append(names[0])
    return "/".join(common)


def _endings(names: Sequence[str], *, is_in_root: bool) -> list[str]:
    """Return the patterns of a few sorts of file names; none when they are too many, or odd."""
    distinct = sorted(set(names))
    if is_in_root and len(distinct) <= _SORTS and all(name.rpartition(".")[2] in _DATA for name in distinct):
        return distinct
    for shape, pattern in _AFFIXES:
        if all(shape.fullmatch(name) for name in distinct):
            return sorted({pattern + name.rpartition(".")[2] for name in distinct})
    sorts = {_sort(name, is_alone=len(distinct) == 1) for name in distinct}
    return sorted(sorts) if "" not in sorts and len(sorts) <= _SORTS else []


def _sort(name: str, *, is_alone: bool) -> str:
    twofold = _TWOFOLD.search(name)
    stem, dot, ending = name.rpartition(".")
    if twofold and twofold.start():
        return "*" + twofold.group()
    if dot and stem and ending.isalnum():
        return f"*.{ending}"
    return name if is_alone and _SAFE_NAME.fullmatch(name) else ""
