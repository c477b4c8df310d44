"""A run that is killed while it reads, and runs that read the same chats at once, lose nothing and double nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

KILLING = Path(__file__).with_name("killing.py")
ROUNDS = [pytest.param({"kill": 2, "together": 1}, id="some"), pytest.param({}, id="many", marks=pytest.mark.slow)]


@pytest.mark.timeout(1800)
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("kind", ["new", "grown"])
@pytest.mark.parametrize("way", ["kill", "together"])
def test_disturbed_while_reading(tmp_path: Path, way: str, kind: str, rounds: dict[str, int]) -> None:
    """The next run completes, with the facts of an undisturbed one, each once, also while the chats grow."""
    count = rounds.get(way, 100)
    command = [sys.executable, str(KILLING), str(tmp_path), str(count), way, kind]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["facts"] > 30
    assert (told["different"], told["failed"]) == (0, 0)
    assert told["read_on"] == (8 if kind == "grown" else 0)
    assert way == "together" or told["killed"] * 2 >= count
