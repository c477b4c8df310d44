"""`hooks install --skill`: where each assistant reads the skill, whose it is, and that it can be taken back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run, json_of, refused

from memsuggest.assistants.assistant_files import SKILL_NAME, SKILL_OF, skill_text
from memsuggest.customizations.frontmatter import parse

SHARED, CLAUDE = f".agents/skills/{SKILL_NAME}/SKILL.md", f".claude/skills/{SKILL_NAME}/SKILL.md"
INSTALL, UNINSTALL = (("hooks", verb, "--skill", "--yes") for verb in ("install", "uninstall"))


def test_the_skill_is_one_that_hosts_accept() -> None:
    """Its name is its folder's, its description is short enough to be offered, and it names both commands."""
    read = parse(skill_text())
    assert not read.errors and read.name == SKILL_NAME
    assert read.description and "reconcile memory" in read.description and len(read.description) <= 1024
    assert "memsuggest ask" in read.body and "memsuggest answer ID" in read.body and "<" not in read.description


@pytest.mark.parametrize("host", [None, *SKILL_OF])
@pytest.mark.parametrize("where", ["repo", "home"])
def test_it_goes_where_the_assistant_reads(run: Run, git_repo: Path, home: Path, host: str | None, where: str) -> None:
    """In the repo or below the home, for one assistant or all, and away again without a trace."""
    base = git_repo if where == "repo" else home
    options = [*(["--for", host] if host else []), *(["--user"] if where == "home" else [])]
    assert "consent grant --engine chat" in run(*INSTALL, *options).err
    expected = {SKILL_OF[host]} if host else {SHARED, CLAUDE}
    assert {name for name in tree(base) if name.endswith("SKILL.md")} == expected
    assert all((base / name).read_text(encoding="utf-8") == skill_text() for name in expected)
    shown = json_of("hooks", "show")["files"]
    names = {f"~/{name}" if where == "home" else name for name in expected}
    assert {name for name, is_there in shown.items() if is_there} == names
    assert "nothing to change" in run(*INSTALL, *options).err
    run(*UNINSTALL, *options)
    assert not any((base / name).exists() for name in (".agents", ".claude"))
    run("undo")
    assert all((base / name).exists() for name in expected)


def test_an_older_one_is_brought_up_to_date_and_another_stays(run: Run, git_repo: Path) -> None:
    """What somebody else wrote under this name is neither overwritten nor taken away."""
    run(*INSTALL)
    path = git_repo / SHARED
    path.write_text(skill_text() + "\nOf an older version.\n", encoding="utf-8")
    run(*INSTALL)
    assert path.read_text(encoding="utf-8") == skill_text()
    path.write_text("---\nname: reconcile-memory\n---\nOurs, by hand.\n", encoding="utf-8")
    refused(*INSTALL, says="a different skill")
    run(*UNINSTALL)
    assert "by hand" in path.read_text(encoding="utf-8") and not (git_repo / CLAUDE).exists()
    refused(*INSTALL, "--for", "emacs", says="codex")
    run("hooks", "install", "--yes", code=2)
    refused(*INSTALL[:3], says="not running in a terminal")


def test_it_is_no_place_for_rules(run: Run, git_repo: Path, home: Path) -> None:
    """Nothing is suggested for it, and a repo that has nothing else is none that keeps to Claude."""
    run(*INSTALL, "--for", "claude-code")
    claude_session(home, git_repo, "From now on never mock the database in tests.")
    (one,) = json_of("reconcile")["suggestions"]
    assert SKILL_NAME not in (one["targetUri"] or one["suggestedFileName"] or "")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
@pytest.mark.parametrize("key", ["y", "n"])
def test_on_a_terminal_consent_is_asked_once(run: Run, git_repo: Path, key: str) -> None:
    """After the diff was agreed to: what would be told is shown, and a yes is remembered for this workspace."""
    from cli.terminal import Terminal

    assert run
    terminal = Terminal(*INSTALL[:3])
    terminal.expect("Write this? [y/N]: ")
    terminal.answer("y\n")
    assert "Its vendor sees" in " ".join(terminal.expect("allow this? [y,n,?]").split())
    terminal.press(key)
    terminal.end()
    assert (git_repo / SHARED).exists()
    assert json_of("consent", "show", "--engine", "chat")["granted"] is (key == "y")
    if key == "y":
        assert "allow this?" not in Terminal(*INSTALL[:3]).end()
