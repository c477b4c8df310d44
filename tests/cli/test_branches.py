"""Whatever git does to the working tree, no fact that the person taught is lost, and none comes back unasked."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from cli.conftest import Shop, invoke

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = {"mock", "pnpm", "ruff"}


def git(shop: Shop, *words: str) -> None:
    subprocess.run(["git", "-C", str(shop.repo), *words], check=True, capture_output=True)


def shared(shop: Shop) -> set[str]:
    """Which of the rules stand in the team's file, each once."""
    contents = [fact["content"] for fact in json.loads(shop.facts.read_text())["facts"]]
    assert len(contents) == len(set(contents))
    return {word for word in RULES for content in contents if word in content}


def commit(shop: Shop, message: str = "facts") -> None:
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", message)


def remove(shop: Shop, word: str) -> None:
    """Take a fact out of the team's file by hand, as somebody does who does not want it."""
    team = json.loads(shop.facts.read_text())
    team["facts"] = [fact for fact in team["facts"] if word not in fact["content"]]
    shop.facts.write_text(json.dumps(team, indent=2) + "\n")


def switch_before(shop: Shop) -> None:
    commit(shop)
    git(shop, "checkout", "-q", "-b", "older", "HEAD~1")


def reset(shop: Shop) -> None:
    commit(shop)
    git(shop, "reset", "-q", "--hard", "HEAD~1")


def clean(shop: Shop) -> None:
    git(shop, "clean", "-fdxq")


def orphan(shop: Shop) -> None:
    commit(shop)
    git(shop, "checkout", "-q", "--orphan", "fresh")
    git(shop, "rm", "-rfq", ".")


def lose_state(shop: Shop) -> None:
    shutil.rmtree(shop.home / ".local/state")


@pytest.mark.parametrize("happens", [switch_before, reset, clean, orphan, lose_state])
def test_nothing_is_lost(shop: Shop, happens: Callable[[Shop], None]) -> None:
    """The chats were read long ago, and are not read again; what they taught is written again, each fact once."""
    assert shared(shop) == RULES
    ids = {fact["id"] for fact in json.loads(shop.facts.read_text())["facts"]}
    happens(shop)
    invoke("reconcile")
    assert shared(shop) == RULES
    assert {fact["id"] for fact in json.loads(shop.facts.read_text())["facts"]} == ids
    assert invoke("reconcile", "--format", "json").json["suggestions"]


def test_removed_on_one_branch(shop: Shop) -> None:
    """What somebody removed on a branch stays away there, and is there on a branch that never removed it."""
    git(shop, "branch", "older")
    commit(shop)
    remove(shop, "mock")
    invoke("reconcile")
    assert shared(shop) == RULES - {"mock"}
    commit(shop, "no mock")
    invoke("reconcile")
    assert shared(shop) == RULES - {"mock"}
    git(shop, "checkout", "-q", "older")
    invoke("reconcile")
    assert shared(shop) == RULES
    git(shop, "checkout", "-q", "-f", "main")
    invoke("reconcile")
    assert shared(shop) == RULES - {"mock"}


@pytest.mark.parametrize("happens", [switch_before, reset, clean, orphan, lose_state])
def test_forgotten_stays_forgotten(shop: Shop, happens: Callable[[Shop], None]) -> None:
    """A fact that was forgotten does not come back with an older branch, nor with an empty memory of what was read."""
    invoke("memory", "forget", shop.fact_id_of("mock"))
    assert shared(shop) == RULES - {"mock"}
    happens(shop)
    invoke("reconcile")
    assert shared(shop) == RULES - {"mock"}
