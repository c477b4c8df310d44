"""`move`: another place for a suggestion, named, chosen, or made; and the way back."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from cli.conftest import AGENTS, Shop, invoke, refused

if sys.platform != "win32":
    from cli.terminal import Terminal

ON_A_TERMINAL = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")


@pytest.fixture(autouse=True, scope="module")
def _stop_terminals() -> Iterator[None]:
    yield
    if sys.platform != "win32":
        Terminal.stop()


def waiting() -> list[dict[str, object]]:
    return list(invoke("list", "--format", "json").json["suggestions"])


def place_of(name: str) -> tuple[object, object]:
    (found,) = [one for one in waiting() if one["id"] == name]
    return found["targetUri"] or found["suggestedFileName"], found["heading"]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("AGENTS.md", "--heading", "commands"), id="file and heading"),
        pytest.param(("AGENTS.md#Commands",), id="both in one"),
        pytest.param(("#Commands",), id="heading of its own file"),
        pytest.param(("--heading", "Commands"), id="heading alone"),
        pytest.param(("./agents.md", "--heading", "Commands"), id="in any case"),
    ],
)
def test_a_rule_moves_to_the_place_that_is_named(shop: Shop, words: tuple[str, ...]) -> None:
    """It waits there, is written there, and two `undo` make all as it was."""
    name, before = shop.id_of("mock"), waiting()
    report = invoke("move", name, *words, "--format", "json").json
    assert report["moved"] and report["suggestion"]["id"] == name
    assert report["suggestion"]["heading"] == "Commands" and "+- Never mock" in report["suggestion"]["diff"]
    assert place_of(name) == ("AGENTS.md", "Commands")
    assert shop.agents.read_text() == AGENTS, "nothing is written before it is applied"
    invoke("apply", name, "--yes")
    assert "make`.\n- Never mock the database in tests.\n" in shop.agents.read_text()
    invoke("undo")
    assert shop.agents.read_text() == AGENTS and place_of(name) == ("AGENTS.md", "Commands")
    out = invoke("undo").out
    assert "undone  moved" in out and "pending again: Never mock the database in tests. → AGENTS.md › Testing" in out
    assert waiting() == before
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


def test_what_was_moved_stays_moved(shop: Shop) -> None:
    """Another run does not put it back where our own ranking had it."""
    name = shop.id_of("mock")
    invoke("move", name, "#Commands")
    invoke("reconcile")
    assert place_of(name) == ("AGENTS.md", "Commands")


def test_the_place_that_it_has_already(shop: Shop) -> None:
    """Nothing is moved, nothing is to be undone, and it is said so."""
    name = shop.id_of("mock")
    assert invoke("move", name, "AGENTS.md#Testing").out == "already at this place: AGENTS.md › Testing\n"
    assert invoke("move", name, "#testing", "--format", "json").json["moved"] is False
    refused("undo", says="nothing to undo")


def test_the_next_best_places_as_json(shop: Shop) -> None:
    """A program gets them, each another one than where the rule goes; nothing changes."""
    name, before = shop.id_of("mock"), waiting()
    report = invoke("move", name[:6], "--format", "json").json
    assert (report["id"], report["path"], report["heading"]) == (name, "AGENTS.md", "Testing")
    assert {"path": "AGENTS.md", "heading": "Commands"} in report["places"]
    assert {"path": "AGENTS.md", "heading": "Testing"} not in report["places"]
    assert waiting() == before
    refused("undo", says="nothing to undo")


def test_without_a_terminal_a_place_is_needed(shop: Shop) -> None:
    """Nobody can be asked: it is said how a place is named."""
    name = shop.id_of("mock")[:7]
    assert f"`memsuggest move {name} AGENTS.md --heading" in refused("move", name, says="not running in a terminal")


def test_a_place_that_is_not_there_yet(shop: Shop) -> None:
    """It is made only when that was said, with the rule; what cannot be made is refused."""
    name = shop.id_of("mock")
    for words in (("#Databases",), (".github/instructions/tests.instructions.md",)):
        said = refused("move", name, *words, says="not moved: ")
        assert "--make" in said and place_of(name) == ("AGENTS.md", "Testing")
    out = invoke("move", name, "#Databases", "--make").out
    assert "→ AGENTS.md › Databases (new heading)" in out and "+## Databases" in out
    invoke("undo")
    refused("move", name, "docs/notes.md", "--make", says="it is not a customization file")
    refused("move", name, ".github/workflows/ci.yml", "--make")
    assert place_of(name) == ("AGENTS.md", "Testing")


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


def test_what_has_one_place_only(shop: Shop) -> None:
    """A hook stays in its file of hooks."""
    refused("move", shop.id_of("ruff"), "AGENTS.md", says="a hook cannot be moved")


def test_a_heading_named_twice(shop: Shop) -> None:
    """Which of the two is meant cannot be told."""
    invoke("move", shop.id_of("mock"), "AGENTS.md#Testing", "--heading", "Commands", code=2)


@ON_A_TERMINAL
def test_on_a_terminal_it_asks_where(shop: Shop) -> None:
    """The next best places have numbers; any other key leaves it where it was."""
    name, before = shop.id_of("mock"), waiting()
    leaves = Terminal("move", name)
    shown = leaves.expect("nowhere] ")
    assert "target: AGENTS.md › Testing; other targets:" in shown and "  1  AGENTS.md › " in shown
    leaves.press("n")
    assert "nothing was moved" in leaves.end()
    assert waiting() == before
    takes = Terminal("move", name)
    number = next(row.split()[0] for row in takes.expect("nowhere] ").splitlines() if "AGENTS.md › Commands" in row)
    takes.press(number)
    seen = takes.end()
    assert "moved  Never mock the database in tests. → AGENTS.md › Commands" in seen
    assert f"run `memsuggest apply {name[:7]}` to write it there; `memsuggest undo` reverts it" in seen
    assert place_of(name) == ("AGENTS.md", "Commands")


@ON_A_TERMINAL
@pytest.mark.parametrize(("key", "heading"), [("y", "Databases"), ("n", "Testing")])
def test_on_a_terminal_it_asks_before_it_makes(shop: Shop, key: str, heading: str) -> None:
    """What is not there yet is made when the person agrees."""
    terminal = Terminal("move", shop.id_of("mock"), "#Databases")
    assert "`AGENTS.md` has no heading `Databases`" in terminal.expect("create it? [y/N] ")
    terminal.press(key)
    terminal.end()
    assert place_of(shop.id_of("mock")) == ("AGENTS.md", heading)
