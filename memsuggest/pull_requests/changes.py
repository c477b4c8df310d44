"""A pull request's change, from git or its host: which files, what they say now, which lines its diff shows."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.errors import ConfigError, WorkspaceError
from memsuggest.core.git import run_git
from memsuggest.customizations.kinds import place_of
from memsuggest.facts.facts_file import PLACE, read_facts
from memsuggest.pull_requests.code_host import ChangedFile, hunks_shown

if TYPE_CHECKING:
    from memsuggest.pull_requests.github import GitHub
    from memsuggest.pull_requests.gitlab import GitLab

    Host = GitHub | GitLab

FILES = 200  # customization files of a pull request that are fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalChange:
    """The files on disk: against a commit, as a pull request from here would have them, or those of a commit.

    Without a commit to compare with, the facts on disk are what it rests on: who commits has them, and so has every
    clone afterwards.
    """

    root: Path
    paths: Collection[str]
    base: str = "the files on disk"
    merge_base: str = ""  # empty where there is no commit to compare with

    def base_facts(self) -> str | None:
        if not self.merge_base:
            return self.own_facts()
        shown = run_git(self.root, "show", f"{self.base}:./{PLACE}")
        return None if shown is None else shown.decode("utf-8", "replace")

    def own_facts(self) -> str | None:
        """Return the team's facts as the change has them, where its author may decide about them; None otherwise."""
        found = read_facts(self.root / PLACE)
        return None if found is None else found.text

    def texts(self, _: Mapping[str, str]) -> Mapping[str, str | None]:
        return {}

    def all_paths(self) -> None:
        """List all its files; None: those on disk."""

    def hunks(self, path: str) -> Sequence[range]:
        if not self.merge_base:
            return ()
        options = ("--no-ext-diff", "--no-textconv", "--no-color", "--relative")
        patch = run_git(self.root, "diff", *options, self.merge_base, "--", path)
        return hunks_shown((patch or b"").decode("utf-8", "replace"))


def local_change(root: Path, base: str) -> LocalChange:
    """Compare the working tree with a commit; raises WorkspaceError for one that git does not know."""
    if base.startswith("-"):
        raise ConfigError(
            f"`{base}` is not a valid commit name", hint="choose a commit, for example `--base origin/main`"
        )
    commit = run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    if commit is None:
        raise WorkspaceError(
            f"git cannot find the commit `{base}`",
            hint="fetch the commit first (in a shallow clone: `git fetch --depth=50 origin BRANCH`)",
        )
    merge_base = run_git(root, "merge-base", commit.decode().strip(), "HEAD")
    if merge_base is None:
        raise WorkspaceError(
            f"`{base}` and this branch have no common ancestor",
            hint="fetch more history: `git fetch --unshallow`",
        )
    start = merge_base.decode().strip()
    names = run_git(root, "diff", "--name-only", "-z", "--no-renames", "--relative", start) or b""
    paths = frozenset(name.decode("utf-8", "surrogateescape") for name in names.split(b"\0") if name)
    return LocalChange(root=root, base=base, merge_base=start, paths=paths)


def commit_change(root: Path, paths: Collection[str], *, since: str) -> Change:
    """Return the change that pre-commit asks about; `since` names what a whole branch is compared with, if one is.

    Of a branch, what it adds to the facts is a claim until it is merged, as for a comment below its pull request.
    """
    try:
        return replace(local_change(root, since), paths=paths) if since else LocalChange(root=root, paths=paths)
    except (ConfigError, WorkspaceError):  # a shallow clone, or a branch that is new on the server
        return LocalChange(root=root, paths=paths)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteChange:
    """A pull request as its host tells it, whatever is checked out here."""

    host: Host
    number: int
    base: str  # the branch that it goes into
    head: str  # the commit that it ends with
    is_fork: bool
    files: Mapping[str, ChangedFile]
    tree: Mapping[str, str] | None
    """All its files with git's hash of each; None where the host does not list them."""

    @property
    def paths(self) -> Collection[str]:
        return self.files.keys()

    def base_facts(self) -> str | None:
        return self.host.base_text(self.base, PLACE)

    def own_facts(self) -> str | None:
        """Return the facts as the pull request has them; of a fork's, nothing counts."""
        return self._text(PLACE) if PLACE in self.files and not self.is_fork else None

    def texts(self, on_disk: Mapping[str, str]) -> Mapping[str, str | None]:
        """Fetch the customization files that are not on disk as the pull request has them."""
        if self.tree is None:
            wanted = {path: not file.is_removed for path, file in self.files.items() if place_of(path)}
        else:
            wanted = {path: False for path in on_disk if path not in self.tree}
            for path in (path for path in self.tree if path in on_disk or place_of(path)):
                data = on_disk.get(path, "").encode("utf-8", "surrogateescape")
                blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
                if path not in on_disk or blob != self.tree[path]:
                    wanted[path] = True
        first = sorted(wanted, key=lambda path: path not in self.files)[:FILES]
        return {path: self._text(path) if wanted[path] else None for path in first}

    def all_paths(self) -> Collection[str] | None:
        return None if self.tree is None else self.tree.keys()

    def hunks(self, path: str) -> Sequence[range]:
        return hunks_shown(self.files[path].patch) if path in self.files else ()

    def _text(self, path: str) -> str | None:
        return self.host.head_text(self.number, self.head, path)


Change = LocalChange | RemoteChange


def remote_change(host: Host, number: int) -> RemoteChange:
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
