"""`doctor`: one screen about everything, from a repo as it really stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run


def health(run: Run, *, code: int = 0) -> dict[str, tuple[str, str]]:
    found: list[dict[str, Any]] = run("doctor", "--format", "json", code=code).json["checks"]
    return {check["name"]: (check["health"], check["text"]) for check in found}


def test_an_empty_repo(run: Run) -> None:
    """Where nothing is set up nothing is wrong: what is off says how it comes on."""
    found = health(run)
    assert {name for name, (how, _) in found.items() if how == "off"} >= {
        *("chats", "targets", "engine", "assistant hooks", "watcher", "merge driver", "pre-commit hooks"),
        "GitHub Action",
    }
    assert all(
        check["hint"] for check in run("doctor", "--format", "json").json["checks"] if check["text"] == "not installed"
    )


def test_what_is_installed_is_seen(run: Run, git_repo: Path) -> None:
    """Hooks, driver, pre-commit and workflow are found where they stand."""
    run("hooks", "install", "--for", "claude-code", "--yes")
    run("memory", "merge-driver", "install")
    (git_repo / ".pre-commit-config.yaml").write_text("repos: [{repo: https://example.org/memsuggest}]\n")
    workflows = git_repo / ".github/workflows"
    workflows.mkdir(parents=True)
    (workflows / "comment.yml").write_text("jobs: {comment: {steps: [{uses: example/memsuggest@v1}]}}\n")
    found = health(run)
    for name in ("assistant hooks", "merge driver", "pre-commit hooks", "GitHub Action"):
        assert found[name][0] == "ok", name


def test_chats_by_format(run: Run, git_repo: Path) -> None:
    """Chats are counted by what has become of them."""
    claude_session(Path.home(), git_repo, "Always use pnpm in this repo.")
    assert health(run)["claude-code"] == ("ok", "1 new")
    run("reconcile")
    assert health(run)["claude-code"] == ("ok", "1 processed")


def test_a_broken_store_is_bad_and_hides_nothing(run: Run, git_repo: Path) -> None:
    """A damaged shared file is told, with the exit code of a check, and the rest is told all the same."""
    path = git_repo / ".github/memories/facts.json"
    path.parent.mkdir(parents=True)
    path.write_text("{", encoding="utf-8")
    found = health(run, code=3)
    assert found["facts.json"][0] == "bad"
    assert found["engine"][0] == "off"
    assert path.read_text() == "{"


@pytest.mark.parametrize("words", [pytest.param(("--offline",), id="offline"), pytest.param((), id="no key")])
def test_says_why_no_model_is_asked(run: Run, words: tuple[str, ...]) -> None:
    """The reason for the offline engine is told."""
    text = {check["name"]: check["text"] for check in run("doctor", "--format", "json", *words).json["checks"]}[
        "engine"
    ]
    assert text == "offline rules: " + ("set by `engine`" if words else "no API key is set")


def test_mode_off_looks_at_no_chats(run: Run, git_repo: Path) -> None:
    """In the mode `off` not even the chats are looked for."""
    claude_session(Path.home(), git_repo, "Always use pnpm in this repo.")
    run("config", "set", "mode", "off")
    found = health(run)
    assert found["mode"][0] == found["chats"][0] == "off"
    assert "claude-code" not in found


def test_changes_nothing(run: Run, git_repo: Path) -> None:
    """Nothing is created, neither in the repo nor at home."""
    before = [sorted(map(str, place.rglob("*"))) for place in (git_repo, Path.home())]
    run("doctor")
    assert [sorted(map(str, place.rglob("*"))) for place in (git_repo, Path.home())] == before


def test_fits_on_a_screen(run: Run) -> None:
    """The usual report is no longer than a screen of 30 lines."""
    assert len(run("doctor").out.splitlines()) <= 30


def test_a_file_that_hosts_do_not_read_as_meant_is_counted(run: Run, git_repo: Path) -> None:
    """`targets` says what is wrong with it, and `doctor` that something is."""
    folder = git_repo / ".github" / "instructions"
    folder.mkdir(parents=True)
    (folder / "web.instructions.md").write_text("\n---\napplyTo: 'web/**'\n---\n- Use tabs\n", encoding="utf-8")
    warned = [row for row in run("targets", "--format", "json").json["targets"] if row["warnings"]]
    assert len(warned) == 1
    assert health(run)["warnings"] == ("look", "in 1 file")
