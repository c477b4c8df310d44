"""A run that is killed while it reads and stores loses nothing and doubles nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

KILLING = Path(__file__).with_name("killing.py")


@pytest.mark.timeout(1800)
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("rounds", [pytest.param(2, id="some"), pytest.param(200, id="200", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["new", "grown"])
def test_killed_while_reading(tmp_path: Path, kind: str, rounds: int) -> None:
    """Killed at any moment, the next run completes, with the facts of an undisturbed one, each once."""
    command = [sys.executable, str(KILLING), str(tmp_path), str(rounds), kind]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["facts"] > 30
    assert told["different"] == 0
    assert told["read_on"] == (8 if kind == "grown" else 0)
    assert told["killed"] * 2 >= rounds
