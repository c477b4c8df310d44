"""The hooks of `.pre-commit-hooks.yaml`, run by the real pre-commit program in a repo, on commits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import fake_token
from cli.conftest import REFUSAL, Shop, invoke
from conftest import ROOT

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def in_repo(shop: Shop, *words: str, code: int = 0) -> str:
    """Run a program there with this project's command on the path; return what it printed."""
    environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(words, cwd=shop.repo, capture_output=True, text=True, env=environ, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def commit(shop: Shop, *, code: int = 0) -> str:
    """Stage all and run the hooks on it, as `git commit` would."""
    in_repo(shop, "git", "add", "-A")
    return in_repo(shop, sys.executable, "-m", "pre_commit", "run", code=code)


@pytest.fixture
def team(shop: Shop) -> Shop:
    """A repo with our hooks; the program is the one that is installed, so that nothing is downloaded."""
    local = [{**hook, "language": "system"} for hook in HOOKS]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (shop.repo / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return shop


def test_each_hook_is_complete() -> None:
    """Every hook says what it is, what it runs, and is made by pip."""
    for hook in HOOKS:
        assert {"id", "name", "description", "entry", "language"} <= hook.keys()
        assert hook["language"] == "python"
        assert hook["entry"].startswith("memsuggest-pre-commit ")


def test_passes_and_tells(team: Shop) -> None:
    """Sound facts pass; what waits for the files of the commit is told, and blocks nothing."""
    team.agents.write_text(team.agents.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    said = commit(team)
    assert "the team's facts are sound" in said
    assert "Passed" in said
    assert "Never mock the database" in said


def test_silent_without_news(team: Shop) -> None:
    """A commit of files that nothing waits for is told nothing."""
    commit(team)
    in_repo(team, "git", "commit", "-q", "-m", "facts")
    (team.repo / "notes.txt").write_text("x\n", encoding="utf-8")
    assert "waits" not in commit(team)


def test_blocks_when_asked(team: Shop) -> None:
    """With `--check`, what waits for the files fails the commit."""
    path = team.repo / ".pre-commit-config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    config["repos"][0]["hooks"][1]["args"] = ["--check"]
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    team.agents.write_text(team.agents.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    assert "Failed" in commit(team, code=1)


def test_fails_on_a_secret(team: Shop) -> None:
    """A secret among the facts fails the commit, with the reason and without the secret."""
    damage(team, "mock", fake_token())
    said = commit(team, code=1)
    assert "secret" in said
    assert fake_token() not in said


def test_what_is_loaded(team: Shop) -> None:
    """Where all is well, a check loads neither the command line nor what suggesting needs: it runs at every commit."""
    code = (
        "import sys; sys.argv = ['memsuggest-pre-commit', {!r}, 'notes.txt']\n"
        "from memsuggest.cli.pre_commit import main\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "print(*sys.modules)"
    )
    for check in ("facts", "pending"):
        found = in_repo(team, sys.executable, "-c", code.format(check)).split()
        heavy = {"typer", "pydantic", "anthropic", "watchfiles"} | (
            {"rich", "snowballstemmer"} if check == "facts" else set()
        )
        assert not heavy & set(found)


def test_an_expected_failure(team: Shop) -> None:
    """It is said with a hint, as by every command; what is no check is said, too."""
    environ = {**os.environ, "MEMSUGGEST_MODE": "always"}
    command = [sys.executable, "-c", "from memsuggest.cli.pre_commit import main; main()", "facts"]
    done = subprocess.run(command, cwd=team.repo, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert REFUSAL.fullmatch(done.stderr)
    done = subprocess.run([*command[:3], "fact"], cwd=team.repo, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.partition(" ")[0]) == (2, "usage:")


def damage(shop: Shop, old: str, new: str) -> None:
    text = shop.facts.read_text(encoding="utf-8")
    assert old in text
    shop.facts.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        pytest.param("mock", "mo\u200bck", "hidden character", id="invisible"),
        pytest.param('{\n  "version"', '<<<<<<< ours\n{\n  "version"', "conflict marker", id="marker"),
        pytest.param('"version": 1', '"version": "one"', "`version` must be 1", id="schema"),
        pytest.param("},\n", "},\n\n", "facts tidy", id="form"),
    ],
)
def test_what_is_unsound(shop: Shop, old: str, new: str, says: str) -> None:
    """The check that the hook runs finds each sort of damage, and says what it is."""
    damage(shop, old, new)
    assert says in invoke("facts", "check", code=3).out


def test_tidy_mends_the_form(shop: Shop) -> None:
    """`facts tidy` puts right what the check complains of."""
    text = shop.facts.read_text(encoding="utf-8")
    damage(shop, "},\n", "},\n\n")
    invoke("facts", "check", code=3)
    invoke("facts", "tidy")
    assert shop.facts.read_text(encoding="utf-8") == text
    invoke("facts", "check")
