"""`doctor`: one screen about everything, from a repo as it really stands."""

from __future__ import annotations

from pathlib import Path

from builders import claude_session
from cli.conftest import Run, json_of, write


def health(*words: str, code: int = 0) -> dict[str, tuple[str, str]]:
    return {check["name"]: (check["health"], check["text"]) for check in json_of("doctor", *words, code=code)["checks"]}


def test_an_empty_repo(run: Run, git_repo: Path, home: Path) -> None:
    """Where nothing is set up nothing is wrong or made: what is off says how it comes on, on one screen."""
    before = [sorted(map(str, place.rglob("*"))) for place in (git_repo, home)]
    found = health()
    assert {name for name, (how, _) in found.items() if how == "off"} >= {
        *("chats", "targets", "engine", "assistant hooks", "watcher", "merge driver", "pre-commit hooks"),
        "GitHub Action",
    }
    assert all(check["hint"] for check in json_of("doctor")["checks"] if check["text"] == "not installed")
    assert found["engine"][1] == "offline rules: no API key is set"
    assert health("--offline")["engine"][1] == "offline rules: chosen by the setting `engine`"
    assert len(run("doctor").out.splitlines()) <= 30
    assert [sorted(map(str, place.rglob("*"))) for place in (git_repo, home)] == before


def test_what_is_there_is_seen(run: Run, git_repo: Path, home: Path) -> None:
    """Chats, hooks, driver, pre-commit and workflow; a file read otherwise than meant; a broken store hides nothing."""
    run("hooks", "install", "--for", "claude-code", "--yes")
    run("memory", "merge-driver", "install")
    workflow = "jobs: {comment: {steps: [{uses: example/memsuggest@v1}]}}\n"
    write(
        git_repo,
        {
            ".pre-commit-config.yaml": "repos: [{repo: https://example.org/memsuggest}]\n",
            ".github/workflows/comment.yml": workflow,
            ".github/instructions/web.instructions.md": "\n---\napplyTo: 'web/**'\n---\n- Use tabs\n",
        },
    )
    claude_session(home, git_repo, "Always use pnpm in this repo.")
    found = health()
    for name in ("assistant hooks", "merge driver", "pre-commit hooks", "GitHub Action"):
        assert found[name][0] == "ok", name
    assert (found["claude-code"], found["warnings"]) == (("ok", "1 new"), ("look", "in 1 file"))
    assert len([row for row in json_of("targets")["targets"] if row["warnings"]]) == 1
    run("reconcile")
    assert health()["claude-code"] == ("ok", "1 processed")
    write(git_repo, {".github/memories/facts.json": "{"})
    found = health(code=3)
    assert found["facts.json"][0] == "bad" and found["engine"][0] == "off"
    assert (git_repo / ".github/memories/facts.json").read_text() == "{"
    run("config", "set", "mode", "off")
    found = health(code=3)
    assert found["mode"][0] == found["chats"][0] == "off" and "claude-code" not in found
