"""What a run keeps for the next one: git is asked once, and nothing stale is said, whatever changed meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.conftest import invoke
from held_kit import Chat, commit, write_chats

RULE = "Use pnpm for all packages."
Asked = Callable[[], list[str]]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The commands that git was asked since the last look, by a wrapper that stands before it on the PATH."""
    log, folder, git = tmp_path / "git.log", tmp_path / "bin", shutil.which("git")
    folder.mkdir()
    log.touch()
    (folder / "git").write_text(f'#!/bin/sh\necho "$@" >> "{log}"\nexec "{git}" "$@"\n', encoding="utf-8")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def look() -> list[str]:
        lines = log.read_text(encoding="utf-8").splitlines()
        log.write_text("", encoding="utf-8")
        return [next((word for word in line.split() if word in COMMANDS), line) for line in lines]

    return look


COMMANDS = ("ls-files", "log", "blame", "rev-parse", "check-ignore", "show", "config", "cat-file")


def test_git_is_asked_once(asked: Asked, git_repo: Path, home: Path) -> None:
    """A run with nothing new asks for the list of files alone, the first one for the history of all files at once."""
    for path in ("AGENTS.md", "docs/AGENTS.md", "CLAUDE.md"):
        commit(git_repo, f"# Shop\n\n- {RULE}\n", day=10, path=path)
    said = [
        Chat(day=day, task="Add a date library.", command="npm install dayjs", said=f"No. {RULE}") for day in (20, 23)
    ]
    write_chats(home, git_repo, said)
    repo = ("--repo", str(git_repo))
    invoke("reconcile", *repo)
    assert asked().count("log") == 1
    invoke("reconcile", *repo)
    assert asked() == ["ls-files"]
    report = invoke("held", "--format", "json", *repo).json
    assert {rule["sinceFrom"] for rule in report["rules"]} == {"git"} and len(report["rules"]) == 3
    assert asked() == ["ls-files"]


def test_a_path_that_git_does_not_track(git_repo: Path) -> None:
    """A line is not called stale while there is such a file, in the very next run after it came or went."""
    commit(git_repo, "print()\n", day=10, path="tools/seed.py")
    commit(git_repo, "# Shop\n\n- Use pnpm.\n- See `tools/seed.py`\n", day=11)
    git = ("git", "-C", str(git_repo), "-c", "user.name=A", "-c", "user.email=a@localhost")
    subprocess.run([*git, "rm", "-q", "tools/seed.py"], check=True)
    subprocess.run([*git, "commit", "-qm", "Drop the seeds"], check=True)

    def care() -> int:
        return len(invoke("reconcile", "--format", "json", "--repo", str(git_repo)).json["care"])

    assert care() == 1
    made = git_repo / "tools/seed.py"
    made.parent.mkdir(exist_ok=True)
    made.write_text("print()\n", encoding="utf-8")
    assert care() == 0
    made.unlink()
    assert care() == 1
    (git_repo / ".gitignore").write_text("tools/\n", encoding="utf-8")
    commit(git_repo, "tools/\n", day=12, path=".gitignore")
    assert care() == 0
    (git_repo / ".gitignore").write_text("build/\n", encoding="utf-8")
    assert care() == 1
