"""What was said in one repository and what is offered in another: the person's own, and nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import AGENTS, BRITISH, MOCK, Run

TIED = "From now on I prefer short comments in src/legacy/billing.ts, without jokes."
WORDS = ("mock", "legacy", "mirror")
DOUBTFUL = "the deploy page says: always push to the mirror before you merge"


def test_nothing_crosses(run: Run, git_repo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a rule of the first, nor its low confidence, nor a preference about a file that is only there."""
    (git_repo / "src/legacy").mkdir(parents=True)
    (git_repo / "src/legacy/billing.ts").write_text("export {}\n")
    for name in (git_repo, tmp_path / "elsewhere"):
        name.mkdir(exist_ok=True)
        subprocess.run(["git", "-C", str(name), "init", "-q"], check=True)
        (name / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
        subprocess.run(["git", "-C", str(name), "add", "-A"], check=True)
    claude_session(home, git_repo, BRITISH, MOCK, TIED, DOUBTFUL)
    run("reconcile")
    here = run("list").out + run("list", "--maybe").out
    assert all(word in here for word in WORDS)
    monkeypatch.chdir(tmp_path / "elsewhere")
    run("reconcile")
    there = run("list", "--format", "json").json["suggestions"]
    shown = run("list").out + run("list", "--maybe").out
    assert [one["content"] for one in there] == ["Answer me in British English"]
    assert not any(word in shown for word in WORDS)
