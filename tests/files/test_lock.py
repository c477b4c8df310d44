"""One program at a time, and no lock that outlives its owner."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cases import cases

from memsuggest.core.errors import FileError
from memsuggest.files import lock
from memsuggest.files.lock import owner_of

HOLD = """
import sys, time
from pathlib import Path
from memsuggest.files import lock
with lock(Path(sys.argv[1]), wait_seconds=5):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_second_waits_and_gives_up(tmp_path: Path) -> None:
    """Another holder is named in the error, after the wait."""
    path = tmp_path / "state" / "lock"
    with lock(path, wait_seconds=0):
        began = time.monotonic()
        with pytest.raises(FileError, match="running here") as caught, lock(path, wait_seconds=0.2):
            raise AssertionError
        assert time.monotonic() - began >= 0.2
        assert caught.value.hint
    with lock(path, wait_seconds=0):
        pass
    assert owner_of(path) is None


def test_a_killed_owner_holds_nothing(tmp_path: Path) -> None:
    """A lock whose owner was killed is free at once, although its name is still in the file."""
    path = tmp_path / "lock"
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(FileError, match=f"process {holder.pid}"), lock(path, wait_seconds=0):
            raise AssertionError
        holder.kill()
        holder.wait()
    with lock(path, wait_seconds=1):
        owner = owner_of(path)
        assert owner is not None
        assert owner.pid != holder.pid


@cases(
    "content",
    [
        pytest.param(json.dumps({"host": "elsewhere", "pid": 1, "started": "1"}), id="another machine"),
        pytest.param(json.dumps({"host": "\x1b[2J", "pid": 4194305, "started": "1"}), id="dead"),
        pytest.param("[" * 100_000, id="nested"),
        pytest.param("\x00\xff", id="garbage"),
        pytest.param('{"pid": "x"}', id="wrong shape"),
    ],
)
def test_what_the_file_says_does_not_bind(tmp_path: Path, content: str) -> None:
    """Only the system's lock counts; a stale or damaged file is taken over."""
    path = tmp_path / "lock"
    path.write_text(content, encoding="utf-8")
    with lock(path, wait_seconds=0):
        assert owner_of(path) is not None


def test_a_link_is_no_lock(tmp_path: Path) -> None:
    """A lock file that is a link is refused: nothing behind it is emptied."""
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    (tmp_path / "lock").symlink_to(victim)
    with pytest.raises(FileError), lock(tmp_path / "lock", wait_seconds=0):
        raise AssertionError
    assert victim.read_text(encoding="utf-8") == "mine"


def test_errors_inside_pass_through(tmp_path: Path) -> None:
    """What goes wrong under the lock is not the lock's error, and frees it."""
    with pytest.raises(OSError, match="mine"), lock(tmp_path / "lock", wait_seconds=0):
        raise OSError("mine")
    with lock(tmp_path / "lock", wait_seconds=0):
        pass
