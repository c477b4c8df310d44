"""Branches that came to the main line in one of the ways in which hosts merge; in real repos."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memsuggest.memory.merged_branches import merged_branches

Git = Callable[..., str]


@pytest.fixture(name="git")
def _git(git_repo: Path) -> Git:
    """A repo with a branch of two commits, at its main branch."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(git_repo), *words], check=True, capture_output=True, text=True)
        return done.stdout

    write(git_repo, "README.md", "# Ferries\n")
    commit(git, "start")
    git("switch", "-q", "-c", "fix/ferry")
    write(git_repo, "view.sql", "select 1;\n")
    commit(git, "view")
    write(git_repo, "view.sql", "select 1;\nselect 2;\n")
    write(git_repo, "notes.md", "why\n")
    commit(git, "more")
    git("switch", "-q", "main")
    write(git_repo, "other.txt", "somebody else\n")
    commit(git, "other work")
    return git


def write(repo: Path, name: str, text: str) -> None:
    (repo / name).write_text(text, encoding="utf-8")


def commit(git: Git, subject: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", subject)


def merged(repo: Path, *branches: str) -> list[tuple[str, str]]:
    return [(one.branch, one.request) for one in merged_branches(repo, branches or ("fix/ferry",))]


def squash(git: Git, subject: str = "Fix the ferries (#31)") -> None:
    git("merge", "-q", "--squash", "fix/ferry")
    git("commit", "-q", "-m", subject)


def test_a_squashed_branch(git: Git, git_repo: Path) -> None:
    """With the number that the host put behind the subject, and the time of that commit."""
    assert merged(git_repo) == []
    squash(git)
    write(git_repo, "later.txt", "later\n")
    commit(git, "later work (#32)")
    (found,) = merged_branches(git_repo, ["fix/ferry"])
    assert (found.branch, found.request) == ("fix/ferry", "31")
    assert found.at == 1000 * int(git("log", "-1", "--format=%ct", "HEAD~1"))


def test_a_branch_that_is_gone(git: Git, git_repo: Path) -> None:
    """It is known by where it was when somebody left it."""
    squash(git)
    git("branch", "-q", "-D", "fix/ferry")
    assert merged(git_repo) == [("fix/ferry", "31")]


def test_commits_that_were_picked(git: Git, git_repo: Path) -> None:
    """A branch that was rebased onto the main one, all of it."""
    first, last = git("log", "--reverse", "--format=%H", "main..fix/ferry").split()
    git("cherry-pick", first)
    assert merged(git_repo) == []
    git("cherry-pick", last)
    assert merged(git_repo) == [("fix/ferry", "")]


def test_a_merge(git: Git, git_repo: Path) -> None:
    """As ever, told once."""
    git("merge", "-q", "--no-ff", "-m", "Merge pull request #7 from team/fix/ferry", "fix/ferry")
    assert merged(git_repo) == [("fix/ferry", "7")]


def test_what_is_not_sure(git: Git, git_repo: Path) -> None:
    """Neither a part of a branch, nor more than it, nor a branch without work, nor a name that no branch has."""
    git("branch", "-q", "idle")
    write(git_repo, "view.sql", "select 1;\nselect 2;\n")
    commit(git, "only the view (#31)")
    assert merged(git_repo, "fix/ferry", "idle", "--output=x", "no/such", "main") == []
    git("reset", "-q", "--hard", "HEAD~1")
    git("merge", "-q", "--squash", "fix/ferry")
    write(git_repo, "view.sql", "select 3;\n")
    commit(git, "Fix the ferries, in another way (#31)")
    assert merged(git_repo) == []


def test_files_that_are_no_text(git: Git, git_repo: Path) -> None:
    """What they say cannot be compared, so nothing is told."""
    git("switch", "-q", "fix/ferry")
    (git_repo / "logo.png").write_bytes(bytes(range(256)))
    commit(git, "logo")
    git("switch", "-q", "main")
    git("cherry-pick", "fix/ferry~2", "fix/ferry~1")
    assert merged(git_repo) == []
    git("reset", "-q", "--hard", "HEAD~2")
    squash(git)
    assert merged(git_repo) == []
