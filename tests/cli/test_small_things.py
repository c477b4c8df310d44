"""What once ended in a traceback or in silence: names, encodings, places and settings as they come."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import AGENTS, BRITISH, MOCK, Run, commit, invoke, json_of, pending, refused, write
from typer.main import get_command

from memsuggest.cli.app import build_app
from memsuggest.cli.help_pages import help_table

PNPM = "We always use pnpm, never npm, in this repo."


def called(*words: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process of its own."""
    command = [sys.executable, "-m", "memsuggest", *words]
    return subprocess.run(command, env={**os.environ, **environ}, capture_output=True, check=False)


def test_names_and_encodings(run: Run, git_repo: Path) -> None:
    """No file can have such a name; what a terminal cannot show is a question mark, or safe to print; JSON is whole."""
    for words in ("transcripts", "reconcile", "extract", "transcripts show"):
        refused(*words.split(), "a" * 300)
    run("remember", "Schreib Preise mit € und in 日本円, nie ohne.")
    shown = called("list", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert shown.returncode == 0 and b"Preise mit" in shown.stdout, shown.stderr
    told = called("list", "--format", "json", PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    (one,) = json.loads(told.stdout.decode("cp1252"))["suggestions"]
    assert "€ und in 日本円" in one["content"]
    folder = git_repo / ".github/skills/a\x1b[31mred"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: red\ndescription: Use when red.\n---\n\n- Be red.\n")
    out = run("targets").out
    assert "a\\x1b[31mred" in out and "control characters" in out and "\x1b" not in out
    assert b"Usage: memsuggest demo apply" in called("apply", "--nothing", MEMSUGGEST_CALLED="memsuggest demo").stderr


def test_a_home_that_cannot_be_written(run: Run, git_repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking needs no place to write: what the team's file says is listed."""
    claude_session(home, git_repo, PNPM)
    run("reconcile")
    nowhere = git_repo.parent / "a file"
    nowhere.write_text("no folder")
    monkeypatch.setenv("MEMSUGGEST_STATE_DIR", str(nowhere / "state"))
    monkeypatch.setenv("MEMSUGGEST_DATA_DIR", str(nowhere / "data"))
    assert "0 pending" in run("list").out
    assert "pnpm" in run("memory", "list", "--facts").out
    assert nowhere.read_text() == "no folder"


@pytest.mark.parametrize("before", [None, "# mine\nmode: manual  # for a while\n", "workspaces:\n", "care: false"])
@pytest.mark.parametrize("where", [(), ("--user",)])
def test_a_setting_is_taken_out_where_it_was_put(
    run: Run, home: Path, where: tuple[str, ...], before: str | None
) -> None:
    """The file is as it was, byte for byte, and gone when it was not there; a comment on the line is the person's."""
    path = home / ".config/memsuggest/config.yml"
    if before is not None:
        write(home, {".config/memsuggest/config.yml": before})
    run("config", "set", "threshold", "0.7", *where)
    assert run("config", "get", "threshold").out == "0.7\n"
    assert "no longer set" in run("config", "unset", "threshold", *where).out
    assert (path.read_bytes().decode() if path.exists() else None) == before
    assert "is not set" in run("config", "unset", "threshold", *where).out
    if before and "manual" in before:
        assert "line 2 contains other content" in run("config", "unset", "mode", "--user", code=1).err
        assert path.read_text() == before


def test_settings_in_layers(run: Run, git_repo: Path) -> None:
    """The nearest counts; one wrong one of a repo is told beside all others, and `unset` fixes it."""
    run("config", "set", "maxUserFacts", "20")
    run("config", "set", "maxUserFacts", "30", "--user")
    assert run("config", "get", "maxUserFacts").out == "20\n"
    run("config", "unset", "maxUserFacts")
    assert run("config", "get", "maxUserFacts").out == "30\n"
    write(git_repo, {".memsuggest.yml": "mode: loud\ncare: false\n"})
    out = run("config", "show").out
    assert "invalid value `loud` for `mode`" in out and "maxUserFacts         30 facts" in out and "90 days" in out
    run("config", "unset", "mode", "--shared")
    assert (git_repo / ".memsuggest.yml").read_text(encoding="utf-8") == "care: false\n"
    for mode, says in (("manual", "No suggestions yet"), ("off", "Memory is disabled")):
        run("config", "set", "mode", mode)
        assert says in run("list").out


def test_old_chats_wait_until_they_are_wanted(run: Run, git_repo: Path, home: Path) -> None:
    """90 days back unless told otherwise; what is left is counted; without chats, nothing is caught up with."""
    out = run("reconcile").out
    assert "No chats found for this workspace. Run `memsuggest transcripts`" in out and "caught up" not in out
    path = claude_session(home, git_repo, PNPM)
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - 100 * 86_400 * 10**9))
    first = run("reconcile").out
    assert "last run: just now · 0 pending" in first and "1 chat is older than 90 days" in first
    assert "0 pending" in run("reconcile", "--since", "99").out
    assert "1 pending" in run("reconcile", "--since", "101").out
    run("config", "set", "since", "all")
    assert "older than" not in run("reconcile").out
    refused("reconcile", "--since", "soon", says="invalid value `soon` for `since`")


def test_nothing_crosses(run: Run, git_repo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a rule, nor low confidence, nor a preference tied to its files is offered in another repository."""
    tied = "From now on I prefer short comments in src/legacy/billing.ts, without jokes."
    doubtful = "the deploy page says: always push to the mirror before you merge"
    words = ("mock", "legacy", "mirror")
    commit(git_repo, {"AGENTS.md": AGENTS, "src/legacy/billing.ts": "export {}\n"})
    subprocess.run(["git", "init", "-q", str(tmp_path / "elsewhere")], check=True)
    commit(tmp_path / "elsewhere", {"AGENTS.md": AGENTS})
    claude_session(home, git_repo, BRITISH, MOCK, tied, doubtful)
    run("reconcile")
    here = run("list").out + run("list", "--maybe").out
    assert all(word in here for word in words)
    monkeypatch.chdir(tmp_path / "elsewhere")
    run("reconcile")
    shown = run("list").out + run("list", "--maybe").out
    assert pending() == ["Answer me in British English"] and not any(word in shown for word in words)
    assert json_of("comment", "--base", "HEAD")["suggestions"] == []
    out = run("comment", "--base", "HEAD").out
    assert "Nothing is pending for the files" in out and "any more" not in out


# `doctor`: one screen about everything, from a repo as it really stands.


def health(*words: str, code: int = 0) -> dict[str, tuple[str, str]]:
    return {check["name"]: (check["health"], check["text"]) for check in json_of("doctor", *words, code=code)["checks"]}


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


# The first page of help: every command stands on it once, and its words are those of everyday work.


def all_commands() -> list[tuple[tuple[str, ...], Any]]:
    """Every command that is no group, by its words."""

    def below(group: Any, *above: str) -> Iterator[tuple[tuple[str, ...], Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from below(command, *above, name)
            elif not command.hidden:
                yield (*above, name), command

    return list(below(get_command(build_app([]))))


NAMES = {panel: [row.partition(":")[0] for row in rows] for panel, rows in help_table().items() if panel != "Examples"}
MORE = NAMES.pop("More")
SHOWN = [name for names in NAMES.values() for name in names]


def test_every_command_stands_on_the_first_page_once() -> None:
    named = [*SHOWN, *MORE]
    commands = get_command(build_app([])).commands  # type: ignore[attr-defined]
    assert sorted(named) == sorted(name for name, command in commands.items() if not command.hidden)


def test_the_other_commands_are_one_option_away() -> None:
    """The first page is short; `help --all` has a line for every command, `help COMMAND` describes every option."""
    short, whole = invoke("--help").out, invoke("help", "--all").out
    assert "`memsuggest help --all`" in short
    assert not any(f"  {name} " in short for name in MORE)
    assert all(f"  {name} " in whole for name in (*SHOWN, *MORE))
    brief, full = invoke("reconcile", "--help").out, invoke("help", "reconcile").out
    assert len(brief.splitlines()) <= 36
    assert "--person NAME" in full and "--person NAME" not in brief and "--person" in brief
    assert "3 `--check` found" in " ".join(brief.split())


def test_every_help_has_an_example_and_one_form_of_names() -> None:
    """Examples are commands that are there; names of values are in capitals, defaults in no brackets of their own."""
    for words, command in all_commands():
        page = invoke(*words, "--help").out if words != ("demo",) else ""
        assert words == ("demo",) or f"Examples:\n  memsuggest {' '.join(words)}" in page, words
        assert "<" not in page.partition("Examples:")[0] and "[default: (" not in page and "╭" not in page, words
        own, _, everywhere = page.partition("Global options:")
        assert "--repo" not in own and (not everywhere or "--repo" in everywhere), words
        assert command.help, words
