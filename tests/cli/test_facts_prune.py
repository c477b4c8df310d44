"""Limits: what is pruned, where, and that it stays gone."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run, json_of, known

LESSONS = (
    "use pnpm for the web client",
    "run the linter before a commit",
    "write commit messages in English",
    "keep migrations reversible",
    "log in JSON",
    "name branches after the ticket",
    "pin docker images by digest",
    "put fixtures below tests/data",
    "return problem+json for errors",
    "prefer dataclasses to dicts",
    "use British spelling in the docs",
    "store times in UTC",
)
RULES = [f"use tool-{number} for job-{number}" for number in range(12)]


@pytest.fixture
def full(run: Run) -> Run:
    """Twelve facts of the workspace where ten are allowed."""
    run("config", "set", "maxWorkspaceFacts", "10")
    for rule in RULES:
        run("remember", rule)
    return run


def prune(*words: str) -> list[Any]:
    return list(json_of("memory", "prune", *words)["facts"])


def test_prunes_to_the_limit(full: Run, git_repo: Path) -> None:
    """As many as are allowed stay, in both stores; `undo` brings all back; what a teammate brought stays."""
    path = git_repo / ".github/memories/facts.json"
    text = path.read_bytes()
    assert len(prune("--dry-run")) == 2 and len(known()) == 12
    assert json_of("reconcile")["pruned"] == [], "where nobody sees it"
    assert "`memsuggest undo` restores them" in full("memory", "prune").out
    assert len(known()) == 10 and prune() == []
    team = json.loads(path.read_text())
    assert (len(team["facts"]), len(team["tombstones"])) == (10, 2)
    full("undo")
    assert len(known()) == 12 and path.read_bytes() == text
    (mine,) = {str(fact["sourceSessionId"]) for fact in json.loads(text)["facts"]}
    path.write_text(text.decode().replace(mine, "f" * len(mine)), encoding="utf-8")
    assert prune() == []
    for rule in RULES:
        full("remember", rule, "--user")
    (git_repo / ".memsuggest.yml").write_text("maxUserFacts: 10\n", encoding="utf-8")
    assert prune() == [], "a repo cannot evict what the person takes everywhere"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_reconcile_on_a_terminal_keeps_to_the_limit(run: Run, git_repo: Path) -> None:
    """What a run learns beyond the limit is shown by it, and goes by a later one; the person is told what goes."""
    from cli.terminal import Terminal

    run("config", "set", "maxWorkspaceFacts", "10")
    claude_session(Path.home(), git_repo, *(f"From now on always {rule}." for rule in LESSONS))
    first = Terminal("reconcile").end()
    assert "pruned" not in first and all(rule[4:12] in first for rule in LESSONS)
    out = Terminal("reconcile").end()
    assert out.count("pruned  ") == 2 and "2 facts beyond the limit" in out
    assert len(known()) == 10


def test_a_pruned_fact_does_not_come_back(run: Run, git_repo: Path) -> None:
    """The chat that it was learned from is read again, as it grows, and does not bring it back; by hand it comes."""
    run("config", "set", "maxWorkspaceFacts", "10")
    said = [f"From now on always {rule}." for rule in LESSONS]
    claude_session(Path.home(), git_repo, *said)
    run("reconcile")
    first, _ = [fact["content"] for fact in prune()]
    claude_session(Path.home(), git_repo, *said, "Thanks, that is all.")
    run("reconcile")
    assert len(known()) == 10
    run("remember", first)
    assert first in known()
