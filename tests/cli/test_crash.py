"""An apply that is killed at any system call leaves the old text or the new one, and the next command settles it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builders import claude_session, tree

BEFORE = "# Shop\r\n\r\n## Testing\r\n\r\n- Tests live in tests/.\r\n"
CALLS = "openat,write,pwrite64,fsync,fdatasync,rename,renameat2,link,linkat,unlink,unlinkat,ftruncate,mkdir"

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not here")


class Place:
    """A repo with one pending suggestion, to be copied for every kill."""

    def __init__(self, folder: Path) -> None:
        self.repo, self.home = folder / "repo", folder / "home"

    def set_up(self) -> None:
        self.repo.mkdir(parents=True)
        self.home.mkdir()
        subprocess.run(["git", "init", "-q", str(self.repo)], check=True)
        (self.repo / "AGENTS.md").write_bytes(BEFORE.encode())
        claude_session(self.home, self.repo, "From now on never mock the database in tests.")
        self.run("reconcile")

    def run(self, *words: str, strace: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        command = [*strace, sys.executable, "-m", "memsuggest", "--repo", str(self.repo), *words]
        environ = {**os.environ, "HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)

    def text(self) -> bytes:
        return (self.repo / "AGENTS.md").read_bytes()

    def pending(self) -> str:
        return self.run("status", "--short").stdout.strip()

    def suggestion(self) -> str:
        found = re.search(r"^  ([0-9a-f]{7})  ", self.run("list").stdout, re.MULTILINE)
        assert found
        return found.group(1)


def writing_calls(place: Place, log: Path) -> list[tuple[str, int]]:
    """The system calls of an apply that touch the repo, the state or the profile, by name and number."""
    place.run(
        "apply", place.suggestion(), "--yes", strace=("strace", "-f", "-y", "-e", f"trace={CALLS}", "-o", str(log))
    )
    counts: dict[str, int] = {}
    found = []
    for line in log.read_text(errors="replace").split("\n"):
        match = re.match(r"\d+ +(\w+)\(", line)
        if not match:
            continue
        name = match.group(1)
        counts[name] = counts.get(name, 0) + 1
        if (str(place.repo) in line or str(place.home) in line) and "O_RDONLY" not in line:
            found.append((name, counts[name]))
    return found


def restore(saved: Path, place: Place) -> None:
    for folder in (place.repo, place.home):
        shutil.rmtree(folder)
        shutil.copytree(saved / folder.name, folder, symlinks=True)


def kill_and_settle(place: Place, after: bytes, name: str, number: int) -> None:
    """Kill an apply at one call; then everything is as before or as after, and undo works."""
    words = ("apply", place.suggestion(), "--yes")
    place.run(*words, strace=("strace", "-f", "-o", "/dev/null", "-e", f"inject={name}:signal=KILL:when={number}"))
    assert place.text() in {BEFORE.encode(), after}
    assert place.run("reconcile").returncode == 0
    strays = [path for path in tree(place.repo) if path not in {"AGENTS.md", ".github/memories/facts.json"}]
    assert strays == []
    if place.text() == BEFORE.encode():
        assert place.pending() == "mem 1"
        assert place.run("apply", place.suggestion(), "--yes").returncode == 0
    assert place.text() == after
    assert place.pending() == ""
    assert place.run("undo").returncode == 0
    assert place.text() == BEFORE.encode()


@needs_strace
@pytest.mark.timeout(540)
@pytest.mark.parametrize("most", [pytest.param(7, id="some"), pytest.param(10_000, id="all", marks=pytest.mark.slow)])
def test_kill_at_every_call(tmp_path: Path, most: int) -> None:
    """No kill tears a file, loses a byte or needs a repair by hand."""
    place = Place(tmp_path)
    place.set_up()
    saved = tmp_path / "saved"
    for folder in (place.repo, place.home):
        shutil.copytree(folder, saved / folder.name, symlinks=True)
    calls = writing_calls(place, tmp_path / "log")
    after = place.text()
    assert after != BEFORE.encode()
    assert len(calls) > 10
    for name, number in calls[:: max(1, len(calls) // most)]:
        restore(saved, place)
        kill_and_settle(place, after, name, number)
