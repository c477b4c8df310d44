"""A repo and a home of their own, in which the command line is tried from end to end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memsuggest.cli.app import build_app

OURS = (".git", ".github/memories")
"""Below these, the repo's files are git's and ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One repo, one home, and commands run there."""

    repo: Path
    home: Path

    def run(self, *words: str, code: int = 0) -> str:
        """Run a command in the repo and return what it prints."""
        arguments = ["--repo", str(self.repo), *words]
        result = CliRunner().invoke(build_app(arguments), arguments)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, f"{words}\n{result.stdout}\n{result.stderr}"
        return result.stdout

    def page(self, *words: str) -> str:
        """Run a command that may fail; return all that it prints, and how it ended where that is not well."""
        arguments = ["--repo", str(self.repo), *words]
        result = CliRunner().invoke(build_app(arguments), arguments)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.output + (f"[exit {result.exit_code}]\n" if result.exit_code else "")

    def ask(self, *words: str, code: int = 0) -> dict[str, Any]:
        """Run a command with `--format json` and return what it prints."""
        answer: dict[str, Any] = json.loads(self.run(*words, "--format", "json", code=code))
        return answer

    def suggestions(self, *paths: Path) -> list[dict[str, Any]]:
        """Reconcile, and return what is suggested."""
        found: list[dict[str, Any]] = self.ask("reconcile", *map(str, paths))["suggestions"]
        return found


def open_trial(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    """Make everything of this person's lie in `folder/home`, and `folder/repo` the repo; both may be there already."""
    trial = Trial(repo=folder / "repo", home=folder / "home")
    trial.home.mkdir(parents=True, exist_ok=True)
    monkeypatch.delenv("CI", raising=False)  # where a transcript that is named counts less
    monkeypatch.setenv("HOME", str(trial.home))
    monkeypatch.setenv("USERPROFILE", str(trial.home))
    monkeypatch.setenv("APPDATA", str(trial.home / ".config"))
    for name, place in {
        "CONFIG": ".config",
        "DATA": ".local/share",
        "STATE": ".local/state",
        "CACHE": ".cache",
    }.items():
        monkeypatch.setenv(f"XDG_{name}_HOME", str(trial.home / place))
        monkeypatch.setenv(f"MEMSUGGEST_{name}_DIR", str(trial.home / place / "memsuggest"))
    return trial


def commit_all(repo: Path) -> None:
    """Make a folder a git repo with one commit."""
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "before"]):
        subprocess.run(["git", "-c", "core.autocrlf=false", *words], cwd=repo, check=True)


def copy_filled(source: Path, target: Path, places: dict[str, str]) -> None:
    """Copy a folder and put values into its places."""
    shutil.copytree(source, target)
    for path in filter(Path.is_file, target.rglob("*")):
        data = filled = path.read_bytes()
        for name, value in places.items():
            filled = filled.replace(name.encode(), value.encode())
        if filled != data:
            path.write_bytes(filled)


def bytes_of(folder: Path, *, without: tuple[str, ...] = OURS) -> dict[str, tuple[bytes, bool]]:
    """Return every file below a folder: its bytes, and whether it can be run."""
    found = {}
    for path in sorted(filter(Path.is_file, folder.rglob("*"))):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(tuple(f"{place}/" for place in without)):
            found[name] = (path.read_bytes(), os.name == "posix" and os.access(path, os.X_OK))
    return found


def target_of(suggestion: dict[str, Any]) -> str:
    """Return the file that a suggestion changes or makes."""
    target: str = suggestion["targetUri"] or suggestion["suggestedFileName"]
    return target
