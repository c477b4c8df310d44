"""Limits: what is pruned, where, and that it stays gone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run

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


def known(run: Run) -> list[str]:
    return [fact["content"] for fact in run("memory", "list", "--facts", "--format", "json").json["facts"]]


def shared(repo: Path) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = json.loads((repo / ".github/memories/facts.json").read_text())
    return found


def test_prunes_to_the_limit(full: Run, git_repo: Path) -> None:
    """`memory prune` leaves as many as are allowed, in both stores, with tombstones."""
    assert len(full("memory", "prune", "--dry-run", "--format", "json").json["facts"]) == 2
    assert len(known(full)) == 12
    assert len(full("memory", "prune", "--format", "json").json["facts"]) == 2
    assert len(known(full)) == 10
    assert (len(shared(git_repo)["facts"]), len(shared(git_repo)["tombstones"])) == (10, 2)
    assert full("memory", "prune", "--format", "json").json["facts"] == []


def test_a_run_that_nobody_sees_prunes_nothing(full: Run) -> None:
    """`reconcile` without a terminal leaves everything."""
    assert full("reconcile", "--format", "json").json["pruned"] == []
    assert len(known(full)) == 12


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_reconcile_on_a_terminal_keeps_to_the_limit(full: Run) -> None:
    """A person who reconciles is told what goes."""
    from cli.terminal import Terminal

    out = Terminal("reconcile").end()
    assert out.count("pruned  ") == 2
    assert "2 facts beyond the limit" in out
    assert len(known(full)) == 10


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_a_backlog_is_not_pruned_unseen(run: Run, git_repo: Path) -> None:
    """What a run learns beyond the limit is shown by it, and goes by a later one at the earliest."""
    from cli.terminal import Terminal

    run("config", "set", "maxWorkspaceFacts", "10")
    claude_session(Path.home(), git_repo, *(f"From now on always {rule}." for rule in LESSONS))
    first = Terminal("reconcile").end()
    assert "pruned" not in first and all(rule[4:12] in first for rule in LESSONS)
    assert len(known(run)) == 12
    assert "2 facts beyond the limit" in Terminal("reconcile").end()
    assert len(known(run)) == 10


def test_a_pruned_fact_does_not_come_back(run: Run, git_repo: Path) -> None:
    """The chat that it was learned from is read again, as it grows, and does not bring it back; by hand it comes."""
    run("config", "set", "maxWorkspaceFacts", "10")
    said = [f"From now on always {rule}." for rule in LESSONS]
    claude_session(Path.home(), git_repo, *said)
    run("reconcile")
    assert len(known(run)) == 12
    first, _ = [fact["content"] for fact in run("memory", "prune", "--format", "json").json["facts"]]
    claude_session(Path.home(), git_repo, *said, "Thanks, that is all.")
    run("reconcile")
    assert len(known(run)) == 10
    run("remember", first)
    assert first in known(run)


def test_what_a_teammate_brought_stays(full: Run, git_repo: Path) -> None:
    """An entry of the shared file that somebody else said first is not this person's to prune."""
    path = git_repo / ".github/memories/facts.json"
    text = path.read_text()
    (one,) = {str(fact["sourceSessionId"]) for fact in shared(git_repo)["facts"]}
    path.write_text(text.replace(one, "f" * len(one)), encoding="utf-8")
    assert full("memory", "prune", "--format", "json").json["facts"] == []


def test_a_repo_cannot_evict_what_the_person_takes_everywhere(run: Run, git_repo: Path) -> None:
    """A lower limit for user facts that comes with a repo does not count."""
    for rule in RULES:
        run("remember", rule, "--user")
    (git_repo / ".memsuggest.yml").write_text("maxUserFacts: 10\n", encoding="utf-8")
    assert run("memory", "prune", "--format", "json").json["facts"] == []


def test_undo_brings_back_what_was_pruned(full: Run, git_repo: Path) -> None:
    """Both stores are as they were, byte for byte in the team's file; and what was pruned can be pruned again."""
    path = git_repo / ".github/memories/facts.json"
    before, text = set(known(full)), path.read_bytes()
    assert "`memsuggest undo` restores them" in full("memory", "prune").out
    assert len(known(full)) == 10
    full("undo")
    assert set(known(full)) == before
    assert path.read_bytes() == text
    assert len(full("memory", "prune", "--format", "json").json["facts"]) == 2
