"""`hooks install --skill`: where each assistant reads the skill, whose it is, and that it can be taken back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run, invoke, refused

from memsuggest.assistants.assistant_files import SKILL_NAME, SKILL_OF, skill_text
from memsuggest.customizations.frontmatter import parse

SHARED, CLAUDE = f".agents/skills/{SKILL_NAME}/SKILL.md", f".claude/skills/{SKILL_NAME}/SKILL.md"


def test_the_skill_is_one_that_hosts_accept() -> None:
    """Its name is its folder's, its description is short enough to be offered, and it names both commands."""
    read = parse(skill_text())
    assert not read.errors
    assert read.name == SKILL_NAME
    assert read.description and "reconcile memory" in read.description and len(read.description) <= 1024
    assert "memsuggest ask" in read.body and "memsuggest answer ID" in read.body
    assert "<" not in read.description


@pytest.mark.parametrize("host", [None, *SKILL_OF])
@pytest.mark.parametrize("where", ["repo", "home"])
def test_it_goes_where_the_assistant_reads(run: Run, git_repo: Path, home: Path, host: str | None, where: str) -> None:
    """In the repo or below the home, for one assistant or all, and away again without a trace."""
    base = git_repo if where == "repo" else home
    options = [*(["--for", host] if host else []), *(["--user"] if where == "home" else [])]
    run("hooks", "install", "--skill", "--yes", *options)
    expected = {SKILL_OF[host]} if host else {SHARED, CLAUDE}
    assert {name for name in tree(base) if name.endswith("SKILL.md")} == expected
    assert all((base / name).read_text(encoding="utf-8") == skill_text() for name in expected)
    shown = run("hooks", "show", "--format", "json").json["files"]
    assert {name for name, is_there in shown.items() if is_there} == {
        f"~/{name}" if where == "home" else name for name in expected
    }
    assert "nothing to change" in run("hooks", "install", "--skill", "--yes", *options).err
    run("hooks", "uninstall", "--skill", "--yes", *options)
    assert not any((base / name).exists() for name in (".agents", ".claude"))


def test_undo_takes_it_back_and_brings_it_back(run: Run, git_repo: Path) -> None:
    """As any other edit."""
    run("hooks", "install", "--skill", "--yes")
    run("undo")
    assert not (git_repo / SHARED).exists()
    run("hooks", "install", "--skill", "--yes")
    run("hooks", "uninstall", "--skill", "--yes")
    run("undo")
    assert (git_repo / SHARED).read_text(encoding="utf-8") == skill_text()


def test_an_older_one_is_brought_up_to_date_and_another_stays(run: Run, git_repo: Path) -> None:
    """What somebody else wrote under this name is neither overwritten nor taken away."""
    run("hooks", "install", "--skill", "--yes")
    path = git_repo / SHARED
    path.write_text(skill_text() + "\nOf an older version.\n", encoding="utf-8")
    run("hooks", "install", "--skill", "--yes")
    assert path.read_text(encoding="utf-8") == skill_text()
    path.write_text("---\nname: reconcile-memory\n---\nOurs, by hand.\n", encoding="utf-8")
    refused("hooks", "install", "--skill", "--yes", says="a different skill")
    run("hooks", "uninstall", "--skill", "--yes")
    assert "by hand" in path.read_text(encoding="utf-8")
    assert not (git_repo / CLAUDE).exists()


def test_it_is_no_place_for_rules(run: Run, git_repo: Path, home: Path) -> None:
    """Nothing is suggested for it, and a repo that has nothing else is none that keeps to Claude."""
    run("hooks", "install", "--skill", "--yes", "--for", "claude-code")
    claude_session(home, git_repo, "From now on never mock the database in tests.")
    pending = run("reconcile", "--format", "json").json["suggestions"]
    assert pending
    assert not any(
        SKILL_NAME in (suggestion["targetUri"] or suggestion["suggestedFileName"] or "") for suggestion in pending
    )


def test_wrong_words_are_refused(run: Run) -> None:
    """An assistant without skills, hooks without an assistant, and no terminal to ask on."""
    refused("hooks", "install", "--skill", "--yes", "--for", "emacs", says="codex")
    run("hooks", "install", "--yes", code=2)
    refused("hooks", "install", "--skill", says="not running in a terminal")
    assert "consent grant --engine chat" in run("hooks", "install", "--skill", "--yes").err


if sys.platform != "win32":
    from cli.terminal import Terminal

    @pytest.mark.parametrize("key", ["y", "n"])
    def test_on_a_terminal_consent_is_asked_once(run: Run, git_repo: Path, key: str) -> None:
        """After the diff was agreed to: what would be told is shown, and a yes is remembered for this workspace."""
        terminal = Terminal("hooks", "install", "--skill")
        terminal.expect("Write this? [y/N]: ")
        terminal.answer("y\n")
        assert "Its vendor sees" in " ".join(terminal.expect("allow this? [y,n,?]").split())
        terminal.press(key)
        terminal.end()
        assert (git_repo / SHARED).exists()
        shown = invoke("consent", "show", "--engine", "chat", "--format", "json").json
        assert shown["granted"] is (key == "y")
        if key == "y":
            again = Terminal("hooks", "install", "--skill")
            assert "allow this?" not in again.end()
        assert run
