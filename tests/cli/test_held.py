"""`held` as a person uses it: pages, ids, bad input, what is read once, what is forgotten."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run, refused
from held_kit import Chat, at, commit, write_chats
from processor_time import processor_seconds

from memsuggest.suggestions.unread_files import without_code

AGENTS = "# Shop\n\n- Use pnpm, never npm.\n- Never mock the database in tests.\n- Answer in verse.\n"
NO = "No, always use pnpm, never npm."
DAYS = (20, 23, 26, 29, 32, 35)


def installs(*, said: dict[int, str]) -> list[Chat]:
    return [Chat(day=day, task="Add a library.", command="npm install x", said=said.get(day, "")) for day in DAYS]


@pytest.fixture(name="shop")
def _shop(git_repo: Path, home: Path) -> Path:
    commit(git_repo, AGENTS, day=10)
    commit(git_repo, "@AGENTS.md\n", day=10, path="CLAUDE.md")
    write_chats(home, git_repo, installs(said={23: NO, 32: "Always use pnpm, never npm."}))
    return git_repo


def rule(run: Run, *words: str) -> dict[str, Any]:
    """The rule about pnpm."""
    (found,) = (one for one in run("held", *words, "--format", "json").json["rules"] if "pnpm" in one["content"])
    return dict(found)


def test_the_page(run: Run, shop: Path) -> None:
    """What does not hold comes first, with the words that say so, and what to do."""
    out = run("held").out
    assert "1 rule in 1 file and 6 chats" in out and "1 does not hold" in out
    assert "Answer in verse." not in out and "2 untested" in run("held", "AGENTS.md").out
    assert "AGENTS.md:3  Use pnpm, never npm." in out
    assert "since: 2 of 6" in out and "try  add a good and a bad example" in out
    assert "›" not in out  # what was said has the rule's own words: `held ID` has it
    assert shop.joinpath("AGENTS.md").read_text() == AGENTS


def test_one_rule_with_all_evidence(run: Run, shop: Path) -> None:
    """By its id, its line, and the file: every number opens."""
    name = rule(run)["id"]
    assert shop.name == "repo"
    by_id = run("held", name[:7]).out
    assert by_id == run("held", "AGENTS.md:3").out
    assert "Said again (2)" in by_id and f"“{NO}”" in by_id and "Relevant and read (6)" in by_id
    assert "as a correction; Claude Code, turn" in by_id
    assert "in effect since" in by_id and "the last commit that changed its line" in by_id
    whole = run("held", "AGENTS.md").out
    assert "it was not relevant in any later chat" in whole


def test_bad_input(run: Run, shop: Path) -> None:
    """What is no rule, no line and no time is told, with what would do."""
    assert shop.exists()
    assert run("held").code == 0
    assert "`memsuggest held` lists the IDs" in refused("held", "ffff", says="no rule has the ID")
    refused("held", "AGENTS.md:90", says="rules start on lines 3, 4, 5")
    refused("held", "src/none.md:3", says="is not a customization file")
    refused("held", "--since", "yesteryear", says="a number of days")
    refused("held", "--since", "2026-99-99", says="is not a valid time")


def test_since_leaves_chats_out(run: Run, shop: Path) -> None:
    """Only chats that began then count; without the corrections there are too few to tell."""
    assert shop.exists()
    told = rule(run, "--since", at(33))
    assert (told["outcome"], len(told["exposed"]), told["saidAgain"]) == ("untested", 1, [])
    assert rule(run, "--since", "all")["outcome"] == "doesNotHold"


def test_a_transcript_is_read_once(run: Run, shop: Path, home: Path) -> None:
    """What reconcile read, `held` knows: also when the chats are gone; and what is new comes in."""
    run("reconcile")
    for path in (home / ".claude").rglob("*.jsonl"):
        path.unlink()
    assert rule(run)["chatsSaidAgain"] == 2
    later = [*installs(said={}), Chat(day=40, task="Add a library.", command="npm install y", said=NO)]
    write_chats(home, shop, later[-1:])
    assert rule(run)["chatsSaidAgain"] == 3


def test_what_is_forgotten_does_not_count(run: Run, shop: Path) -> None:
    """Neither in the outcome nor in the notes; a chat that nobody may know of is left out."""
    run("reconcile")
    assert shop.exists()
    facts = run("memory", "list", "--facts", "--format", "json").json["facts"]
    told = [one["id"] for one in facts if "pnpm" in one["content"]]
    run("memory", "forget", *told, "--yes")
    assert run("held", "--format", "json").json["rules"] == []
    after = rule(run, "AGENTS.md")
    assert (after["outcome"], after["saidAgain"]) == ("holds", [])
    assert NO not in json.dumps(after)


def test_a_line_that_changes_begins_anew(run: Run, shop: Path) -> None:
    """Old corrections do not count against new words; they are told as said before."""
    commit(shop, AGENTS.replace("Use pnpm, never npm.", "Always use pnpm, never npm."), day=50)
    told = rule(run)
    assert (told["outcome"], told["saidAgain"], len(told["saidBefore"])) == ("untested", [], 2)


def test_uncommitted_lines_count_from_when_they_were_there(run: Run, git_repo: Path, home: Path) -> None:
    """Without git's word, no chat counts that began before the file was written."""
    (git_repo / "CLAUDE.md").write_text(AGENTS)
    write_chats(home, git_repo, installs(said={23: NO}))
    told = rule(run)
    assert (told["sinceFrom"], told["chats"], told["outcome"]) == ("file", 0, "untested")


