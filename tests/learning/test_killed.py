"""A watcher that is ended at random moments, by any signal, loses nothing and leaves nothing half done."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

KILLING = Path(__file__).with_name("killing_watch.py")


@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("rounds", [pytest.param(3, id="some"), pytest.param(500, id="500", marks=pytest.mark.slow)])
def test_ended_at_any_moment(tmp_path: Path, rounds: int) -> None:
    """Everything that was said is known once, no file is torn, and the next start is clean."""
    command = [sys.executable, str(KILLING), str(tmp_path), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["wrong"] == []
    assert told["turns"] >= rounds
