"""A batch that is sent and taken by runs that are killed all the time is asked and paid once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

KILLING = Path(__file__).with_name("killing_batches.py")


@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("rounds", [pytest.param(2, id="some"), pytest.param(150, id="150", marks=pytest.mark.slow)])
def test_killed_in_batches(tmp_path: Path, rounds: int) -> None:
    """Killed at any moments, the runs learn what an undisturbed one does; no prompt is asked or paid twice."""
    command = [sys.executable, str(KILLING), str(tmp_path), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["prompts"] > 100
    assert (told["different"], told["twice"], told["price"]) == (0, 0, 0)
    assert told["killed"]