def test_an_applied_rule_counts_from_its_apply(run: Run, git_repo: Path, home: Path) -> None:
    """The journal knows when, and which fact; the page of the fact says what became of it."""
    commit(git_repo, "# Shop\n\n- Build with `make`.\n", day=1, path="CLAUDE.md")
    write_chats(home, git_repo, [Chat(day=30, said="From now on never mock the database in tests.")])
    run("reconcile")
    (waiting,) = run("list", "--format", "json").json["suggestions"]
    run("apply", waiting["id"], "--yes")
    (told,) = (one for one in run("held", "--format", "json").json["rules"] if "mock" in one["content"])
    assert (told["sinceFrom"], told["factId"], told["outcome"]) == ("applied", waiting["factId"], "untested")
    assert "untested" in run("show", waiting["factId"]).out


def test_a_comment_tells_numbers_only(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a change touches the file: how often, and what to do; no quote, and nothing in CI."""
    run("held")
    subprocess.run(["git", "-C", str(shop), "tag", "base"], check=True)
    (shop / "AGENTS.md").write_text(AGENTS + "- Be kind.\n")
    body = run("comment", "--base", "base").out
    assert "Rules in these files that had to be said again" in body and "Use pnpm, never npm." in body
    assert "said again in 2 of the 6 chats" in body
    assert NO not in body and "Again" not in body
    (unheld,) = run("comment", "--base", "base", "--format", "json").json["unheld"]
    assert unheld["remedy"].startswith("add a good and a bad example")
    (shop / "AGENTS.md").write_text(AGENTS.replace("Use pnpm, never npm.", "pnpm only: npm is refused by a hook."))
    assert "had to be said again" not in run("comment", "--base", "base").out
    (shop / "AGENTS.md").write_text(AGENTS + "- Be kind.\n")
    monkeypatch.setenv("CI", "true")
    assert "had to be said again" not in run("comment", "--base", "base").out


def test_what_no_file_says(run: Run, shop: Path, home: Path) -> None:
    """Gaps are dear by times and chats; what a file says is no gap."""
    commit(shop, "# Go\n\n- Name receivers with one letter.\n", day=10, path=".github/instructions/go.instructions.md")
    said = "From now on always write dates in ISO 8601 format."
    write_chats(home, shop, [*installs(said={20: said, 29: said, 23: NO, 32: NO})])
    run("reconcile")
    report = run("held", "--format", "json").json
    (gap,) = report["gaps"]
    assert "ISO 8601" in gap["content"] and (gap["times"], gap["chats"], gap["price"]) == (2, 2, 4)
    assert gap["suggestionId"] and gap["citations"][0]["quote"] == said
    assert [one["coveredBy"][0]["line"] for one in report["covered"]] == [3]
    idle = [file for file in report["files"] if file["idle"]]
    assert [file["uri"] for file in idle] == [".github/instructions/go.instructions.md"] and idle[0]["tokens"] > 0
    out = run("held").out
    assert "Said repeatedly, but in no file (1)" in out
    assert "said 2 times in 2 chats" in out
    assert "Files not used in the last" in out and "never used: Claude Code does not read it by default" in out


def test_nothing_to_tell(run: Run, git_repo: Path) -> None:
    """No rules, no chats, the mode off: each says so and is no failure."""
    assert git_repo.exists()
    assert "no rules and no chats found" in run("held").out
    assert "no rule has been said in more than one chat yet" in run("coverage").out
    run("config", "set", "mode", "off")
    report = run("coverage", "--format", "json").json
    assert (report["rules"], report["gaps"]) == ([], [])


IMPORTS = [
    ({"CLAUDE.md": "@./AGENTS.md\n"}, "doesNotHold"),
    ({".claude/CLAUDE.md": "Read @../AGENTS.md.\n"}, "doesNotHold"),
    ({"CLAUDE.local.md": "- @AGENTS.md\n"}, "doesNotHold"),
    ({"CLAUDE.md": "@docs/all.md\n", "docs/all.md": "@../AGENTS.md\n"}, "doesNotHold"),
    ({"CLAUDE.md": "Write `@AGENTS.md` to import it.\n"}, "notLoaded"),
    ({"CLAUDE.md": "```\n@AGENTS.md\n```\n"}, "notLoaded"),
    ({"CLAUDE.md": "@docs/AGENTS.md\n"}, "notLoaded"),
]


@pytest.mark.parametrize(("files", "outcome"), IMPORTS)
def test_a_file_that_is_taken_in_is_read(
    run: Run, git_repo: Path, home: Path, files: dict[str, str], outcome: str
) -> None:
    """`@path` counts from the file that has it, through several files, and not where it is only spoken of."""
    commit(git_repo, AGENTS, day=10)
    for name, text in files.items():
        commit(git_repo, text, day=10, path=name)
    write_chats(home, git_repo, installs(said={23: NO, 32: "Always use pnpm, never npm."}))
    run("reconcile")
    assert rule(run)["outcome"] == outcome


@pytest.mark.skipif(sys.platform == "win32", reason="makes a link of POSIX")
def test_a_link_to_itself_is_a_file_that_leads_nowhere(run: Run, git_repo: Path, home: Path) -> None:
    """No command ends with a traceback where `CLAUDE.md` leads to itself."""
    commit(git_repo, AGENTS, day=10)
    (git_repo / "CLAUDE.md").symlink_to("CLAUDE.md")
    write_chats(home, git_repo, installs(said={23: NO, 32: "Always use pnpm, never npm."}))
    assert "CLAUDE.md: it is a broken link" in run("reconcile").out
    for words in (["list"], ["held"], ["report"], ["targets", "--for", "CLAUDE.md"]):
        run(*words)
    assert rule(run)["outcome"] == "notLoaded"


def test_a_file_of_nothing_but_signs_takes_no_time() -> None:
    """Looking for what is taken in grows with the text, whatever stands in it."""
    for sign in ("`", "```", "``` `", "~", "\n```", "@a`", "\n````\n```"):
        text = sign * (300_000 // len(sign))
        assert processor_seconds(lambda text=text: without_code(text)) < 1, sign


def test_a_merged_rule_is_in_force_from_the_merge(run: Run, git_repo: Path, home: Path) -> None:
    """A chat before the merge had not read what a branch said already; what `blame` is told to ignore is not there."""
    commit(git_repo, "# Shop\n", day=5)
    commit(git_repo, "@AGENTS.md\n", day=5, path="CLAUDE.md")
    git = ["git", "-C", str(git_repo)]
    subprocess.run([*git, "switch", "-q", "-c", "mate"], check=True)
    commit(git_repo, AGENTS, day=6)
    subprocess.run([*git, "switch", "-q", "main"], check=True)
    moment = f"{at(30)}+00:00"
    environment = {**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    subprocess.run([*git, "merge", "-q", "--no-ff", "-m", "m", "mate"], check=True, env=environment)
    subprocess.run([*git, "config", "blame.ignoreRevsFile", "of-another-repo"], check=True)
    write_chats(home, git_repo, installs(said={23: NO}))
    found = rule(run)
    assert found["outcome"] != "doesNotHold"
    assert found["since"].startswith(at(30)[:10])


def test_numbers_of_a_time(run: Run, shop: Path) -> None:
    """With `--since`, only chats since then are counted, and the first is the first of those."""
    assert "6 chats, the first on" in run("held").out
    since = at(28)[:10]
    assert f"3 chats, the first on {at(29)[:10]}" in run("held", "--since", since).out
    assert run("held", "--since", since, "--format", "json").json["chats"] == 3
