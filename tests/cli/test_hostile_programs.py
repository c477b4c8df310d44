"""Hostile replies of the right shape through every program: nothing of them gets anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run
from cli.test_hostile_replies import MARK, SAID, SECRET, TEXTS, extraction, is_plain, traces
from program_kit import StandIn

SOME = [pytest.param(text, id=f"{number:02d}") for number, text in enumerate(TEXTS) if number % 10 == 3]


@pytest.mark.parametrize("text", SOME)
def test_what_a_session_is_said_to_hold(
    run: Run,
    home: Path,
    git_repo: Path,
    program: StandIn,
    text: str,
) -> None:
    """What the person typed is found, what a program's model puts there instead is not."""
    claude_session(home, git_repo, SAID)
    program.behave("says", text=json.dumps(extraction(text, {})))
    shown = run("reconcile", "--engine", program.name, "--consent")
    listed = run("memory", "list", "--facts")
    assert program.asked
    assert MARK not in listed.out
    assert MARK not in json.dumps(run("list", "--format", "json").json["suggestions"])
    assert SECRET not in shown.out + shown.err
    assert is_plain(shown.out + listed.out)
    assert "cents" in listed.out
    assert traces(home, git_repo) == []
