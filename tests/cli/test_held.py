"""`held` as a person uses it: pages, ids, bad input, what is read once, what is forgotten."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run, json_of, refused
from held_kit import Chat, commit, write_chats

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
    """What does not hold comes first, with the words that say so, and what to do; every number opens."""
    out = run("held").out
    assert "1 rule in 1 file and 6 chats" in out and "1 does not hold" in out and "6 chats, the first on" in out
    assert "Answer in verse." not in out and "2 untested" in run("held", "AGENTS.md").out
    assert "AGENTS.md:3  Use pnpm, never npm." in out
    assert "since: 2 of 6" in out and "try  add a good and a bad example" in out
    assert "›" not in out  # what was said has the rule's own words: `held ID` has it
    by_id = run("held", rule(run)["id"][:7]).out
    assert by_id == run("held", "AGENTS.md:3").out
    assert "Said again (2)" in by_id and f"“{NO}”" in by_id and "Relevant and read (6)" in by_id
    assert "as a correction; Claude Code, turn" in by_id and "the last commit that changed the rule's line" in by_id
    assert "the rule was not relevant in any later chat" in run("held", "AGENTS.md").out
    assert "`memsuggest held` lists the IDs" in refused("held", "ffff", says="no rule has the ID")
    refused("held", "AGENTS.md:90", says="rules start on lines 3, 4, 5")
    refused("held", "src/none.md:3", says="is not a customization file")
    refused("held", "--since", "yesteryear", says="use a format such as")
    assert shop.joinpath("AGENTS.md").read_text() == AGENTS


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
    assert "Rules in these files that had to be repeated" in body and "Use pnpm, never npm." in body
    assert "repeated in 2 of the 6 chats" in body
    assert NO not in body and "Again" not in body
    (unheld,) = run("comment", "--base", "base", "--format", "json").json["unheld"]
    assert unheld["remedy"].startswith("add a good and a bad example")
    (shop / "AGENTS.md").write_text(AGENTS.replace("Use pnpm, never npm.", "pnpm only: npm is refused by a hook."))
    assert "had to be repeated" not in run("comment", "--base", "base").out
    (shop / "AGENTS.md").write_text(AGENTS + "- Be kind.\n")
    monkeypatch.setenv("CI", "true")
    assert "had to be repeated" not in run("comment", "--base", "base").out


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
    assert "Files not used in the last" in out and "never used: Claude Code does not read this file by default" in out


def test_where_there_is_little(run: Run, git_repo: Path, home: Path) -> None:
    """No rules, no chats, the mode off, no commit, a link to itself: each is told, and none is a failure."""
    assert "no rules or chats found" in run("held").out
    assert "no rule has been stated in more than one chat yet" in run("coverage").out
    (git_repo / "CLAUDE.md").write_text(AGENTS)
    write_chats(home, git_repo, installs(said={23: NO}))
    told = rule(run)
    assert (told["sinceFrom"], told["chats"], told["outcome"]) == ("file", 0, "untested")
    commit(git_repo, AGENTS, day=10)
    (git_repo / "CLAUDE.md").unlink()
    (git_repo / "CLAUDE.md").symlink_to("CLAUDE.md")
    assert "CLAUDE.md: broken link" in run("reconcile").out
    assert rule(run)["outcome"] == "notLoaded"
    run("config", "set", "mode", "off")
    report = json_of("coverage")
    assert (report["rules"], report["gaps"]) == ([], [])
