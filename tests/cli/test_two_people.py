"""Two people and one facts.json: whose words are whose, and which of two facts is the newer one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.conftest import Run, facts

PLACE = ".github/memories/facts.json"
TABS, SPACES = "Always use tabs for indentation", "Always use spaces for indentation"


def person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """Be somebody else from here on."""
    home = tmp_path / name
    home.mkdir(exist_ok=True)
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(home))
    for variable, folder in (("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")):
        monkeypatch.setenv(variable, str(home / folder))


def older(run: Run) -> str:
    """The id of the fact that this person is advised to forget."""
    (pair,) = run("reconcile", "--format", "json").json["contradictions"]
    return str(pair["loser"]["id"])


def test_both_are_advised_to_forget_the_same(
    run: Run, git_repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newer is what was said later, whoever looks: two people who follow the advice do not lose both facts."""
    person(monkeypatch, tmp_path, "ada")
    run("remember", TABS)
    person(monkeypatch, tmp_path, "bob")
    run("remember", SPACES)
    his = older(run)
    person(monkeypatch, tmp_path, "ada")
    assert older(run) == his
    run("memory", "forget", his)
    assert [fact["content"] for fact in facts()] == [SPACES]


def test_an_edit_is_the_editor_s(run: Run, git_repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who words a teammate's fact stands for it, the entry stays; the team's words are not the first one's."""
    person(monkeypatch, tmp_path, "ada")
    run("remember", TABS)
    before = json.loads((git_repo / PLACE).read_text())["facts"][0]
    person(monkeypatch, tmp_path, "bob")
    run("memory", "edit", before["id"][:8], "--content", "Always use tabs, four wide")
    (fact,) = facts()
    assert [one["trust"] for one in fact["citations"]] == ["confirmed"]
    after = json.loads((git_repo / PLACE).read_text())["facts"][0]
    assert after == before | {"content": "Always use tabs, four wide"}
    person(monkeypatch, tmp_path, "ada")
    (fact,) = facts()
    assert {one["trust"] for one in fact["citations"]} == {"shared"}
    assert "typed" not in run("memory", "show", fact["id"][:8]).out
    run("memory", "edit", fact["id"][:8], "--content", "Always use tabs, eight wide")
    assert "shared" not in {one["trust"] for one in facts()[0]["citations"]}
