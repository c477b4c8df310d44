"""The files of the repo that a customization file governs, held against cited paths. Pure.

A nested AGENTS.md governs its folder, a skill its own, instructions govern what their `applyTo` covers, and the
always-on file of the root the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional, matching_pattern, patterns_of
from memsuggest.suggestions.ranking.repo_paths import INSIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.model import Target
    from memsuggest.suggestions.ranking.repo_paths import Tracked

_TELLS_LITTLE = re.compile(
    r"(?:^|/)(?:changelog[^/]*|license[^/]*|third[-_]party[^/]*|[^/]*lock[^/]*|\.gitignore|\.?cspell[^/]*|package\.json"
    r"|\.editorconfig|[^/]*\.(?:slnx?|snap|xlf|resx))\Z",
    re.IGNORECASE,
)
"""Files that are touched by changes of all sorts."""
_NOT_LITERAL = re.compile(r"\{[^}]*\}?|\[[^\]]*\]?|[*?]+")
"""What stands for other signs than itself: alternatives, classes, wildcards."""
_IS_PROSE = re.compile(r"\.(?:mdx?|rst|txt|adoc)\Z", re.IGNORECASE)
_WEIGHTS = ((_TELLS_LITTLE, 0.15), (_IS_PROSE, 0.4))


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover of the cited paths by files of an index, by number; shares of their weight, 0 to 1."""

    near: dict[int, float] = field(default_factory=dict)
    """Files with a folder of their own: paths to which it is the nearest."""
    under: dict[int, float] = field(default_factory=dict)
    """Files with a folder of their own: paths below it."""
    applies: dict[int, float] = field(default_factory=dict)
    """Instructions: paths that its patterns cover."""
    cited: dict[int, str] = field(default_factory=dict)
    """The first path that is theirs; a folder with its slash."""


NOTHING = Cover()


def weight_of(path: str) -> float:
    """Say how much a cited path tells about where a rule belongs, 0 to 1."""
    return next((weight for form, weight in _WEIGHTS if form.search(path)), 1.0)


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
        self._patterns = [(_literal(pattern), pattern, tuple(numbers)) for pattern, numbers in patterns.items()]
        self._of_path: dict[str, tuple[tuple[int, ...], ...]] = {}

    def cover(self, paths: Sequence[str]) -> Cover:
        """Weigh cited paths (relative to the root, or absolute)."""
        relative = [self._relative(path) for path in paths]
        total = sum(map(weight_of, relative))
        if not total:
            return NOTHING
        cover = Cover()
        for path in relative:
            share = weight_of(path) / total
            near, under, applies = self._governing(path)
            for found, numbers in ((cover.near, near), (cover.under, under), (cover.applies, applies)):
                for number in numbers:
                    found[number] = found.get(number, 0.0) + share
                    cover.cited.setdefault(number, path.removesuffix(INSIDE))
        return cover

    def _relative(self, path: str) -> str:
        root = self._root.rstrip("/") + "/"
        return path.replace("\\", "/").removeprefix(root if root != "/" else "").removeprefix("./")

    def _governing(self, path: str) -> tuple[tuple[int, ...], ...]:
        known = self._of_path.get(path)
        if known is None:
            known = self._of_path[path] = (*self._nested(path), self._covering(path))
        return known

    def _nested(self, path: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        near: tuple[int, ...] = ()
        under: list[int] = []
        folder = path
        while "/" in folder:
            folder = folder.rpartition("/")[0]
            found = self._folders.get(folder, ())
            near = near or tuple(found)
            under += found
        return near, tuple(under)

    def _covering(self, path: str) -> tuple[int, ...]:
        root = self._root or "/"
        whole = f"{root}/{path}".lower()
        found: dict[int, None] = {}
        # A folder stands for the files in it: `web/**/*.tsx` is for the folder `web`, too.
        inside = [] if not path.endswith(f"/{INSIDE}") else self._tracked.shown([path])
        for literal, pattern, numbers in self._patterns:
            is_possible = literal in whole or bool(inside)
            if is_possible and any(matching_pattern(pattern, one, root=root) for one in inside or [path]):
                found.update(dict.fromkeys(numbers))
        return tuple(found)


def _literal(pattern: str) -> str:
    """Return the longest piece of a pattern that stands in every path that it matches, in lower case."""
    pieces = _NOT_LITERAL.split(pattern.lower())
    return max((piece.strip("/") for piece in pieces), key=len)
