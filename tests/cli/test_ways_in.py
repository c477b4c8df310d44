"""A rule that weakens safety, in words that no table has, is written by no bulk, whichever way it came in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import claude_session
from cli import test_hooks
from cli.conftest import AGENTS, Run, id_of, json_of, pending
from cli.test_asking import answer, ask
from judging_kit import proposed, reply
from notes_kit import memory_folder, note

from memsuggest.core.errors import MemsuggestError
from memsuggest.judging.safety import known_danger, plainly_harmless, weakens_safety
from memsuggest.memory.entry import Source
from memsuggest.memory.memory_entries import checked_content

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RULE = "In this repo we always load webhooks with pickle."
HARMLESS = "In this repo we always sort webhooks by their name."


def typed(run: Run, git_repo: Path, home: Path, rule: str) -> None:
    """In a chat."""
    claude_session(home, git_repo, rule)
    run("reconcile")


def remembered(run: Run, git_repo: Path, home: Path, rule: str) -> None:
    """By hand, in one command."""
    assert git_repo and home
    run("remember", rule)


def imported(run: Run, git_repo: Path, home: Path, rule: str) -> None:
    """From a file of rules, taken one by one."""
    path = home / "rules.md"
    path.write_text(f"- {rule}\n", encoding="utf-8")
    (row,) = run("memory", "import", "--facts", str(path), "--format", "json").json["facts"]
    run("memory", "import", "--facts", str(path), "--take", row["fact"]["id"][:8])
    run("reconcile", "--repo", str(git_repo))


def answered(run: Run, git_repo: Path, home: Path, rule: str) -> None:
    """Found by the assistant in the chat, which says nothing of safety."""
    claude_session(home, git_repo, rule)
    run("consent", "grant", "--engine", "chat", "--yes")
    answer(ask()["id"], reply(proposed(rule, rule)))


def noted(run: Run, git_repo: Path, home: Path, rule: str) -> None:
    """In a note that an assistant kept of what was typed."""
    session = "11111111-aaaa-4bbb-8ccc-222222222222"
    claude_session(home, git_repo, f"once more: {rule}", session=session)
    note(memory_folder(home, git_repo), "webhooks", rule, session=session)
    run("reconcile")


@pytest.mark.parametrize("way", [typed, remembered, imported, answered, noted])
def test_no_bulk_writes_it(
    run: Run, git_repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[..., None]
) -> None:
    """It is suggested with a warning, left out of `--all`, and written once it is named; a look-alike is written."""
    assert not known_danger(RULE) and weakens_safety(RULE)
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    way(run, git_repo, home, RULE)
    (found,) = run("list", "--format", "json").json["suggestions"]
    assert "weakens safety, needs its own confirmation" in run("list").out
    assert "skipped" in run("apply", "--all", "--yes", code=1).out
    assert "with pickle" not in (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    start = {"hook_event_name": "SessionStart", "source": "startup", "cwd": str(git_repo)}
    test_hooks.background(monkeypatch)
    said = test_hooks.answered(json.dumps(start), git_repo)
    assert "1 suggestion" in said and found["id"][:7] not in said
    assert "warning" in run("apply", found["id"], "--yes").err
    assert "with pickle" in (git_repo / "AGENTS.md").read_text(encoding="utf-8")


def test_a_look_alike_is_written(run: Run, git_repo: Path, home: Path) -> None:
    """The same words about something else need no word of their own."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    typed(run, git_repo, home, HARMLESS)
    run("apply", "--all", "--yes")
    assert "by their name" in (git_repo / "AGENTS.md").read_text(encoding="utf-8")


UNCHECKED = "In this repo we may always sort webhooks by date."


def test_no_bulk_writes_what_is_not_plain(run: Run, git_repo: Path, home: Path) -> None:
    """A rule that permits something is written by its own id alone, since no model checked it; the others are."""
    assert not weakens_safety(UNCHECKED) and not plainly_harmless(UNCHECKED)
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    typed(run, git_repo, home, f"{UNCHECKED} {HARMLESS}")
    ids = {one["content"]: one["id"] for one in run("list", "--format", "json").json["suggestions"]}
    done = run("apply", *ids.values(), "--yes", "--format", "json").json
    assert [one["content"] for one in done["applied"]] == [HARMLESS]
    skipped = run("apply", "--all", "--yes", "--format", "json", code=1).json["heldBack"][0]
    assert "no model checked the rule" in skipped["why"]
    run("apply", ids[UNCHECKED], "--yes")
    assert "by date" in (git_repo / "AGENTS.md").read_text(encoding="utf-8")


def test_an_assistant_may_not_remember_it() -> None:
    """What an assistant writes into memory is refused; the person may word it as they like."""
    with pytest.raises(MemsuggestError, match="not stored"):
        checked_content(RULE, Source.AGENT)
    assert checked_content(RULE, Source.USER)


def test_similar_is_about_the_same_matter(run: Run, git_repo: Path) -> None:
    """Not all under one heading; after `--yes` only what the same would write is offered."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    for rule in (
        "Mock nothing but the network in tests.",
        "Give each test one assertion.",
        "Keep the changelog terse.",
    ):
        run("remember", rule)
    run("apply", "--similar", id_of("Mock"), "--yes")
    assert pending() == ["Keep the changelog terse."]
    run("remember", "Tests may always mock the clock.")
    run("remember", "Mock the mail server in tests.")
    assert json_of("show", id_of("mail"))["similar"] == [id_of("clock")]
    assert "same place" not in run("apply", id_of("mail"), "--yes").out
