"""Asking on a terminal: before an apply, in the editor, and key by key in a review."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cli.conftest import AGENTS, Run, Shop, editor, invoke, json_of, known, pending, refused, suggestions

if sys.platform != "win32":
    from cli.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")

CTRL_C, CTRL_D = "\x03", "\x04"
APPLIES = "Apply? [y]es [n]o [q]uit [?] "


@pytest.mark.parametrize(("keys", "is_applied"), [("y", True), ("\nn", False), ("q", False), ("?n", False)])
def test_apply_asks(shop: Shop, keys: str, is_applied: bool) -> None:
    """On a terminal the diff is shown and a question is asked, which takes single keys as a review does."""
    terminal = Terminal("apply", shop.id_of("mock"))
    shown = terminal.expect(APPLIES)
    assert "+- Never mock the database in tests." in shown and "From now on never mock" in shown
    said = terminal.answer(keys).end()
    assert ("y  apply · n  leave pending" in said) is (keys[0] in "?\n")
    assert ("nothing was applied" in said) is not is_applied
    assert (shop.agents.read_text() != AGENTS) is is_applied
    assert len(pending()) == (3 if is_applied else 4)


def test_a_pasted_text_is_no_answer(shop: Shop) -> None:
    """Its letters are keys by chance; the next key that is pressed counts. The terminal is left as it was."""
    terminal = Terminal("apply", shop.id_of("mock"))
    assert "\x1b[?2004h" in terminal.expect(APPLIES)
    terminal.answer("\x1b[200~yes, do y\nit\x1b[201~")
    terminal.expect("pasted text is ignored")
    assert shop.agents.read_text() == AGENTS
    terminal.answer("n")
    assert "\x1b[?2004l" in terminal.end()
    assert shop.agents.read_text() == AGENTS


@pytest.mark.parametrize("key", [pytest.param(CTRL_C, id="ctrl-c"), pytest.param(CTRL_D, id="end of input")])
def test_leaving_the_question_applies_nothing(shop: Shop, key: str) -> None:
    """Of two, the first was agreed to; leaving at the second writes neither."""
    before = shop.files()
    terminal = Terminal("apply", shop.id_of("mock"), shop.id_of("pnpm"))
    terminal.expect(APPLIES)
    terminal.answer("y\n")
    terminal.expect(APPLIES)
    terminal.answer(key)
    assert terminal.end(code=130).endswith("interrupted\n")
    assert shop.agents.read_text() == AGENTS
    assert not {name for name, data in shop.files().items() if before.get(name) != data and "/review-" not in name}


@pytest.mark.parametrize(
    ("answer", "is_written"),
    [
        pytest.param("yes\n", True, id="yes"),
        pytest.param("y\n", False, id="y is not enough"),
        pytest.param("\n", False, id="enter"),
    ],
)
def test_what_runs_a_command_needs_a_typed_yes(shop: Shop, answer: str, is_written: bool) -> None:
    """A hook is shown whole, and written only after the word `yes`."""
    terminal = Terminal("apply", shop.id_of("ruff"))
    assert "ruff format" in terminal.expect("type `yes` to write the file: ")
    terminal.answer(answer)
    terminal.end()
    assert bool(list((shop.repo / ".github").rglob("hooks/*.json"))) is is_written


@pytest.mark.parametrize("options", [(), ("--patch",)])
def test_edit(shop: Shop, tmp_path: Path, options: tuple[str, ...]) -> None:
    """What the editor leaves is shown in a new diff, asked for, and written; with `--patch` it has the whole file."""
    assert Terminal("edit", *options, shop.id_of("mock"), EDITOR="true").end() == "nothing was changed\n"
    words = "Fake the clock, never the database."
    script = "path.write_text(path.read_text().replace('Build with `make`.', 'Build with `just`.'))"
    command = editor(tmp_path, script if options else f"path.write_text({words!r})")
    terminal = Terminal("edit", *options, shop.id_of("mock"), EDITOR=command)
    terminal.sees(*(("-- Build with `make`.", "+- Build with `just`.") if options else (f"+- {words}",)), APPLIES)
    terminal.answer("y\n").end()
    text = shop.agents.read_text()
    assert ("`just`" in text and "Never mock" in text) if options else (f"- {words}\n" in text and words in known())
    invoke("undo")
    assert shop.agents.read_text() == AGENTS


def test_a_file_that_changes_while_it_is_asked_for(shop: Shop) -> None:
    """The edit that was agreed to no longer fits: it is not written, and what somebody else wrote stays."""
    terminal = Terminal("apply", shop.id_of("mock"))
    terminal.expect(APPLIES)
    shop.agents.write_text("# Another file altogether\n")
    terminal.answer("y\n")
    assert "error: " in terminal.end(code=1)
    assert shop.agents.read_text() == "# Another file altogether\n"
    assert len(pending()) == 4


def test_colours_on_a_terminal_only(shop: Shop) -> None:
    """A diff is coloured on a terminal, unless NO_COLOR is set; piped it is plain."""
    name = shop.id_of("mock")
    coloured = Terminal("show", name, TERM="xterm-256color", NO_COLOR="").end()
    assert "\x1b[32m+- Never mock the database in tests." in coloured
    plain = Terminal("show", name, TERM="xterm-256color", NO_COLOR="1").end()
    assert "\x1b[3" not in plain and "+- Never mock" in plain
    assert "\x1b" not in invoke("show", name).out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("review", "needs a terminal"),
        ("apply {mock}", "not running in a terminal"),
        ("apply --all", "not running in a terminal"),
        ("edit --patch {mock}", "not running in a terminal"),
        ("apply {hook} --yes", "executable configuration"),
        ("edit {hook} --yes", "executable configuration"),
    ],
)
def test_without_a_terminal(shop: Shop, monkeypatch: pytest.MonkeyPatch, words: str, says: str) -> None:
    """Nothing is written unasked, and no editor is opened for nothing."""
    monkeypatch.setenv("EDITOR", "false")
    given = words.format(mock=shop.id_of("mock"), hook=shop.id_of("ruff")).split()
    before = shop.files()
    refused(*given, says=says)
    assert not {name for name, data in shop.files().items() if before.get(name) != data and "/review-" not in name}


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("false", "exited with code 1"),
        ("/no/such/editor --wait", "cannot start the editor"),
        ("'unclosed", "cannot start the editor"),
        ("rm", "the edited file cannot be read"),
        (r"path.write_bytes(b'caf\xe9')", "the edited file cannot be read"),
        ("path.write_text('  \\n')", "no words"),
        (r"path.write_text('use \u202epnpm')", "invisible"),
    ],
)
def test_a_bad_editor(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, says: str) -> None:
    """An editor that cannot be used, or leaves what cannot be, is said; nothing is changed."""
    monkeypatch.setenv("EDITOR", editor(tmp_path, command) if "path." in command else command)
    suggestion, fact = shop.id_of("mock"), shop.fact_id_of("mock")
    before = shop.files()
    refused("edit", suggestion, "--yes", says=says)
    refused("memory", "edit", fact, says=says)
    assert not {name for name, data in shop.files().items() if before.get(name) != data and "/review-" not in name}


def test_import_asks_for_each(run: Run, tmp_path: Path) -> None:
    """Each entry of an imported file is shown and asked for; what is not answered for is left."""
    rules = tmp_path / "rules.md"
    rules.write_text("- Use pnpm, not npm.\n- Indent with tabs.\n- Never push to main.\n", encoding="utf-8")
    terminal = Terminal("memory", "import", "--facts", str(rules))
    for answer in ("y\n", "n\n", "q\n"):
        terminal.sees("y, n or q").answer(answer)
    assert "1 imported, 2 skipped" in " ".join(terminal.end().split())
    assert run and known() == ["Use pnpm, not npm."]


# Asking for what was decided already, or by another name than an id: what is said, and what to do next.


TAKES_BACK = "run `memsuggest undo` to revert this decision"


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
    assert "reverts 2 later decisions first; see `memsuggest undo --list`" in said
    said = refused("dismiss", second)
    assert f"hint: run `memsuggest memory confirm {second[:7]}` to restore the fact" in said
    invoke("memory", "confirm", second)
    assert shop.id_of("pnpm") == second


def test_showing_a_file(shop: Shop) -> None:
    """Its name stands for what waits for it, as in `review FILE`; other commands say where to look."""
    out = invoke("show", "AGENTS.md").out
    assert shop.id_of("mock")[:7] in out and shop.id_of("pnpm")[:7] in out and "British" not in out
    shown = invoke("show", "AGENTS.md", "--format", "json").json["suggestions"]
    assert {one["targetUri"] for one in shown} == {"AGENTS.md"}
    assert "`memsuggest show AGENTS.md`" in refused("apply", "AGENTS.md", "--yes")
    refused("show", "NOTHING.md", says="no pending suggestion with ID `NOTHING.md`")


# `move`: another place for a suggestion, named, chosen, or made; and the way back.


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


def test_a_place_that_is_not_there_yet(shop: Shop) -> None:
    """It is made only when that was said, with the rule; what cannot be made, or is meant twice, is refused."""
    name = shop.id_of("mock")
    report = json_of("move", name[:6])
    assert (report["id"], report["path"], report["heading"]) == (name, "AGENTS.md", "Testing")
    assert {"path": "AGENTS.md", "heading": "Commands"} in report["places"]
    assert {"path": "AGENTS.md", "heading": "Testing"} not in report["places"]
    assert invoke("move", name, "AGENTS.md#Testing").out == "already at AGENTS.md › Testing\n"
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


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_on_a_terminal_it_asks_where(shop: Shop) -> None:
    """The next best places have numbers, any other key leaves it where it was; what is not there is asked for."""
    name, before = shop.id_of("mock"), suggestions()
    leaves = Terminal("move", name).sees("  1  AGENTS.md › Testing (current place)", "  2  AGENTS.md › ", "n: cancel] ")
    assert "nothing was moved" in leaves.press("n").end()
    asks = Terminal("move", name, "#Databases").sees("`AGENTS.md` has no heading `Databases`: create it? [y/N] ")
    asks.press("n").end()
    assert suggestions() == before
    takes = Terminal("move", name)
    number = next(row.split()[0] for row in takes.expect("n: cancel] ").splitlines() if "AGENTS.md › Commands" in row)
    seen = takes.press(number).end()
    assert "moved  Never mock the database in tests. → AGENTS.md › Commands" in seen
    assert f"run `memsuggest apply {name[:7]}` to write the rule to this file; `memsuggest undo` reverts this" in seen
    assert place_of(name) == ("AGENTS.md", "Commands")
