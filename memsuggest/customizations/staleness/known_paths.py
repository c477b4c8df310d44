"""The paths of a repository, and where a path that is not one of them may have gone. Pure."""

from __future__ import annotations

import posixpath
import re
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
_TWO_WORDS = re.compile(r"[a-z0-9][-_.][a-z0-9]|[a-z][A-Z]")
_LONG = 10  # characters of a single word that is a name of its own


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


def elsewhere(known: KnownPaths, one: Reference, folder: str) -> tuple[str, ...]:
    """Return where else there is a file or folder of a telling name, as the reference would be written there.

    Empty marks stand for places that are too unlike the old one to take it for the same file.
    """
    if one.kind is not ReferenceKind.PATH:
        return ()
    if split := _split_up(known, one, folder):
        return (split,)
    return (
        ()
        if not known.is_telling(one.name)
        else tuple(_likely(known, one, place, folder) for place in known.namesakes(one.name))
    )


def _split_up(known: KnownPaths, one: Reference, folder: str) -> str:
    """Return the folder that took the place of a file: `src/api/github/` of `src/api/github.ts`; empty for none."""
    place, _, ending = one.name.rpartition(".")
    if not ending or "/" in ending or "/" not in place:
        return ""
    here = {posixpath.normpath(place).lower(), posixpath.normpath(posixpath.join(folder, place)).lower()}
    found = next((path for path in sorted(here) if path in known.paths and path not in known.leaves), None)
    if found is None:
        return ""
    spelled = next(path for low, path in known.leaves.items() if low.startswith(f"{found}/"))[: len(found)]
    return f"{place.rpartition('/')[0]}/{spelled.rpartition('/')[2]}/"


def _likely(known: KnownPaths, one: Reference, place: str, folder: str) -> str:
    """Return the new place of a file of its own name below a folder of the old place's name; else nothing."""
    spelled = known.leaves.get(place, "")
    name = spelled.rpartition("/")[2]
    is_own_name = _TWO_WORDS.search(name.rpartition(".")[0]) or len(name) >= _LONG
    shared = set(place.split("/")[:-1]).intersection(one.name.lower().split("/")[:-1])
    if not (spelled and is_own_name and shared):
        return ""
    is_below = bool(folder) and spelled.startswith(f"{folder}/")
    is_from_folder = one.is_link or (is_below and f"{folder}/{one.name.split('/')[0]}".lower() in known.paths)
    return written_like(one, spelled, folder if is_from_folder else "")


def written_like(one: Reference, new: str, folder: str) -> str:
    """Return a path, given from the root, in the way in which a reference is written that starts at a folder."""
    written = posixpath.relpath(new, folder) if folder else new
    mark = "./" if one.name.startswith("./") and not written.startswith(".") else ""
    return mark + written + ("/" if one.name.endswith("/") else "")


def is_likely_rename(known: KnownPaths, old: str, new: str) -> bool:
    """Tell whether what git takes for a rename is one: short files of a kind are alike wherever they are."""
    (old_folder, _, old_name), (new_folder, _, new_name) = old.rpartition("/"), new.rpartition("/")
    if old_folder == new_folder:
        return True
    is_same_parent = old_folder.rpartition("/")[2] == new_folder.rpartition("/")[2] != ""
    return old_name == new_name and (is_same_parent or known.is_telling(new))
