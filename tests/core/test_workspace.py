"""Finding the root, the git folder and the person's folders."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from cases import cases
from platformdirs import PlatformDirs

from memsuggest.core import json_edit as jsonc
from memsuggest.core.errors import WorkspaceError
from memsuggest.core.identity import hash_of
from memsuggest.core.workspace import find_folders, find_workspace


def test_the_nearest_git_folder_is_the_root(git_repo: Path) -> None:
    """From a folder below, the repo is found upwards."""
    below = git_repo / "a" / "b"
    below.mkdir(parents=True)
    place = find_workspace(below, home=None, given=False)
    assert place.root == git_repo
    assert place.git_folder == git_repo / ".git"


def test_github_folder_without_git(tmp_path: Path) -> None:
    """Without git, the nearest folder with `.github` is the root."""
    (tmp_path / "r" / ".github").mkdir(parents=True)
    (tmp_path / "r" / "src").mkdir()
    place = find_workspace(tmp_path / "r" / "src", home=None, given=False)
    assert (place.root, place.git_folder) == (tmp_path / "r", None)


def test_the_home_folder_is_never_a_root(tmp_path: Path) -> None:
    """Dotfiles in git do not make everything below HOME one workspace."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes").mkdir()
    with pytest.raises(WorkspaceError, match="no repository"):
        find_workspace(tmp_path / "notes", home=tmp_path, given=False)


def test_a_given_folder_is_taken(tmp_path: Path) -> None:
    """`--repo` needs no git; what is no folder is refused."""
    assert find_workspace(tmp_path, home=None, given=True).root == tmp_path
    with pytest.raises(WorkspaceError, match="not a folder"):
        find_workspace(tmp_path / "missing", home=None, given=True)


def test_working_trees_share_a_key(git_repo: Path, tmp_path: Path) -> None:
    """Facts belong to the clone, pending suggestions to the working tree."""
    subprocess.run(["git", "-C", str(git_repo), "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run(["git", "-C", str(git_repo), "worktree", "add", "-q", str(tmp_path / "wt")], check=True)
    one, two = (find_workspace(folder, home=None, given=True) for folder in (git_repo, tmp_path / "wt"))
    assert one.key == two.key
    assert one.worktree_key != two.worktree_key


@cases("environ", [{}, {"HOME": ""}, {"HOME": "/"}, {"HOME": "relative"}])
def test_without_a_home_there_is_an_error(environ: dict[str, str]) -> None:
    """No HOME, or one that is nobody's, is said with what to do."""
    with pytest.raises(WorkspaceError) as caught:
        find_folders(environ)
    assert "HOME" in (caught.value.hint or "")


def test_own_folders_win(tmp_path: Path) -> None:
    """MEMSUGGEST_*_DIR moves each folder; a relative one is refused."""
    environ = {"HOME": str(tmp_path), "MEMSUGGEST_DATA_DIR": str(tmp_path / "d")}
    assert find_folders(environ).data == tmp_path / "d"
    with pytest.raises(WorkspaceError, match="MEMSUGGEST_DATA_DIR"):
        find_folders({**environ, "MEMSUGGEST_DATA_DIR": "d"})


def test_jsonc() -> None:
    """Comments and trailing commas go, strings stay."""
    assert jsonc.loads('\ufeff{"a": "// x /* y", /* z */ "b": [1, 2,], // w\n}') == {"a": "// x /* y", "b": [1, 2]}
    with pytest.raises(ValueError, match="deeply"):
        jsonc.loads("[" * 200_000)


@cases(
    "environ",
    (
        {},
        {"XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "/srv/config"},
        {"XDG_STATE_HOME": "relative/state", "XDG_CACHE_HOME": ""},
    ),
)
def test_folders_are_where_the_system_has_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, environ: dict[str, str]
) -> None:
    """The same as the library says that knows every system."""
    for name in ("DATA", "STATE", "CONFIG", "CACHE"):
        monkeypatch.delenv(f"MEMSUGGEST_{name}_DIR", raising=False)
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    dirs = PlatformDirs("memsuggest", appauthor=False)
    found = find_folders(os.environ)
    assert [str(one) for one in (found.data, found.state, found.config, found.cache)] == [
        dirs.user_data_dir,
        dirs.user_state_dir,
        dirs.user_config_dir,
        dirs.user_cache_dir,
    ]


def test_identities_are_those_of_the_standard_library() -> None:
    """Whichever implementation of SHA-256 this Python brings."""
    assert hash_of("a", "ü") == hashlib.sha256("a\0ü".encode()).hexdigest()[:16]
