"""Small repos from end to end: chats, suggestions, files before and after, byte for byte.

A case is a folder: `before/` is the repo, `transcripts/` the chats (`{{REPO}}` stands for the repo's path),
`report.json` what is suggested, `after/` the repo once all of it is applied; `home-before/` and `home-after/` likewise,
where the person has files of their own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from golden.trial import Trial, bytes_of, commit_all, copy_filled, open_trial, target_of

HERE = Path(__file__).resolve().parent
CASES = sorted(path.parent.name for path in HERE.glob("*/report.json"))
HOMES_OWN = (".local", ".config", ".cache")


def stable(suggestion: dict[str, Any]) -> dict[str, Any]:
    """What a case's report holds of a suggestion."""
    return {
        "content": suggestion["content"],
        "targetType": suggestion["targetType"],
        "target": target_of(suggestion),
        "heading": suggestion["heading"],
        "said": [citation["quote"] for citation in suggestion["citations"]],
    }


def expected(case: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((HERE / case / "report.json").read_text(encoding="utf-8"))["suggestions"]
    return loaded


def ordered(suggestions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(suggestions, key=lambda one: one["content"])


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def trial(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    """The case's repo, committed, and its chats beside it."""
    trial = open_trial(tmp_path, monkeypatch)
    shutil.copytree(HERE / case / "before", trial.repo)
    commit_all(trial.repo)
    if (HERE / case / "home-before").exists():
        shutil.copytree(HERE / case / "home-before", trial.home, dirs_exist_ok=True)
    copy_filled(HERE / case / "transcripts", tmp_path / "transcripts", {"{{REPO}}": trial.repo.as_posix()})
    return trial


def test_case(case: str, trial: Trial, tmp_path: Path) -> None:
    """What is suggested, applied, suggested again and undone is exactly what the case says."""
    before, home_before = bytes_of(trial.repo), bytes_of(trial.home, without=HOMES_OWN)
    chats = tmp_path / "transcripts"

    found = trial.suggestions(chats)
    assert ordered([stable(suggestion) for suggestion in found]) == expected(case)
    for one in found:
        judge_diff(trial, one)
    assert bytes_of(trial.repo) == before

    if not found:
        assert not (trial.repo / ".github" / "memories").exists()
        return
    trial.run("apply", *(suggestion["id"] for suggestion in found), "--yes")
    assert bytes_of(trial.repo) == bytes_of(HERE / case / "after")
    if (HERE / case / "home-after").exists():
        assert bytes_of(trial.home, without=HOMES_OWN) == bytes_of(HERE / case / "home-after")

    assert trial.suggestions(chats) == []
    assert trial.suggestions() == []
    assert bytes_of(trial.repo) == bytes_of(HERE / case / "after")

    trial.run("undo")
    assert bytes_of(trial.repo) == before
    assert bytes_of(trial.home, without=HOMES_OWN) == home_before


def judge_diff(trial: Trial, suggestion: dict[str, Any]) -> None:
    """Let git say whether the diff that is shown applies to the repo."""
    if not target_of(suggestion).startswith("~"):
        subprocess.run(["git", "apply", "--check", "-"], cwd=trial.repo, input=suggestion["diff"].encode(), check=True)


def test_a_dry_run_writes_nothing(trial: Trial, tmp_path: Path) -> None:
    """`reconcile --dry-run` shows the same and leaves no file behind, neither in the repo nor at home."""
    before = bytes_of(tmp_path, without=("repo/.git",))
    shown = trial.ask("reconcile", str(tmp_path / "transcripts"), "--dry-run")["suggestions"]
    assert bytes_of(tmp_path, without=("repo/.git",)) == before
    assert [stable(one) for one in shown] == [
        stable(suggestion) for suggestion in trial.suggestions(tmp_path / "transcripts")
    ]
