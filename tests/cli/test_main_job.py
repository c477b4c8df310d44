"""From a chat to a better file, and back: the commands as a person uses them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token, tree
from cli.conftest import Run, commit, facts, git, json_of, session, suggestions

AGENTS = "# Shop\n\n## Commands\n\n- Build with `make`.\n\n## Testing\n\n- Tests live in tests/.\n"
RULE = "From now on never mock the database in tests."


@pytest.fixture(name="repo")
def _repo(git_repo: Path) -> Path:
    commit(git_repo, {"AGENTS.md": AGENTS, "tests/test_shop.py": "x = 1\n"})
    return git_repo


@pytest.fixture
def learned(run: Run, repo: Path, home: Path) -> Path:
    """A rule was said, and is pending."""
    claude_session(home, repo, RULE)
    run("reconcile")
    return repo


def only() -> dict[str, Any]:
    """The one suggestion that is pending."""
    (suggestion,) = suggestions()
    return suggestion


def test_the_whole_way(run: Run, repo: Path, home: Path) -> None:
    """Reconcile suggests, show explains, apply writes exactly that, undo brings the bytes back, again: nothing new."""
    run("reconcile", "--check")
    claude_session(home, repo, "please fix the login page", RULE, "thanks")
    before = tree(home) | tree(repo)
    dry = json_of("reconcile", "--dry-run")["suggestions"]
    assert tree(home) | tree(repo) == before
    report = json_of("reconcile", "--check", code=3)
    assert (report["version"], report["mode"], report["transcriptsRead"]) == (1, "occasional", 1)
    (suggestion,) = report["suggestions"]
    assert report["suggestions"] == dry and suggestion["targetUri"] == "AGENTS.md"
    assert suggestion["citations"][0]["quote"] in RULE
    shown = run("show", suggestion["id"][:6]).out
    assert suggestion["diff"] in shown + "\n" and "you typed" in shown
    assert "--yes" in run("apply", suggestion["id"], code=1).err
    run("apply", suggestion["id"][:6], "--yes")
    diff = git(repo, "diff", "--", "AGENTS.md").split("\n")
    added = [line for line in diff if line[:1] in "+-" and line[:3] not in {"+++", "---"} and line]
    assert added == [line for line in suggestion["diff"].split("\n")[3:] if line[:1] in {"+", "-"} and line]
    assert json_of("reconcile")["suggestions"] == []
    assert "AGENTS.md" in run("list", "--status", "applied").out
    run("undo")
    assert (repo / "AGENTS.md").read_bytes() == AGENTS.encode()
    assert only()["id"] == suggestion["id"]
    for path in (home / ".local/state/memsuggest").rglob("state.db*"):
        path.unlink()  # which is disposable: facts and decisions are elsewhere
    again = json_of("reconcile")
    assert again["newFacts"] == 0 and [one["id"] for one in again["suggestions"]] == [suggestion["id"]]


def test_off_reads_and_writes_nothing(repo: Path, home: Path) -> None:
    """In `off` mode no transcript is opened and no file is written."""
    transcript = claude_session(home, repo, RULE)
    before = tree(home) | tree(repo)
    watcher = (
        "import sys, runpy\n"
        "def watch(event, args):\n"
        "    is_write = event == 'open' and isinstance(args[1], str) and set(args[1]) & set('wax+')\n"
        "    if is_write or (event == 'open' and '.claude' in str(args[0])):\n"
        "        sys.__stderr__.write(f'OPENED {args[0]}\\n')\n"
        "sys.addaudithook(watch)\nsys.argv = ['memsuggest', 'reconcile']\n"
        "runpy.run_module('memsuggest', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", watcher],
        cwd=repo,
        env={**os.environ, "MEMSUGGEST_MODE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Memory is disabled" in done.stdout
    assert "OPENED" not in done.stderr
    assert tree(home) | tree(repo) == before
    assert transcript.exists()


def test_secrets_are_nowhere(run: Run, repo: Path, home: Path) -> None:
    """A token that was typed stands in no output, no store and no file but the transcript itself."""
    token = fake_token()
    said = f"From now on always deploy with the token {token} and never without it."
    transcript = claude_session(home, repo, said, RULE)
    looks = ("reconcile", "list", "memory list --facts", "memory export --facts", f"transcripts show {transcript}")
    assert not any(token in run(*words.split()).out for words in looks)
    holders = [name for name, data in (tree(home) | tree(repo)).items() if token.encode() in data]
    assert holders == [transcript.relative_to(home).as_posix()]


def test_a_changed_file_is_planned_anew(run: Run, learned: Path) -> None:
    """A line added elsewhere stays and the rule goes where it was shown; what stands there or is gone needs none."""
    path = learned / "AGENTS.md"
    changed = AGENTS.replace("# Shop\n", "# Shop\n\nA shop.\n")
    path.write_text(changed)
    assert "the file has changed" in run("show", only()["id"]).out
    run("apply", only()["id"], "--yes")
    assert "A shop." in path.read_text() and "never mock" in path.read_text().lower()
    path.write_text(path.read_text().replace("A shop.", "The shop."))
    run("undo")
    assert path.read_text() == changed.replace("A shop.", "The shop.")
    text = AGENTS + "- Never mock the database in tests.\n"
    path.write_text(text)
    assert "hint:" in run("apply", only()["id"], "--yes", code=1).err
    assert path.read_text() == text
    path.unlink()
    assert "the file has changed" in run("show", only()["id"]).out and not path.exists()


def test_undo_after_a_change_of_the_line_beside_it(run: Run, learned: Path) -> None:
    """The line that was put in goes, the changed one stays; only where that line itself changed it is refused."""
    run("apply", only()["id"], "--yes")
    path = learned / "AGENTS.md"
    rows = path.read_text().splitlines()
    place = next(at for at, line in enumerate(rows) if "mock" in line)
    rows[place - 1] += " now"
    path.write_text("\n".join([*rows[:place], f"{rows[place]} Really.", *rows[place + 1 :]]) + "\n")
    assert "then run `memsuggest undo` again" in run("undo", code=1).err
    path.write_text("\n".join(rows) + "\n")
    run("undo")
    assert path.read_text().splitlines() == rows[:place] + rows[place + 1 :]


def test_dismissed_stays_silent_until_said_again(run: Run, learned: Path, home: Path) -> None:
    """A dismissal is remembered in the shared file, and lifted by new evidence only."""
    run("dismiss", only()["id"])
    assert json_of("reconcile", "--again")["suggestions"] == []
    assert '"dismissed"' in (learned / ".github/memories/facts.json").read_text()
    claude_session(home, learned, "Never mock the database in tests!", session=session(3), day=2)
    assert len(json_of("reconcile")["suggestions"]) == 1


def test_forgotten_does_not_come_back(run: Run, learned: Path, home: Path) -> None:
    """Neither from the same transcript nor from the same words; a line that was applied stays, and it is said so."""
    run("apply", only()["id"], "--yes")
    (fact,) = facts()
    assert "`AGENTS.md:" in run("memory", "forget", fact["id"][:8]).out
    assert "mock" in (learned / "AGENTS.md").read_text()
    for path in (home / ".local/state/memsuggest").rglob("state.db*"):
        path.unlink()
    report = json_of("reconcile", "--again")
    assert (report["newFacts"], report["suggestions"]) == (0, [])
    assert fact["content"] not in (learned / ".github/memories/facts.json").read_text()


def test_what_was_overruled_does_not_come_back(run: Run, repo: Path, home: Path) -> None:
    """Once the newer of two that cannot both hold is applied, the older one does not ask to replace it."""
    for day, word in enumerate(("tabs", "spaces"), 1):
        claude_session(home, repo, f"Always use {word} in the build scripts.", session=session(day), day=day)
    (pair,) = json_of("reconcile")["contradictions"]
    assert "spaces" in pair["winner"]["content"]
    run("apply", only()["id"], "--yes")
    assert json_of("reconcile")["suggestions"] == []
    run("memory", "forget", pair["winner"]["id"])
    assert "tabs" in only()["content"]


def test_user_facts_never_reach_the_repo(run: Run, repo: Path, home: Path) -> None:
    """A personal habit goes to the person's own files, and stands in no file of the repo."""
    claude_session(home, repo, "preference (user): answer me in British English")
    run("reconcile")
    assert only()["scope"] == "user"
    run("apply", only()["id"], "--yes")
    own = home / ".claude" / "CLAUDE.md"  # what Claude Code, which was told, reads in every project
    assert "British" in own.read_text(encoding="utf-8")
    assert not any(b"British" in data for data in tree(repo).values())
    run("undo")
    assert not own.exists() and not (home / ".copilot").exists()


def test_facts_by_hand(run: Run, repo: Path) -> None:
    """Add, edit, search, export and forget; ids are stable, wordings are not."""
    run("remember", "Use pnpm, not npm")
    (fact,) = facts()
    run("memory", "edit", fact["id"][:6], "--content", "Use pnpm for everything")
    (edited,) = facts("pnpm")
    assert (edited["id"], edited["content"]) == (fact["id"], "Use pnpm for everything")
    assert "pnpm for everything" in run("memory", "export", "--facts").out
    assert run("memory", "check").out.endswith("1 fact, 0 problems\n")
    run("memory", "forget", fact["id"])
    assert repo.exists() and run("memory", "list", "--facts").out == "no facts yet\n"
