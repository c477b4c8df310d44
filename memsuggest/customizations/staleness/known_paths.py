"""The paths of a repository, and whether one that is not among them may only have moved. Pure."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.staleness.references import ReferenceKind
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memsuggest.customizations.staleness.references import Reference

_GENERIC = word_set(
    "readme index main __init__ mod lib types type utils util constants config setup package agents claude skill app"
    " makefile dockerfile changelog license settings conftest models model test tests helpers common base schema"
)
"""Names of files, without endings, that say nothing: each folder may have one of its own."""
_MOST_NAMESAKES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPaths:
    """The paths of a repository."""

    paths: frozenset[str]
    """Every tracked path and every folder above one, in lower case."""
    leaves: Mapping[str, str]
    """The tracked paths themselves (files, links, and repositories within this one), as they are spelled."""
    by_name: Mapping[str, tuple[str, ...]]
    """All paths by their last names."""

    def has(self, path: str) -> bool:
        """Tell whether there is such a path, from the root, or from any folder: rules are often a package's."""
        path = path.lower().strip("/")
        ending = "/" + path
        return any(one == path or one.endswith(ending) for one in self.namesakes(path))

    def namesakes(self, path: str) -> tuple[str, ...]:
        """Return all paths of the same last name."""
        return self.by_name.get(path.lower().strip("/").rpartition("/")[2], ())

    def is_within_leaf(self, path: str) -> bool:
        """Tell whether a path lies in what git knows as one thing: a repository within this one, or a link."""
        parts = path.lower().strip("/").split("/")
        return any("/".join(parts[:length]) in self.leaves for length in range(1, len(parts)))

    def is_telling(self, path: str) -> bool:
        """Tell whether the last name of a path is one that only a few things have."""
        name = path.strip("/").rpartition("/")[2]
        stem = name.lstrip(".").partition(".")[0]
        return len(self.namesakes(path)) <= _MOST_NAMESAKES and stem.lower() not in _GENERIC


def known_paths(tracked: Iterable[str]) -> KnownPaths:
    """Take in the paths of a repository, once for all its files."""
    known: set[str] = set()
    leaves = {path.lower(): path for path in tracked}
    for leaf in leaves:
        path = leaf
        while path and path not in known:
            known.add(path)
            path = path.rpartition("/")[0]
    by_name: dict[str, list[str]] = {}
    for path in known:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    return KnownPaths(
        paths=frozenset(known), leaves=leaves, by_name={name: tuple(paths) for name, paths in by_name.items()}
    )


def may_be_elsewhere(known: KnownPaths, one: Reference, folder: str) -> bool:
    """Tell whether a path may only have moved: a file of its telling name is there, or a folder took its place."""
    if one.kind is not ReferenceKind.PATH:
        return False
    place, _, ending = one.name.rpartition(".")
    if ending and "/" not in ending and "/" in place:  # `src/api/` instead of `src/api.ts`
        here = (posixpath.normpath(place).lower(), posixpath.normpath(posixpath.join(folder, place)).lower())
        if any(path in known.paths and path not in known.leaves for path in here):
            return True
    return known.is_telling(one.name) and bool(known.namesakes(one.name))
