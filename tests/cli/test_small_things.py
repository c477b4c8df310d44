"""What once ended in a traceback or in silence: names, encodings, places and settings as they come."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, invoke, refused

LONG = "a" * 300


def called(*words: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process of its own."""
    command = [sys.executable, "-m", "memsuggest", *words]
    return subprocess.run(command, env={**os.environ, **environ}, capture_output=True, check=False)


@pytest.mark.parametrize("words", [("transcripts",), ("reconcile",), ("extract",), ("transcripts", "show")])
def test_a_name_that_no_file_can_have(run: Run, words: tuple[str, ...]) -> None:
    """It is said in a line, with what to do next."""
    refused(*words, LONG)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_an_old_encoding(run: Run, encoding: str) -> None:
    """What a terminal cannot show comes out as a question mark; JSON stays whole."""
    run("remember", "Schreib Preise mit € und in 日本円, nie ohne.")
    shown = called("list", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert shown.returncode == 0 and b"Preise mit" in shown.stdout, shown.stderr
    told = called("list", "--format", "json", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    (one,) = json.loads(told.stdout.decode(encoding))["suggestions"]
    assert "€ und in 日本円" in one["content"]


def test_a_home_that_cannot_be_written(run: Run, git_repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking needs no place to write: what the team's file says is listed."""
    claude_session(home, git_repo, "We always use pnpm, never npm, in this repo.")
    run("reconcile")
    nowhere = git_repo.parent / "a file"
    nowhere.write_text("no folder")
    monkeypatch.setenv("MEMSUGGEST_STATE_DIR", str(nowhere / "state"))
    monkeypatch.setenv("MEMSUGGEST_DATA_DIR", str(nowhere / "data"))
    assert "0 pending" in invoke("list").out
    assert "pnpm" in invoke("memory", "list", "--facts").out
    assert nowhere.read_text() == "no folder"


def test_a_folder_whose_name_commands_the_terminal(run: Run, git_repo: Path) -> None:
    """It is skipped aloud, with a name that is safe to print."""
    folder = git_repo / ".github/skills/a\x1b[31mred"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: red\ndescription: Use when red.\n---\n\n- Be red.\n")
    out = run("targets").out
    assert "a\\x1b[31mred" in out and "control characters" in out and "\x1b" not in out


def test_one_wrong_setting_of_a_repo(run: Run, git_repo: Path) -> None:
    """`config show` tells it beside all the others, and `config unset` fixes it."""
    (git_repo / ".memsuggest.yml").write_text("mode: loud\ncare: false\n", encoding="utf-8")
    out = run("config", "show").out
    assert "`mode` is `loud`" in out and "maxUserFacts         100 facts" in out and "90 days" in out
    refused("list", says="`mode` is `loud`")
    run("config", "unset", "mode", "--shared")
    assert (git_repo / ".memsuggest.yml").read_text(encoding="utf-8") == "care: false\n"
    assert "0 pending" in run("list").out


def test_a_setting_is_taken_out_where_it_was_put(run: Run) -> None:
    """`unset` is the way back from `set`; what is not set there is said."""
    run("config", "set", "maxUserFacts", "20")
    run("config", "set", "maxUserFacts", "30", "--user")
    assert run("config", "get", "maxUserFacts").out == "20\n"
    run("config", "unset", "maxUserFacts")
    assert run("config", "get", "maxUserFacts").out == "30\n"
    assert "is not set in" in run("config", "unset", "maxUserFacts").out


def test_a_branch_with_nothing(run: Run, git_repo: Path) -> None:
    """Where nothing was ever pending, it is not said with `any more`."""
    (git_repo / "README.md").write_text("# Shop\n")
    subprocess.run("git add -A && git commit -q -m start", shell=True, cwd=git_repo, check=True)
    out = run("comment", "--base", "HEAD").out
    assert "Nothing is pending for the files" in out and "any more" not in out


def test_usage_names_the_program() -> None:
    """Whoever calls it through Python, or through `demo`, reads a line that can be typed."""
    assert b"Usage: memsuggest apply" in called("apply", "--nothing").stderr
    assert b"Usage: memsuggest demo apply" in called("apply", "--nothing", MEMSUGGEST_CALLED="memsuggest demo").stderr


def aged(path: Path, *, days: int) -> None:
    """Let a chat be written to last so many days ago."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - days * 86_400 * 10**9))


def test_old_chats_wait_until_they_are_wanted(run: Run, git_repo: Path, home: Path) -> None:
    """90 days back unless told otherwise; what is left is counted, and what is named is read in any case."""
    path = claude_session(home, git_repo, "We always use pnpm, never npm, in this repo.")
    aged(path, days=100)
    first = run("reconcile")
    assert "last run: just now · 0 pending" in first.out and "1 chat is older than 90 days" in first.out
    assert "0 pending" in run("reconcile", "--since", "99").out
    assert "1 pending" in run("reconcile", "--since", "101").out
    run("config", "set", "since", "all")
    assert "older than" not in run("reconcile").out
    refused("reconcile", "--since", "soon", says="`since` is `soon`")


def test_reading_again_asks_nothing_that_was_decided(run: Run, git_repo: Path, home: Path) -> None:
    """`--again` reads what was read; dismissed stays dismissed, applied stays applied, forgotten stays forgotten."""
    claude_session(home, git_repo, "We always use pnpm, never npm, in this repo.", "Never log a customer's address.")
    (git_repo / "AGENTS.md").write_text("# Shop\n\n- Be brief.\n")
    names = [one["id"] for one in run("reconcile", "--format", "json").json["suggestions"]]
    assert len(names) == 2
    run("dismiss", names[0])
    run("memory", "forget", names[1])
    again = run("reconcile", "--again", "--format", "json").json
    assert again["suggestions"] == []
    assert "1 transcript read" in run("reconcile", "--again").out


def test_a_first_run_without_chats_says_where_to_look(run: Run) -> None:
    """Where nothing was found, nothing is caught up with."""
    out = run("reconcile").out
    assert "No chats found for this workspace. Run `memsuggest transcripts`" in out
    assert "caught up" not in out


def test_what_is_stated_by_hand_is_compared_with_what_is_known(run: Run, git_repo: Path) -> None:
    """Known again by its words, against a fact, against a line, or said by one: with both texts."""
    (git_repo / "AGENTS.md").write_text("# Rules\n\n- Keep build logs for 30 days.\n- Sign every release tag.\n")
    run("remember", "Use pnpm to install packages.")
    again = run("remember", "Please use pnpm to install the packages.").out
    assert "already stored as “Use pnpm to install packages.”" in again
    assert len(json.loads(run("memory", "list", "--facts", "--format", "json").out)["facts"]) == 1
    assert "contradicts fact" in (told := run("remember", "Use npm to install packages.").out) and "Use pnpm" in told
    assert "“Keep build logs for 30 days.” in line 3" in run("remember", "Keep build logs for 90 days.").out
    assert "AGENTS.md:4 already says it: “Sign every release tag.”" in run("remember", "Sign every release tag").out


def test_what_was_forgotten_is_back_once_it_is_stated_by_hand(run: Run) -> None:
    """Whoever types it anew means it."""
    run("remember", "Use pnpm to install packages.")
    (fact,) = json.loads(run("memory", "list", "--facts", "--format", "json").out)["facts"]
    run("memory", "forget", fact["id"])
    assert "already stored" not in run("remember", "Use pnpm to install packages.").out
    assert "pnpm" in run("memory", "list", "--facts").out
