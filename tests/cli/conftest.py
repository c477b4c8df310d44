"""Running commands in this process, with all they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memsuggest.cli.app import build_app


class Outcome:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty repo; assert its exit code, and print all when that is another one."""
    monkeypatch.chdir(git_repo)

    def run(*words: str, code: int = 0, stdin: str | bytes = "") -> Outcome:
        result = CliRunner().invoke(build_app(words), list(words), input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, f"{words}: exit {result.exit_code}\n{result.stdout}\n{result.stderr}"
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run
