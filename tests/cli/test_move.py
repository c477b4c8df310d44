"""`move`: another place for a suggestion, named, chosen, or made; and the way back."""

from __future__ import annotations

import sys

import pytest
from cli.conftest import AGENTS, Shop, invoke, json_of, refused, suggestions

if sys.platform != "win32":
    from cli.terminal import Terminal


def place_of(name: str) -> tuple[object, object]:
    (found,) = [one for one in suggestions() if one["id"] == name]
    return found["targetUri"] or found["suggestedFileName"], found["heading"]


@pytest.mark.parametrize(
    "words",
    [("AGENTS.md", "--heading", "commands"), ("./agents.md#Commands",), ("--heading", "Commands")],
    ids=" ".join,
)
def test_a_rule_moves_to_the_place_that_is_named(shop: Shop, words: tuple[str, ...]) -> None:
    """It waits there, also after another run, is written there, and two `undo` make all as it was."""
    name, before = shop.id_of("mock"), suggestions()
    report = json_of("move", name, *words)
    assert report["moved"] and report["suggestion"]["id"] == name
    assert report["suggestion"]["heading"] == "Commands" and "+- Never mock" in report["suggestion"]["diff"]
    invoke("reconcile")
    assert place_of(name) == ("AGENTS.md", "Commands")
    assert shop.agents.read_text() == AGENTS, "nothing is written before it is applied"
    invoke("apply", name, "--yes")
    assert "make`.\n- Never mock the database in tests.\n" in shop.agents.read_text()
    invoke("undo")
    assert shop.agents.read_text() == AGENTS and place_of(name) == ("AGENTS.md", "Commands")
    out = invoke("undo").out
    assert "undone  moved" in out and "pending again: Never mock the database in tests. → AGENTS.md › Testing" in out
    assert suggestions() == before
    refused("undo", says="nothing to undo")


def test_a_file_is_named_as_a_shell_writes_it(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the folder one is in, whole, or below the home that a shell puts in for `~`."""
    rule, own = shop.id_of("mock"), shop.id_of("British")
    (shop.repo / "docs").mkdir()
    monkeypatch.chdir(shop.repo / "docs")
    for file in (f"{shop.agents}", "../AGENTS.md"):
        invoke("move", rule, file, "--heading", "Commands")
        assert place_of(rule) == ("AGENTS.md", "Commands")
        invoke("undo")
    invoke("move", own, str(shop.home / ".claude/rules/mine.md"), "--make")
    assert place_of(own)[0] == "~/.claude/rules/mine.md"
    refused("move", rule, str(shop.home / ".claude/CLAUDE.md"), "--make", says="that file is personal")


def test_a_place_that_is_not_there_yet(shop: Shop) -> None:
    """It is made only when that was said, with the rule; what cannot be made, or is meant twice, is refused."""
    name = shop.id_of("mock")
    report = json_of("move", name[:6])
    assert (report["id"], report["path"], report["heading"]) == (name, "AGENTS.md", "Testing")
    assert {"path": "AGENTS.md", "heading": "Commands"} in report["places"]
    assert {"path": "AGENTS.md", "heading": "Testing"} not in report["places"]
    assert invoke("move", name, "AGENTS.md#Testing").out == "already there: AGENTS.md › Testing\n"
    assert json_of("move", name, "#testing")["moved"] is False
    for words in (("#Databases",), (".github/instructions/tests.instructions.md",)):
        assert "--make" in refused("move", name, *words, says="not moved: ")
    says = f"`memsuggest move {name[:7]} AGENTS.md --heading"
    assert says in refused("move", name[:7], says="not running in a terminal")
    refused("move", name, "docs/notes.md", "--make", says="not a customization file")
    refused("move", name, ".github/workflows/ci.yml", "--make")
    refused("move", shop.id_of("ruff"), "AGENTS.md", says="a hook cannot be moved")
    invoke("move", name, "AGENTS.md#Testing", "--heading", "Commands", code=2)
    refused("undo", says="nothing to undo")
    out = invoke("move", name, "#Databases", "--make").out
    assert "→ AGENTS.md › Databases (new heading)" in out and "+## Databases" in out


def test_a_new_file_says_what_it_is_loaded_for(shop: Shop) -> None:
    """Whoever typed only its name is told where its `applyTo` comes from, when it is moved and in `show`."""
    name = shop.id_of("mock")
    file = ".github/instructions/databases.instructions.md"
    why = "You chose this place; it is loaded for all files, because you mentioned none"
    assert why in invoke("move", name, file, "--make").out
    out = invoke("show", name).out
    assert why in out and '+applyTo: "**"' in out
    invoke("remember", "Never log addresses.", "--path", "src/mail/send.py", "--path", "src/mail/read.py")
    invoke("move", shop.id_of("addresses"), file, "--make")
    assert (
        "it is loaded for `src/mail/**/*.py`, because you mentioned files there"
        in invoke("show", shop.id_of("addr")).out
    )


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_on_a_terminal_it_asks_where(shop: Shop) -> None:
    """The next best places have numbers, any other key leaves it where it was; what is not there is asked for."""
    name, before = shop.id_of("mock"), suggestions()
    leaves = Terminal("move", name).sees(
        "target: AGENTS.md › Testing; other targets:", "  1  AGENTS.md › ", "nowhere] "
    )
    assert "nothing was moved" in leaves.press("n").end()
    asks = Terminal("move", name, "#Databases").sees("`AGENTS.md` has no heading `Databases`", "create it? [y/N] ")
    asks.press("n").end()
    assert suggestions() == before
    takes = Terminal("move", name)
    number = next(row.split()[0] for row in takes.expect("nowhere] ").splitlines() if "AGENTS.md › Commands" in row)
    seen = takes.press(number).end()
    assert "moved  Never mock the database in tests. → AGENTS.md › Commands" in seen
    assert f"run `memsuggest apply {name[:7]}` to write it there; `memsuggest undo` reverts it" in seen
    assert place_of(name) == ("AGENTS.md", "Commands")
