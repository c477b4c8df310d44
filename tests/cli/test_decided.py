"""Asking for what was decided already, or by another name than an id: what is said, and what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Run, Shop, invoke, json_of, refused, suggestions, write

TAKES_BACK = "`memsuggest undo` reverts it"


@pytest.mark.parametrize(
    ("decides", "again", "says"),
    [
        ("apply {} --yes", "apply {} --yes", "applied"),
        ("apply {} --yes", "edit {}", "applied"),
        ("dismiss {}", "dismiss {}", "dismissed"),
        ("dismiss {}", "move {} AGENTS.md", "dismissed"),
    ],
)
def test_deciding_twice(shop: Shop, decides: str, again: str, says: str) -> None:
    """It is said what was decided, when, about what, and how that is taken back; `show` says the same."""
    name = shop.id_of("mock")
    invoke(*decides.format(name).split())
    assert f"  {says} on 2" in (out := invoke("show", name).out) and TAKES_BACK in out
    said = refused(*again.format(name[:6]).split(), says=f"`{name[:6]}` was already {says} on 2")
    assert "“Never mock the database in tests" in said and f"hint: {TAKES_BACK}" in said
    assert ("→ AGENTS.md" in said) is (says == "applied")
    invoke("undo")
    assert "+- Never mock" in invoke("show", name).out


def test_deciding_twice_with_others_between(shop: Shop) -> None:
    """`undo` takes back what came later first; what was dismissed comes back without it."""
    first, second, third = shop.id_of("mock"), shop.id_of("pnpm"), shop.id_of("British")
    invoke("apply", first, "--yes")
    invoke("dismiss", second)
    invoke("dismiss", third)
    said = refused("dismiss", first)
    assert "reverts it after the 2 decisions made since; see `memsuggest undo --list`" in said
    said = refused("dismiss", second)
    assert f"hint: run `memsuggest memory confirm {second[:7]}` to restore it" in said
    invoke("memory", "confirm", second)
    assert shop.id_of("pnpm") == second


def test_deciding_twice_long_after(shop: Shop) -> None:
    """Where nothing is kept any more of when it was, the stores still know that it was."""
    name, other = shop.id_of("mock"), shop.id_of("pnpm")
    invoke("apply", name, "--yes")
    invoke("dismiss", other)
    shop.state.unlink()
    assert "→ AGENTS.md" in refused("dismiss", name, says=f"`{name}` was already applied: ")
    assert "memory confirm" in refused("apply", other, "--yes", says=f"`{other}` was already dismissed: ")


def test_showing_a_file(shop: Shop) -> None:
    """Its name stands for what waits for it, as in `review FILE`; other commands say where to look."""
    out = invoke("show", "AGENTS.md").out
    assert shop.id_of("mock")[:7] in out and shop.id_of("pnpm")[:7] in out and "British" not in out
    shown = invoke("show", "AGENTS.md", "--format", "json").json["suggestions"]
    assert {one["targetUri"] for one in shown} == {"AGENTS.md"}
    assert "`memsuggest show AGENTS.md`" in refused("apply", "AGENTS.md", "--yes")
    refused("show", "NOTHING.md", says="no pending suggestion with ID `NOTHING.md`")


ASSISTANTS = ["VS Code", "Copilot CLI", "Claude Code", "Codex", "Cursor", "Gemini CLI"]


@pytest.mark.parametrize(
    ("file", "reading"),
    [
        ("AGENTS.md", ["VS Code", "Copilot CLI", "Codex", "Cursor"]),
        ("CLAUDE.md", ["VS Code", "Copilot CLI", "Claude Code"]),
        (".github/prompts/notes.prompt.md", ["VS Code"]),
    ],
)
def test_who_reads_the_file(run: Run, git_repo: Path, file: str, reading: list[str]) -> None:
    """`show` names the assistants that read it and those that do not."""
    write(git_repo, {file: "# Notes\n\n## Conventions\n\n- Write dates as year, month, day.\n"})
    run("remember", "Never log a customer's address.")
    (waiting,) = suggestions()
    if waiting["targetUri"] != file:
        run("move", waiting["id"], file)
    shown = json_of("show", waiting["id"])
    others = [name for name in ASSISTANTS if name not in reading]
    assert (shown["readBy"], shown["notReadBy"]) == (reading, others)
    out = run("show", waiting["id"]).out
    assert all(name in out for name in ASSISTANTS) and ", but not by " in out
    assert "    you typed on the command line · 2" in out and "by-hand" not in out
