"""A pull request's change, from git or its host: which files, what they say now, which lines its diff shows."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from memsuggest.core.errors import ConfigError, WorkspaceError
from memsuggest.core.git import run_git
from memsuggest.customizations.kinds import place_of
from memsuggest.facts.facts_file import PLACE, read_facts
from memsuggest.pull_requests.code_host import ChangedFile, CodeHost, hunks_shown

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

    def texts(self, on_disk: Mapping[str, str]) -> Mapping[str, str | None]:
        """Return the customization files that differ from those on disk; None for one that it does not have."""
        ...

    def all_paths(self) -> Collection[str] | None:
        """List all its files; None: those on disk."""
        ...

    def hunks(self, path: str) -> Sequence[range]:
        """Return the stretches of a file's lines that its diff shows."""
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

    def texts(self, _: Mapping[str, str]) -> Mapping[str, str | None]:
        """Return nothing: the files on disk are those of the change."""
        return {}

    def all_paths(self) -> None:
        """Return nothing, for the same reason."""

    def hunks(self, path: str) -> Sequence[range]:
        """Return what `git diff` shows."""
        patch = run_git(
            self.root,
            *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative"),
            self.merge_base,
            "--",
            path,
        )
        return hunks_shown((patch or b"").decode("utf-8", "replace"))


def local_change(root: Path, base: str) -> LocalChange:
    """Compare the working tree with a commit; raises WorkspaceError for one that git does not know."""
    if base.startswith("-"):
        raise ConfigError(f"`{base}` is not a valid commit name", hint="for example `--base origin/main`")
    commit = run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    if commit is None:
        raise WorkspaceError(
            f"git cannot find the commit `{base}`",
            hint="fetch it first (in a shallow clone: `git fetch --depth=50 origin BRANCH`)",
        )
    merge_base = run_git(root, "merge-base", commit.decode().strip(), "HEAD")
    if merge_base is None:
        raise WorkspaceError(
            f"`{base}` and this branch have no common commit",
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
        return _facts_on_disk(self.root)

    def own_facts(self) -> str | None:
        """Return the same ones."""
        return _facts_on_disk(self.root)

    def texts(self, _: Mapping[str, str]) -> Mapping[str, str | None]:
        """Return nothing: the files on disk are those of the change."""
        return {}

    def all_paths(self) -> None:
        """Return nothing, for the same reason."""

    def hunks(self, _: str) -> Sequence[range]:
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
    """A pull request as its host tells it, whatever is checked out here."""

    host: CodeHost
    number: int
    base: str
    """The branch that it goes into."""
    head: str
    """The commit that it ends with."""
    is_fork: bool
    files: Mapping[str, ChangedFile]
    tree: Mapping[str, str] | None
    """All its files with git's hash of each; None where the host does not list them."""

    @property
    def paths(self) -> Collection[str]:
        """The files that it changes."""
        return self.files.keys()

    def base_facts(self) -> str | None:
        return self.host.base_text(self.base, PLACE)

    def own_facts(self) -> str | None:
        """Return the facts as the pull request has them; of a fork's, nothing counts."""
        return self._text(PLACE) if PLACE in self.files and not self.is_fork else None

    def texts(self, on_disk: Mapping[str, str]) -> Mapping[str, str | None]:
        """Fetch the customization files that are not on disk as the pull request has them."""
        if self.tree is None:
            wanted = {path: not one.is_removed for path, one in self.files.items() if place_of(path)}
        else:
            same = {path for path, text in on_disk.items() if self.tree.get(path) == _hash_of(text)}
            known = (path for path in self.tree if path in on_disk or place_of(path))
            there = {path: True for path in known if path not in same}
            wanted = {path: False for path in on_disk if path not in self.tree} | there
        first = sorted(wanted, key=lambda path: path not in self.files)[:FILES]
        return {path: self._text(path) if wanted[path] else None for path in first}

    def all_paths(self) -> Collection[str] | None:
        return None if self.tree is None else self.tree.keys()

    def hunks(self, path: str) -> Sequence[range]:
        return hunks_shown(self.files[path].patch) if path in self.files else ()

    def _text(self, path: str) -> str | None:
        return self.host.head_text(self.number, self.head, path)


def remote_change(host: CodeHost, number: int) -> RemoteChange:
    """Ask a code host for a pull request; raises RemoteError."""
    found = host.pull_request(number)
    return RemoteChange(
        host=host,
        number=number,
        base=found.base,
        head=found.head,
        is_fork=found.is_fork,
        files={file.path: file for file in host.changed_files(number)},
        tree=host.files_at(found.head),
    )


def _hash_of(text: str) -> str:
    data = text.encode("utf-8", "surrogateescape")
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _facts_on_disk(root: Path) -> str | None:
    found = read_facts(root / PLACE)
    return None if found is None else found.text
