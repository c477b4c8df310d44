"""Two people and one facts.json: whose words are whose, and which of two facts is the newer one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, Shop, commit, facts, git, invoke

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


# Whatever git does to the working tree, no fact that the person taught is lost, and none comes back unasked.


RULES = {"mock", "pnpm", "ruff"}


def shared(shop: Shop) -> set[str]:
    """Which of the rules stand in the team's file, each once."""
    contents = [fact["content"] for fact in json.loads(shop.facts.read_text())["facts"]]
    assert len(contents) == len(set(contents))
    return {word for word in RULES for content in contents if word in content}


def remove(shop: Shop, word: str) -> None:
    """Take a fact out of the team's file by hand, as somebody does who does not want it."""
    team = json.loads(shop.facts.read_text())
    team["facts"] = [fact for fact in team["facts"] if word not in fact["content"]]
    shop.facts.write_text(json.dumps(team, indent=2) + "\n")


def switch_before(shop: Shop) -> None:
    commit(shop.repo)
    git(shop.repo, "checkout", "-q", "-b", "older", "HEAD~1")


def reset(shop: Shop) -> None:
    commit(shop.repo)
    git(shop.repo, "reset", "-q", "--hard", "HEAD~1")


def orphan(shop: Shop) -> None:
    commit(shop.repo)
    git(shop.repo, "checkout", "-q", "--orphan", "fresh")
    git(shop.repo, "rm", "-rfq", ".")


def lose_state(shop: Shop) -> None:
    shutil.rmtree(shop.home / ".local/state")


@pytest.mark.parametrize("happens", [switch_before, reset, orphan, lose_state])
@pytest.mark.parametrize("word", ["", "mock"], ids=["nothing", "forgotten"])
def test_nothing_is_lost(shop: Shop, happens: Callable[[Shop], None], word: str) -> None:
    """What the chats taught is written again, each fact once, though they are not read again; forgotten stays so."""
    if word:
        invoke("memory", "forget", shop.fact_id_of(word))
    assert shared(shop) == RULES - {word}
    ids = {fact["id"] for fact in json.loads(shop.facts.read_text())["facts"]}
    happens(shop)
    invoke("reconcile")
    assert shared(shop) == RULES - {word}
    assert {fact["id"] for fact in json.loads(shop.facts.read_text())["facts"]} == ids


def test_removed_on_one_branch(shop: Shop) -> None:
    """What somebody removed on a branch stays away there, and is there on a branch that never removed it."""
    git(shop.repo, "branch", "older")
    commit(shop.repo)
    remove(shop, "mock")
    invoke("reconcile")
    assert shared(shop) == RULES - {"mock"}
    commit(shop.repo)
    invoke("reconcile")
    assert shared(shop) == RULES - {"mock"}
    git(shop.repo, "checkout", "-q", "older")
    invoke("reconcile")
    assert shared(shop) == RULES
    git(shop.repo, "checkout", "-q", "-f", "main")
    invoke("reconcile")
    assert shared(shop) == RULES - {"mock"}


# `reconcile` says what it wrote to the team's file, and a setting has it written on a decision only.


RULE = "From now on, never push to main."


@pytest.fixture(autouse=True)
def _said(git_repo: Path, home: Path) -> None:
    (git_repo / "AGENTS.md").write_text("# Rules\n")
    claude_session(home, git_repo, RULE)


def test_it_is_said_once(run: Run, git_repo: Path) -> None:
    """In one line, with the way to look and to take back; the next run has written nothing."""
    line = f"1 fact written to {PLACE}: list facts with `memsuggest memory list --facts`; remove one with `memsuggest"
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


def test_a_rule_that_weakens_safety_is_written_once_applied(run: Run, git_repo: Path, home: Path) -> None:
    """The team's file gets it with the person's own word, though the mark that told its meaning is cut off."""
    claude_session(home, git_repo, "From now on, ship on green or red, the CI status doesn't matter.")
    assert "written to" not in run("reconcile").out
    (name,) = run("list", "--format", "json").json["dangerous"]
    assert not (git_repo / PLACE).exists()
    run("apply", name, "--yes")
    run("reconcile")
    assert "green or red" in (git_repo / PLACE).read_text()
