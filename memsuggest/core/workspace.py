"""Paths of a workspace: the repo's root, its git folder, this person's folders for data, state and config.

Reads the environment only through the mapping it is given, which at the edge is `this_machine`; writes nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.errors import WorkspaceError
from memsuggest.core.identity import hash_of

APP = "memsuggest"
_REF = "ref: "
_HEAD = f"{_REF}refs/heads/"


class Machine(NamedTuple):
    """The world as a run is told of it: nothing below asks for itself."""

    environ: Mapping[str, str]
    platform: str
    """As `sys.platform`."""
    now: Callable[[], int]
    """Milliseconds since the epoch."""


class Folders(NamedTuple):
    """This person's own folders."""

    home: Path
    data: Path
    state: Path
    config: Path
    cache: Path


class Workspace(NamedTuple):
    """One working tree."""

    root: Path
    git_folder: Path | None
    """The folder that all working trees of one clone share; None outside git."""

    @property
    def key(self) -> str:
        """Identity of the clone: facts, consent and offsets are kept by it."""
        return hash_of("workspace", str(self.git_folder or self.root))

    @property
    def worktree_key(self) -> str:
        """Identity of this working tree: pending suggestions are kept by it."""
        return hash_of("worktree", str(self.root))


def find_workspace(start: Path, *, home: Path | None, given: bool) -> Workspace:
    """Return the workspace of a folder.

    `given` folders (`--repo`) are taken as they are; otherwise the nearest folder upwards with `.git`, else with
    `.github`, is the root, but never the home folder itself. Raises WorkspaceError when there is none.
    """
    folder = Path(os.path.realpath(start))
    if not folder.is_dir():
        raise WorkspaceError(f"`{start}` is not a folder", hint="pass the repo's folder with `--repo PATH`")
    real_home = Path(os.path.realpath(home)) if home else None
    upwards = [place for place in (folder, *folder.parents) if place != real_home]
    marked = (place for mark in (".git", ".github") for place in upwards if (place / mark).exists())
    root = folder if given else next(marked, None)
    if root is None:
        raise WorkspaceError(
            f"no repository found in `{folder}` or its parent folders",
            hint="run the command inside a git repository, or pass a folder with `--repo PATH`",
        )
    return Workspace(root=root, git_folder=git_common_folder(root))


def git_common_folder(root: Path) -> Path | None:
    """Return the git folder that all working trees of this clone share, without running git."""
    try:
        own = Path(os.path.realpath(_own_git_folder(root)))
        common = own / "commondir"
        is_linked = not (root / ".git").is_dir() and common.is_file()
        return Path(os.path.realpath(own / _text(common))) if is_linked else own
    except (OSError, UnicodeDecodeError):
        return None


def current_branch(root: Path) -> str:
    """Return the branch that is checked out, without running git; empty where there is none."""
    try:
        head = _text(_own_git_folder(root) / "HEAD")
    except (OSError, UnicodeDecodeError):
        return ""
    return head.removeprefix(_HEAD) if head.startswith(_HEAD) else ""


def current_commit(root: Path) -> str:
    """Return the commit that is checked out, without running git; empty where its files do not tell."""
    try:
        own = _own_git_folder(root)
        head = _text(own / "HEAD")
        if not head.startswith(_REF):
            return head
        name = head.removeprefix(_REF)
        common = git_common_folder(root) or own
        if (common / name).is_file():
            return _text(common / name)
        packed = (row.partition(" ") for row in _text(common / "packed-refs").split("\n"))
        return next((commit for commit, _, ref in packed if ref == name), "")
    except (OSError, UnicodeDecodeError):
        return ""


def _own_git_folder(root: Path) -> Path:
    mark = root / ".git"
    return mark if mark.is_dir() else root / _text(mark).removeprefix("gitdir:").strip()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def find_folders(environ: Mapping[str, str]) -> Folders:
    """Return this person's folders; raises WorkspaceError without a home.

    `MEMSUGGEST_DATA_DIR`, `_STATE_DIR`, `_CONFIG_DIR` and `_CACHE_DIR` win over the system's own places, which are
    those of `platformdirs`; on Linux by hand, since loading it would cost a tenth of all that a prompt waits for.
    """
    name = environ.get("USERPROFILE") if sys.platform == "win32" else environ.get("HOME")
    home = Path(name) if name else None
    if home is None or not home.is_absolute() or home == Path(home.anchor):
        raise WorkspaceError(
            "no home folder found: HOME is not set or is not a user's folder",
            hint="set HOME (USERPROFILE on Windows) to your home folder",
        )
    if sys.platform == "linux" and not (hasattr(sys, "getandroidapilevel") or "ANDROID_DATA" in environ):
        given = {name: (Path(environ.get(variable, "")), home / place) for name, (variable, place) in _XDG.items()}
        places = {name: (named if named.is_absolute() else usual) / APP for name, (named, usual) in given.items()}
    else:
        from platformdirs import PlatformDirs

        dirs = PlatformDirs(APP, appauthor=False)
        places = {name: Path(getattr(dirs, f"user_{name}_dir")) for name in _XDG}
    for name in places:
        variable = f"MEMSUGGEST_{name.upper()}_DIR"
        if own := environ.get(variable):
            places[name] = Path(own)
            if not places[name].is_absolute():
                raise WorkspaceError(
                    f"{variable} is set to `{own}`, which is not an absolute path",
                    hint=f"set {variable} to an absolute path",
                )
    return Folders(home=home, **places)


_XDG = {
    "data": ("XDG_DATA_HOME", ".local/share"),
    "state": ("XDG_STATE_HOME", ".local/state"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
}
"""The variables of the XDG specification, and where things are in a home without them."""


def this_machine() -> Machine:
    """Return the machine that the program runs on, as a process sees it."""
    return Machine(environ=os.environ, platform=sys.platform, now=lambda: time.time_ns() // 1_000_000)


def current_folder() -> Path:
    """Return the current folder; raises WorkspaceError for one that is gone."""
    try:
        return Path.cwd()
    except OSError as error:
        raise WorkspaceError(
            f"cannot access the current folder: {error.strerror}", hint="change to an existing folder"
        ) from None


_CI = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION")


def is_ci(environ: Mapping[str, str]) -> bool:
    """Tell whether a machine runs this for nobody in particular."""
    return any(environ.get(name, "").lower() not in ("", "0", "false") for name in _CI)
