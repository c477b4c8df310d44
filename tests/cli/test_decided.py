"""Asking for what was decided already, or by another name than an id: what is said, and what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Run, Shop, invoke, refused

TAKES_BACK = "`memsuggest undo` reverts it"


@pytest.mark.parametrize("again", [("apply", "--yes"), ("dismiss",), ("edit",), ("move",)])
@pytest.mark.parametrize(
    ("decides", "says"),
    [
        pytest.param(("apply", "--yes"), "was already applied on 2", id="applied"),
        pytest.param(("dismiss",), "was already dismissed on 2", id="dismissed"),
    ],
)
def test_deciding_twice(shop: Shop, decides: tuple[str, ...], again: tuple[str, ...], says: str) -> None:
    """It is said what was decided, when, about what, and how that is taken back."""
    name = shop.id_of("mock")
    invoke(*decides, name)
    said = refused(*again, name[:6], *(("AGENTS.md",) if again == ("move",) else ()), says=f"`{name[:6]}` {says}")
    assert "“Never mock the database in tests" in said and f"hint: {TAKES_BACK}" in said
    assert ("→ AGENTS.md" in said) is (decides[0] == "apply")
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


def test_showing_what_was_decided(shop: Shop) -> None:
    """It is shown with what was decided, when, and the way back."""
    name = shop.id_of("mock")
    invoke("dismiss", name)
    out = invoke("show", name).out
    assert "  dismissed on 2" in out and TAKES_BACK in out and "dismissed everywhere" in out


def test_showing_a_file(shop: Shop) -> None:
    """Its name stands for what waits for it, as in `review FILE`; other commands say where to look."""
    out = invoke("show", "AGENTS.md").out
    assert shop.id_of("mock")[:7] in out and shop.id_of("pnpm")[:7] in out and "British" not in out
    shown = invoke("show", "AGENTS.md", "--format", "json").json["suggestions"]
    assert {one["targetUri"] for one in shown} == {"AGENTS.md"}
    assert "`memsuggest show AGENTS.md`" in refused("apply", "AGENTS.md", "--yes")
    refused("show", "NOTHING.md", says="no pending suggestion with ID `NOTHING.md`")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("apply", "{mock}", "--yes"), "applied"),
        (("dismiss", "{mock}"), "dismissed"),
        (("dismiss", "{mock}", "--here"), "dismissed"),
        (("move", "{mock}", "#Commands"), "moved"),
        (("remember", "Tag releases only from main."), "added"),
        (("memory", "edit", "{mock}", "--content", "Fake the clock alone."), "edited"),
        (("memory", "forget", "{mock}"), "forgot"),
        (("memory", "confirm", "{mock}"), "confirmed"),
    ],
)
def test_after_every_decision_the_way_back_is_named(shop: Shop, words: tuple[str, ...], says: str) -> None:
    """In the same words, at the end, whatever it was."""
    out = invoke(*(word.format(mock=shop.id_of("mock")) for word in words)).out
    assert out.startswith(says) and out.endswith(f"{TAKES_BACK}\n")


def test_forgetting_for_good_has_no_way_back(shop: Shop) -> None:
    """Nothing is promised that does not hold."""
    assert "undo" not in invoke("memory", "forget", shop.id_of("mock"), "--for-good").out


ASSISTANTS = ["VS Code", "Copilot CLI", "Claude Code", "Codex", "Cursor", "Gemini CLI"]


@pytest.mark.parametrize(
    ("file", "reading"),
    [
        ("AGENTS.md", ["VS Code", "Copilot CLI", "Codex", "Cursor"]),
        ("CLAUDE.md", ["VS Code", "Copilot CLI", "Claude Code"]),
        (".github/copilot-instructions.md", ["VS Code", "Copilot CLI"]),
        (".github/prompts/notes.prompt.md", ["VS Code"]),
    ],
)
def test_who_reads_the_file(run: Run, git_repo: Path, file: str, reading: list[str]) -> None:
    """`show` names the assistants that read it and those that do not."""
    path = git_repo / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# Notes\n\n## Conventions\n\n- Write dates as year, month, day.\n")
    run("remember", "Never log a customer's address.")
    (waiting,) = run("list", "--format", "json").json["suggestions"]
    if waiting["targetUri"] != file:
        run("move", waiting["id"], file)
    shown = run("show", waiting["id"], "--format", "json").json
    others = [name for name in ASSISTANTS if name not in reading]
    assert (shown["readBy"], shown["notReadBy"]) == (reading, others)
    out = run("show", waiting["id"]).out
    assert all(name in out for name in ASSISTANTS) and ", but not by " in out


def test_claude_code_reads_what_its_file_takes_in(run: Run, git_repo: Path) -> None:
    """With `@AGENTS.md` in CLAUDE.md and GEMINI.md, all read what goes to AGENTS.md."""
    (git_repo / "AGENTS.md").write_text("# Notes\n\n## Conventions\n\n- Write dates as year, month, day.\n")
    for name in ("CLAUDE.md", "GEMINI.md"):
        (git_repo / name).write_text("@AGENTS.md\n")
    run("remember", "Never log a customer's address.")
    (waiting,) = run("list", "--format", "json").json["suggestions"]
    assert run("show", waiting["id"], "--format", "json").json["notReadBy"] == []


@pytest.mark.parametrize(
    ("words", "says", "names"),
    [
        (("nope",), "there is no command `nope`", "reconcile, extract, remember"),
        (("lst",), "there is no command `lst`", "list"),
        (("facts", "shw"), "there is no command `memory shw`", "memory show"),
        (("facts",), "`memory` has subcommands", "memory list"),
        (("review",), "`review` prints no JSON", "`memsuggest schema`"),
    ],
)
def test_the_schema_of_nothing(run: Run, words: tuple[str, ...], says: str, names: str) -> None:
    """It is said whether there is no such command or no such output, and which there are."""
    assert names in refused("schema", *words, says=f"error: {says}\n").partition("hint: ")[2]


def test_who_said_it_in_plain_words(run: Run) -> None:
    """What was typed on the command line has neither a turn nor a chat."""
    run("remember", "Never log a customer's address.")
    (waiting,) = run("list", "--format", "json").json["suggestions"]
    out = run("show", waiting["id"]).out
    assert "    you typed on the command line · 2" in out and "by-hand" not in out
