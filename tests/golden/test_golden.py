"""Small repos from end to end: chats, suggestions, files before and after, byte for byte.

A case is a folder: `before/` is the repo, `transcripts/` the chats (`{{REPO}}` stands for the repo's path),
`report.json` what is suggested, `after/` the repo once all of it is applied; `home-before/` and `home-after/` likewise,
where the person has files of their own; `pages.txt` what the commands print. To write all pages anew:

    GOLDEN=write pytest -q tests/golden
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from golden.trial import Trial, bytes_of, commit_all, copy_filled, open_trial, target_of

HERE = Path(__file__).resolve().parent
CASES = sorted(path.parent.name for path in HERE.glob("*/report.json"))
PAGES = """
reconcile CHATS
list
list --maybe
show {first}
status
targets
transcripts CHATS
transcripts show {chat}
extract CHATS --explain
memory list --facts
memory show {first}
held
apply {all} --yes
list --status applied
undo --list
reconcile
undo
dismiss {first}
list --status dismissed
list
""".strip().split("\n")
"""The commands whose pages are kept, in this order."""
GENERAL = """
--help
help --all
help reconcile
doctor
config show
consent show
usage
hooks show
mcp show
graphiti show
notes
setup
memory list
memory list --apps
move {first}
edit {first}
coverage
comment --base HEAD
""".strip().split("\n")
"""Pages that are the same in every repo; they are kept in the first one."""
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


def test_pages(case: str, trial: Trial, tmp_path: Path) -> None:
    """Every page reads as it is kept beside the case, but for the times and places of this run."""
    chats = tmp_path / "transcripts"
    names = [one["id"] for one in trial.suggestions(chats)]
    shutil.rmtree(trial.home / ".local")
    (trial.repo / ".github/memories/facts.json").unlink(missing_ok=True)
    told = []
    for line in PAGES + (GENERAL if case == CASES[0] else []):
        if "{" in line and "{chat}" not in line and not names:
            continue
        given = {"first": (names or [""])[0], "all": " ".join(names), "chat": str(min(chats.iterdir()))}
        words = line.replace("CHATS", str(chats)).format(**given).split()
        told.append(f"$ memsuggest {line}\n{trial.page(*words)}")
    text = normal("\n".join(told), tmp_path)
    kept = HERE / case / "pages.txt"
    if os.environ.get("GOLDEN") == "write":
        kept.write_text(text, encoding="utf-8")
    assert text == kept.read_text(encoding="utf-8"), "is that meant? then: GOLDEN=write pytest -q tests/golden"


def normal(text: str, folder: Path) -> str:
    """The text without what differs from run to run, and without spaces at the ends of lines."""
    text = text.replace(str(folder), "{{FOLDER}}")
    for pattern, stands in (
        (time.strftime("%Y-%m-%d", time.gmtime()) + r"([ T]\d\d:\d\d(:\d\dZ)?)?", "{{NOW}}"),
        (r"\b\d+ (second|minute|hour|day|week|month|year)s? ago", "{{AGO}}"),
        (r"\d+\.\d+\.\d+(?=, Python)|(?<=Python )\d+\.\d+\S*", "{{VERSION}}"),
        (r" +\d+(\.\d)? KB(?=  )", "  {{SIZE}}"),  # of a chat, which names the folder
        (r"[0-9a-f]{7}(?=  Asked: )", "{{ID}}"),  # of a summary, made from the folder too
        (r" +(?=\n)", ""),
    ):
        text = re.sub(pattern, stands, text)
    return text


def judge_diff(trial: Trial, suggestion: dict[str, Any]) -> None:
    """Let git say whether the diff that is shown applies to the repo."""
    if not target_of(suggestion).startswith("~"):
        subprocess.run(["git", "apply", "--check", "-"], cwd=trial.repo, input=suggestion["diff"].encode(), check=True)
