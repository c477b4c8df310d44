"""Whatever git does to the working tree, no fact that the person taught is lost, and none comes back unasked."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from cli.conftest import Shop, commit, git, invoke

if TYPE_CHECKING:
    from collections.abc import Callable

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
