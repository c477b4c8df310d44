"""Where things are: the repo's root, its git folder, and this person's folders for data, state and config.

Reads the environment only through the mapping it is given; writes nothing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import WorkspaceError
from memsuggest.identity import hash_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

APP = "memsuggest"
_HEAD = "ref: refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What a run is told of the world: nothing below asks for itself."""

    environ: Mapping[str, str]
    platform: str
    """As `sys.platform`."""
    now: Callable[[], int]
    """Milliseconds since the epoch."""
    cores: int = 1
    """Processors that may be used at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """This person's own folders."""

    home: Path
    data: Path
    state: Path
    config: Path
    cache: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
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
    folder = start.resolve()
    if not folder.is_dir():
        raise WorkspaceError(f"`{start}` is not a folder", hint="give the repo's folder with `--repo PATH`")
    root = folder if given else _nearest_root(folder, home=home.resolve() if home else None)
    if root is None:
        raise WorkspaceError(
            f"no repository at `{folder}` or above it",
            hint="run it inside a git repository, or name a folder with `--repo PATH`",
        )
    return Workspace(root=root, git_folder=git_common_folder(root))


def _nearest_root(folder: Path, *, home: Path | None) -> Path | None:
    upwards = [place for place in (folder, *folder.parents) if place != home]
    for mark in (".git", ".github"):
        for place in upwards:
            if (place / mark).exists():
                return place
    return None


def git_common_folder(root: Path) -> Path | None:
    """Return the git folder that all working trees of this clone share, without running git."""
    mark = root / ".git"
    try:
        if mark.is_dir():
            return mark.resolve()
        if not mark.is_file():
            return None
        own = mark.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        git_folder = (root / own).resolve()
        common = git_folder / "commondir"
        return (git_folder / common.read_text(encoding="utf-8").strip()).resolve() if common.is_file() else git_folder
    except (OSError, UnicodeDecodeError):
        return None


def current_branch(root: Path) -> str:
    """Return the branch that is checked out, without running git; empty where there is none."""
    mark = root / ".git"
    try:
        own = mark if mark.is_dir() else root / mark.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (own / "HEAD").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return head.removeprefix(_HEAD) if head.startswith(_HEAD) else ""


def find_home(environ: Mapping[str, str]) -> Path | None:
    """Return the home folder that the environment names; None when it names none that could be one."""
    name = environ.get("USERPROFILE") if sys.platform == "win32" else environ.get("HOME")
    home = Path(name) if name else None
    return home if home and home.is_absolute() and home != Path(home.anchor) else None


def find_folders(environ: Mapping[str, str]) -> Folders:
    """Return this person's folders; raises WorkspaceError without a home.

    `MEMSUGGEST_DATA_DIR`, `_STATE_DIR`, `_CONFIG_DIR` and `_CACHE_DIR` win over the system's own places.
    """
    home = find_home(environ)
    if home is None:
        raise WorkspaceError(
            "no home folder: HOME is not set, or is not a folder of a person",
            hint="set HOME (USERPROFILE on Windows) to a folder that belongs to you",
        )
    # Deferred: it costs as much as the rest of `status`, and a person may have set all four.
    from platformdirs import PlatformDirs  # noqa: PLC0415

    places = PlatformDirs(APP, appauthor=False)
    return Folders(
        home=home,
        data=_folder(environ, "MEMSUGGEST_DATA_DIR") or Path(places.user_data_dir),
        state=_folder(environ, "MEMSUGGEST_STATE_DIR") or Path(places.user_state_dir),
        config=_folder(environ, "MEMSUGGEST_CONFIG_DIR") or Path(places.user_config_dir),
        cache=_folder(environ, "MEMSUGGEST_CACHE_DIR") or Path(places.user_cache_dir),
    )


def _folder(environ: Mapping[str, str], name: str) -> Path | None:
    value = environ.get(name)
    if not value:
        return None
    folder = Path(value)
    if not folder.is_absolute():
        raise WorkspaceError(f"{name} is `{value}`", hint=f"set {name} to an absolute path")
    return folder
