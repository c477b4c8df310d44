"""Branches of archived sessions that were merged since: by a merge, squashed, or commit by commit.

Few and sure: a squashed branch counts when one commit of the main line changes exactly what the whole branch does.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.core.git import git_text
from memsuggest.memory.finished_tasks import Merged, change_of, changes_in, merges_among

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from memsuggest.memory.finished_tasks import Change

_LOG = ("log", "-300", "--merges", "--first-parent", "--format=%ct %s", "HEAD")
_PATCH = ("--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "--unified=3")
_COMMITS = ("log", "-300", "--no-merges", "-p", *_PATCH, "--format=%x1e%ct %s")
_MOST = 20
"""Branches that are looked at in one run."""
_LARGE = 2_000_000
"""Characters of a branch's change from which nobody looks for it again."""
_LEFT = "checkout: moving from "


def merged_branches(root: Path, branches: Collection[str]) -> list[Merged]:
    """Return those of some branches that were merged into what is checked out, the oldest first."""
    by_merge = merges_among(_told(root, *_LOG), branches)
    named = {one.branch for one in by_merge}
    rest = [one for one in sorted(branches) if one not in named][:_MOST]
    found = (_squashed(root, branch, tip) for branch, tip in _tips(root, rest).items())
    return sorted([*by_merge, *(one for one in found if one)], key=lambda one: one.at)


def _told(root: Path, *words: str) -> str:
    return git_text(root, *words)


def _tips(root: Path, branches: Collection[str]) -> dict[str, str]:
    """Return the last commits of branches: of one that is gone, where it was when somebody last left it."""
    current = _told(root, "symbolic-ref", "--quiet", "--short", "HEAD").strip()
    left = dict(_left(_told(root, "log", "-g", "-1000", "--format=%H %gs", "HEAD"))) if branches else {}
    found: dict[str, str] = {}
    for branch in branches:
        here = _told(root, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}^{{commit}}").strip()
        if branch != current and (tip := here or left.get(branch, "")):
            found[branch] = tip
    return found


def _left(reflog: str) -> Iterator[tuple[str, str]]:
    """Yield the branches that somebody left, and their commits then; the last time comes last."""
    lines = [line.partition(" ") for line in reflog.splitlines()]
    for (_, _, what), (before, _, _) in reversed(list(pairwise(lines))):
        if what.startswith(_LEFT):
            yield what.removeprefix(_LEFT).partition(" to ")[0], before


def _squashed(root: Path, branch: str, tip: str) -> Merged | None:
    """Return when all that a branch changes came to the main line, if it did."""
    base = _told(root, "merge-base", "HEAD", tip).strip()
    if not base or base == tip:
        return None  # nothing was done on it, or it was merged as it was
    whole = _told(root, "diff", *_PATCH, base, tip, "--")
    if not whole or len(whole) > _LARGE:
        return None
    files = _told(root, "diff", "--name-only", "-z", base, tip, "--").split("\0")[:-1]
    paths = [f":(literal){name}" for name in files[:50]]
    there = changes_in(_told(root, *_COMMITS, "--first-parent", "--full-diff", f"{base}..HEAD", "--", *paths))
    found = there.get(change_of(whole)) or _one_by_one(root, base, tip, there)
    return Merged(branch=branch, at=found.at, request=found.request) if found else None


def _one_by_one(root: Path, base: str, tip: str, there: Mapping[str, Change]) -> Change | None:
    """Return the change by which the last commit of a branch came, where all of them did."""
    if not there:
        return None
    own = changes_in(_told(root, *_COMMITS, f"{base}..{tip}"))
    count = _told(root, "rev-list", "--count", "--no-merges", f"{base}..{tip}").strip()
    came = [there[one] for one in own if one in there]
    is_all = came and str(len(came)) == count  # a commit that cannot be compared has not come, as far as we know
    return max(came, key=lambda one: one.at) if is_all else None
