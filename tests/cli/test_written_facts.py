"""`reconcile` says what it wrote to the team's file, and a setting has it written on a decision only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run

PLACE = ".github/memories/facts.json"
RULE = "From now on, never push to main."


@pytest.fixture(autouse=True)
def _said(git_repo: Path, home: Path) -> None:
    (git_repo / "AGENTS.md").write_text("# Rules\n")
    claude_session(home, git_repo, RULE)


def test_it_is_said_once(run: Run, git_repo: Path) -> None:
    """In one line, with the way to look and to take back; the next run has written nothing."""
    line = f"1 fact written to {PLACE}: list them with `memsuggest memory list --facts`, remove one with `memsuggest"
    assert line in " ".join(run("reconcile").out.split())
    assert "push to main" in (git_repo / PLACE).read_text()
    assert "written to" not in run("reconcile").out
    assert run("reconcile", "--format", "json").json["sharedFacts"] == 0


def test_on_a_decision_only(run: Run, git_repo: Path) -> None:
    """With `writeFacts: decision` a run writes none before it is applied, and what was dismissed never is."""
    run("config", "set", "writeFacts", "decision")
    assert "written to" not in run("reconcile").out
    assert not (git_repo / PLACE).exists()
    (name,) = [one["id"] for one in run("list", "--format", "json").json["suggestions"]]
    run("dismiss", name)
    assert not (git_repo / PLACE).exists()
    assert "· dismissed" in run("memory", "list", "--facts").out
    assert run("memory", "list", "--facts", "--format", "json").json["dismissed"] == [name]
    run("undo")
    run("apply", name, "--yes")
    assert "1 fact written to" in run("reconcile").out
    assert "push to main" in (git_repo / PLACE).read_text()
    assert "dismissed" not in run("memory", "list", "--facts").out


def test_what_the_team_dismissed_is_recalled_no_more_until_it_takes_that_back(run: Run, git_repo: Path) -> None:
    """A decision that came with the team's file holds for this person's recall from the next run on."""
    run("reconcile")
    place = git_repo / PLACE
    document = json.loads(place.read_text())
    (fact,) = document["facts"]
    assert "push" in run("recall", "push to main").out
    place.write_text(json.dumps({**document, "decisions": [{"factId": fact["id"], "status": "dismissed"}]}))
    run("reconcile")
    assert "Never push" not in run("recall", "push to main").out
    place.write_text(json.dumps(document))
    run("reconcile")
    assert "Never push" in run("recall", "push to main").out
