"""Runs that read the same chats at once neither lose nor double anything, also while the chats grow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOGETHER = Path(__file__).with_name("together.py")


@pytest.mark.timeout(1800)
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("rounds", [pytest.param(1, id="one"), pytest.param(50, id="50", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["new", "grown"])
def test_three_at_once(tmp_path: Path, kind: str, rounds: int) -> None:
    """Three runs at once know in the end what one alone does, each fact and each evidence once."""
    command = [sys.executable, str(TOGETHER), str(tmp_path), str(rounds), kind]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["facts"] > 30
    assert (told["different"], told["failed"]) == (0, 0)
