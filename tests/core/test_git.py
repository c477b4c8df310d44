"""Git in a hostile repo: an unpacked archive with a `.git` of a stranger's making."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memsuggest.core.git import run_git

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are scripts of POSIX")

NAMES = ("evil", "a=b", "with space", "x.y")
COMMANDS = [
    ("diff", "--name-only", "HEAD"),
    ("diff", "HEAD", "--", "a.txt"),
    ("diff", "--cached"),
    ("diff-index", "-p", "HEAD"),
    ("status", "--porcelain"),
    ("add", "--", "a.txt", "b.txt"),
    ("log", "-p", "--", "a.txt"),
    ("log", "--patch", "--unified=0"),
    ("show", "HEAD"),
    ("show", "HEAD:./a.txt"),
    ("ls-files", "-z"),
    ("ls-files", "-z", "--others", "--exclude-standard"),
    ("--literal-pathspecs", "log", "-1", "--", "a.txt"),
    ("-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-q", "--allow-empty", "-m", "x"),
    ("check-ignore", "--quiet", "--", "a.txt"),
    ("cat-file", "blob", "HEAD:a.txt"),
    ("blame", "--no-textconv", "--", "a.txt"),
]


@pytest.fixture(name="trap")
def _trap(git_repo: Path, tmp_path: Path) -> Path:
    """A repo of which every setting that names a program names one that leaves a mark."""
    mark = tmp_path / "mark"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho run >> '{mark}'\ncat\n")
    program.chmod(0o755)
    for name in ("a.txt", "b.txt"):
        (git_repo / name).write_text("one\n")
    subprocess.run(["git", "add", "."], cwd=git_repo, check=True)
    subprocess.run(["git", "commit", "-qm", "one"], cwd=git_repo, check=True)
    drivers = "".join(
        f'[filter "{name}"]\n\tclean = {program}\n\tsmudge = {program}\n\trequired = true\n' for name in NAMES
    )
    with (git_repo / ".git/config").open("a") as config:
        config.write(
            f"{drivers}"
            f'[filter "spoken"]\n\tprocess = {program}\n'
            f'[diff]\n\texternal = {program}\n[diff "evil"]\n\tcommand = {program}\n\ttextconv = {program}\n'
            f"[core]\n\tfsmonitor = {program}\n\thooksPath = {tmp_path}/hooks\n\tpager = {program}\n"
            f"\tsshCommand = {program}\n\teditor = {program}\n[gpg]\n\tprogram = {program}\n"
            f"[log]\n\tshowSignature = true\n"
            f"[commit]\n\tgpgSign = false\n"
        )
    (tmp_path / "hooks").mkdir()
    for hook in ("pre-commit", "post-commit", "post-index-change", "commit-msg", "reference-transaction"):
        (tmp_path / "hooks" / hook).symlink_to(program)
    lines = [f"*.txt filter={NAMES[0]} diff=evil", "b.txt filter=spoken"]
    (git_repo / ".git/info").mkdir(exist_ok=True)
    (git_repo / ".git/info/attributes").write_text("\n".join(lines) + "\n")
    for name in ("a.txt", "b.txt"):
        (git_repo / name).write_text("two\n")
    return mark


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_nothing_of_the_repo_s_is_run(trap: Path, git_repo: Path, words: tuple[str, ...]) -> None:
    """Filters, hooks, monitors, external diffs, text conversion and signatures are off, whatever git is asked."""
    assert run_git(git_repo, *words, accept=(0, 1)) is not None
    assert not trap.exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_filter_of_any_name(trap: Path, git_repo: Path, name: str) -> None:
    """Also one whose name would break a setting on the command line."""
    drivers = {"a=b": "a=b", "with space": "spaced", "x.y": "x.y", "evil": "evil"}
    (git_repo / ".git/info/attributes").write_text(f"*.txt filter={drivers[name]}\n")
    assert b"two" in (run_git(git_repo, "diff", "HEAD") or b"")
    assert not trap.exists()


def test_the_trap_works(trap: Path, git_repo: Path) -> None:
    """Git itself runs what the repo names: otherwise the tests above would say nothing."""
    subprocess.run(["git", "diff", "HEAD"], cwd=git_repo, capture_output=True, check=False)
    assert trap.exists()


def test_a_submodule_s_configuration(trap: Path, git_repo: Path, tmp_path: Path) -> None:
    """Git does not look into submodules, where settings given to it do not hold."""
    outer = tmp_path / "outer"
    subprocess.run(["git", "init", "-q", str(outer)], check=True)
    git_repo.rename(outer / "inner")
    (outer / ".gitmodules").write_text('[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n')
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=outer / "inner", capture_output=True, text=True, check=True)
    index = ["git", "update-index", "--add", "--cacheinfo", f"160000,{head.stdout.strip()},inner"]
    subprocess.run(index, cwd=outer, check=True)
    subprocess.run(["git", "commit", "-qm", "x"], cwd=outer, check=True)
    trap.unlink(missing_ok=True)
    for words in (
        ("diff", "--name-only", "HEAD"),
        ("ls-files", "-z"),
        ("status", "--porcelain"),
    ):
        assert run_git(outer, *words) is not None
    assert not trap.exists()
