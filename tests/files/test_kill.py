"""Killed at every system call: the old file or the new one, never a mixture, and nothing that cannot be swept."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from cases import cases

from memsuggest.files import sweep

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace kills at a system call")

MARK = "/memsuggest-begins-here"
SCRIPTS = {
    "replace": 'write_exact(path, "new" * 9000, expected_digest=digest_of("old" * 9000))',
    "create": 'write_exact(path, "new" * 9000, expected_digest=None)',
    "create in new folders": 'write_exact(path.parent / "a" / "b" / path.name, "new" * 9000, expected_digest=None)',
    "remove": 'remove_exact(path, digest_of("old" * 9000))',
}
CALLS = "openat,read,write,fsync,renameat2,renameat,rename,linkat,unlinkat,unlink,fchmod,mkdir,rmdir,close,fstat"
MOVES = ("fsync", "renameat2", "linkat", "unlinkat", "renameat")


def _run(tmp_path: Path, body: str, *strace: str) -> subprocess.CompletedProcess[str]:
    script = (
        "import os\nfrom pathlib import Path\nimport ctypes\nfrom memsuggest.files import *\n"
        f"path = Path({str(tmp_path / 'x.md')!r})\nos.access({MARK!r}, 0)\ntry:\n    os.open({MARK!r}, 0)\n"
        f"except OSError:\n    pass\n{body}\nos._exit(0)\n"
    )
    command = ["strace", "-qq", "-f", "--seccomp-bpf", "-o", str(tmp_path.parent / "trace.txt"), *strace]
    return subprocess.run([*command, sys.executable, "-c", script], capture_output=True, text=True, check=False)


def _prepare(folder: Path, name: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if not name.startswith("create"):
        (folder / "x.md").write_text("old" * 9000, encoding="utf-8")


def _points(folder: Path, name: str) -> list[tuple[str, int]]:
    """Every call that the operation makes: its name and which one it is, counted from the start of the process."""
    _prepare(folder, name)
    done = _run(folder, SCRIPTS[name], "-e", f"trace={CALLS}")
    if done.returncode != 0:
        pytest.skip(f"strace cannot trace here: {done.stderr[:200]}")
    seen: Counter[str] = Counter()
    points: list[tuple[str, int]] = []
    begun = False
    for line in (folder.parent / "trace.txt").read_text(encoding="utf-8", errors="replace").split("\n"):
        if match := re.match(r"(?:\d+\s+)?(\w+)\(", line):
            seen[match.group(1)] += 1
            begun = begun or MARK in line
            if begun and MARK not in line:
                points.append((match.group(1), seen[match.group(1)]))
    return points


def _check(folder: Path, name: str, call: str, number: int) -> None:
    _prepare(folder, name)
    _run(folder, SCRIPTS[name], "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
    for found in (folder, folder / "a", folder / "a" / "b"):
        if found.is_dir():
            sweep(found)
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()]
    old = [] if name.startswith("create") else ["old" * 9000]
    new = [] if name == "remove" else ["new" * 9000]
    assert texts in (old, new), f"killed at {call} {number}"


@cases("name", SCRIPTS)
def test_killed_where_it_matters(tmp_path: Path, name: str) -> None:
    """A kill at any sync, rename, link or unlink leaves the old or the new file."""
    folder = tmp_path / "work"
    for call, number in _points(folder, name):
        if call in MOVES:
            _check(folder, name, call, number)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_killed_everywhere(tmp_path: Path, name: str) -> None:
    """A kill at any system call leaves the old or the new file."""
    folder = tmp_path / "work"
    points = _points(folder, name)
    assert len(points) > 10
    for call, number in points:
        _check(folder, name, call, number)
