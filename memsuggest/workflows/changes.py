"""A pull request's change, from git or from GitHub: which files, what they say now, and which lines its diff shows."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from memsuggest.customizations.kinds import place_of
from memsuggest.errors import ConfigError, WorkspaceError
from memsuggest.files import read_exact
from memsuggest.git import run_git
from memsuggest.integrations.hunks import lines_shown
from memsuggest.memory.facts_file import PLACE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from memsuggest.integrations.github import ChangedFile, GitHub

FILES = 200
"""Customization files of a pull request that are fetched."""


class Change(Protocol):
    """A pull request, wherever it is read from."""

    @property
    def base(self) -> str:
        """Name what it is compared with."""
        ...

    @property
    def paths(self) -> Collection[str]:
        """List the files that it changes, POSIX, from the root."""
        ...

    def base_facts(self) -> str | None:
        """Return the team's facts before it, as text; None for none."""
        ...

    def own_facts(self) -> str | None:
        """Return the team's facts as it has them, where its author may decide about them; None otherwise."""
        ...

    def texts(self) -> Mapping[str, str | None]:
        """Return the customization files that differ from those on disk; None for a removed one."""
        ...

    def lines_shown(self, path: str) -> Collection[int]:
        """Return the lines of a file that its diff shows."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalChange:
    """The working tree against a commit: what a pull request from here would have."""

    root: Path
    base: str
    merge_base: str
    paths: Collection[str]

    def base_facts(self) -> str | None:
        """Return the facts of the base commit."""
        shown = run_git(self.root, "show", f"{self.base}:./{PLACE}")
        return None if shown is None else shown.decode("utf-8", "replace")

    def own_facts(self) -> str | None:
        """Return the facts on disk."""
        return _facts_on_disk(self.root)

    def texts(self) -> Mapping[str, str | None]:
        """Return nothing: the files on disk are those of the change."""
        return {}

    def lines_shown(self, path: str) -> Collection[int]:
        """Return the lines that `git diff` shows."""
        patch = run_git(
            self.root,
            *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative"),
            self.merge_base,
            "--",
            path,
        )
        return lines_shown((patch or b"").decode("utf-8", "replace"))


def local_change(root: Path, base: str) -> LocalChange:
    """Compare the working tree with a commit; raises WorkspaceError for one that git does not know."""
    if base.startswith("-"):
        raise ConfigError(f"`{base}` is no name of a commit", hint="`--base origin/main`, for example")
    commit = run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    if commit is None:
        raise WorkspaceError(
            f"git knows no commit `{base}` here",
            hint="fetch it first (a shallow clone has one commit only: `git fetch --depth=50 origin BRANCH`)",
        )
    merge_base = run_git(root, "merge-base", commit.decode().strip(), "HEAD")
    if merge_base is None:
        raise WorkspaceError(
            f"`{base}` and this branch have no commit in common here",
            hint="fetch more history: `git fetch --unshallow`",
        )
    names = run_git(root, *("diff", "--name-only", "-z", "--no-renames", "--relative"), merge_base.decode().strip())
    paths = [name.decode("utf-8", "surrogateescape") for name in (names or b"").split(b"\0") if name]
    return LocalChange(root=root, base=base, merge_base=merge_base.decode().strip(), paths=frozenset(paths))


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitChange:
    """The files of a commit that is being made, or of those that are checked in CI, as they are on disk.

    The facts on disk are what it rests on: who commits has them, and so has every clone afterwards.
    """

    root: Path
    paths: Collection[str]
    base: str = "the files on disk"

    def base_facts(self) -> str | None:
        """Return the facts on disk."""
        return _facts_on_disk(self.root)

    def own_facts(self) -> str | None:
        """Return the same ones."""
        return _facts_on_disk(self.root)

    def texts(self) -> Mapping[str, str | None]:
        """Return nothing: the files on disk are those of the change."""
        return {}

    def lines_shown(self, path: str) -> Collection[int]:
        """Return nothing."""
        return ()


def commit_change(root: Path, paths: Collection[str], *, since: str) -> Change:
    """Return the change that pre-commit asks about; `since` names what a whole branch is compared with, if one is.

    Of a branch, what it adds to the facts is a claim until it is merged, as for a comment below its pull request.
    """
    try:
        return replace(local_change(root, since), paths=paths) if since else CommitChange(root=root, paths=paths)
    except (ConfigError, WorkspaceError):  # a shallow clone, or a branch that is new on the server
        return CommitChange(root=root, paths=paths)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteChange:
    """A pull request as GitHub tells it; what is on disk is its base."""

    github: GitHub
    root: Path
    number: int
    base: str
    is_fork: bool
    files: Mapping[str, ChangedFile]

    @property
    def paths(self) -> Collection[str]:
        """The files that it changes."""
        return self.files.keys()

    def base_facts(self) -> str | None:
        """Return the facts on disk."""
        return _facts_on_disk(self.root)

    def own_facts(self) -> str | None:
        """Return the facts as the pull request has them; of a fork's, nothing counts."""
        return self.github.text_at(self.number, PLACE) if PLACE in self.files and not self.is_fork else None

    def texts(self) -> Mapping[str, str | None]:
        """Fetch the customization files that it changes."""
        wanted = [one for path, one in self.files.items() if place_of(path)][:FILES]
        return {one.path: None if one.is_removed else self.github.text_at(self.number, one.path) for one in wanted}

    def lines_shown(self, path: str) -> Collection[int]:
        """Return the lines that GitHub's diff shows."""
        return lines_shown(self.files[path].patch) if path in self.files else ()


def remote_change(root: Path, github: GitHub, number: int) -> RemoteChange:
    """Ask GitHub for a pull request; raises RemoteError."""
    found = github.pull_request(number)
    files = {one.path: one for one in github.changed_files(number)}
    return RemoteChange(github=github, root=root, number=number, base=found.base, is_fork=found.is_fork, files=files)


def _facts_on_disk(root: Path) -> str | None:
    path = root / PLACE
    return read_exact(path).text if os.path.lexists(path) else None
