"""Asking on a terminal: before an apply, in the editor, and key by key in a review."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from cli.conftest import AGENTS, Run, Shop, invoke, refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
if sys.platform != "win32":
    from cli.terminal import Terminal

CTRL_C, CTRL_D, ARROW = "\x03", "\x04", "\x1b[A"
APPLIES = "Apply? [y]es [n]o [q]uit [?] "
ASKS = "[e]dit [?] "


def pending(shop: Shop) -> list[str]:
    assert shop
    return [one["content"] for one in invoke("list", "--format", "json").json["suggestions"]]


def editor(folder: Path, script: str) -> str:
    """An editor that runs a line of Python over the file, known as `path`."""
    file = folder / "editor"
    file.write_text(f"#!{sys.executable}\nimport pathlib, sys\npath = pathlib.Path(sys.argv[1])\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.mark.parametrize(
    ("keys", "is_applied"),
    [
        pytest.param("y", True, id="yes"),
        pytest.param("y\n", True, id="yes as a line"),
        pytest.param("n", False, id="no"),
        pytest.param("q", False, id="quit"),
        pytest.param("\nn", False, id="enter is no answer"),
        pytest.param("?n", False, id="asks again"),
    ],
)
def test_apply_asks(shop: Shop, keys: str, is_applied: bool) -> None:
    """On a terminal the diff is shown and a question is asked, which takes single keys as a review does."""
    terminal = Terminal("apply", shop.id_of("mock"))
    shown = terminal.expect(APPLIES)
    assert "+- Never mock the database in tests." in shown and "From now on never mock" in shown
    terminal.answer(keys)
    assert ("y  apply it · n  leave it pending" in terminal.end()) is (keys[0] in "?\n")
    assert (shop.agents.read_text() != AGENTS) is is_applied
    assert len(pending(shop)) == (3 if is_applied else 4)


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
    assert "ruff format" in terminal.expect("type `yes` to write it: ")
    terminal.answer(answer)
    terminal.end()
    assert bool(list((shop.repo / ".github").rglob("hooks/*.json"))) is is_written


def test_apply_all_asks_for_each_and_leaves_out_hooks(shop: Shop) -> None:
    """`--all` goes through what may be applied in bulk; a hook is named, not asked for."""
    terminal = Terminal("apply", "--all")
    for answer in ("y\n", "n\n", "n\n", "n\n"):
        terminal.expect(APPLIES)
        terminal.answer(answer)
    assert "skipped" in terminal.end()
    assert len(pending(shop)) == 3


def test_edit_changes_the_words(shop: Shop, tmp_path: Path) -> None:
    """The words from the editor are shown in a new diff, asked for, written, and kept as the fact's."""
    words = "Fake the clock, never the database."
    terminal = Terminal("edit", shop.id_of("mock"), EDITOR=editor(tmp_path, f"path.write_text({words!r})"))
    assert f"+- {words}" in terminal.expect(APPLIES)
    terminal.answer("y\n")
    terminal.end()
    assert f"- {words}\n" in shop.agents.read_text()
    assert words in [fact["content"] for fact in invoke("memory", "list", "--facts", "--format", "json").json["facts"]]
    invoke("undo")
    assert shop.agents.read_text() == AGENTS


def test_edit_patch_changes_the_file(shop: Shop, tmp_path: Path) -> None:
    """With `--patch` the editor has the whole file as it would be, and exactly what it leaves is written."""
    script = "path.write_text(path.read_text().replace('Build with `make`.', 'Build with `just`.'))"
    terminal = Terminal("edit", "--patch", shop.id_of("mock"), EDITOR=editor(tmp_path, script))
    shown = terminal.expect(APPLIES)
    assert "-- Build with `make`." in shown and "+- Build with `just`." in shown and "+- Never mock" in shown
    terminal.answer("y\n")
    terminal.end()
    assert "just" in shop.agents.read_text() and "Never mock" in shop.agents.read_text()
    invoke("undo")
    assert shop.agents.read_text() == AGENTS


@pytest.mark.parametrize("options", [(), ("--patch",)])
def test_an_edit_that_changes_nothing(shop: Shop, options: tuple[str, ...]) -> None:
    """Leaving the editor without a change leaves the suggestion pending."""
    terminal = Terminal("edit", *options, shop.id_of("mock"), EDITOR="true")
    assert terminal.end() == "nothing was changed\n"
    assert len(pending(shop)) == 4


def test_every_key_of_a_review(shop: Shop, tmp_path: Path) -> None:
    """Help, later, apply, undo, dismiss and stop do what the help says; of keys that are none it is said so."""
    first = pending(shop)
    terminal = Terminal("review", EDITOR=editor(tmp_path, "path.write_text('Use pnpm alone.')"))
    terminal.expect(ASKS)
    terminal.press("?")
    assert "d  dismiss it everywhere" in terminal.expect("press any key to return to the suggestion ")
    terminal.press(" ")
    assert "1 of 5" in terminal.expect(ASKS)
    for key in ("z", "\r", ARROW[0]):
        terminal.press(key)
        shown = terminal.expect(ASKS)
        assert "press `?` for help" in shown and "1 of 5" in shown
    terminal.press("n")
    assert "2 of 5" in terminal.expect(ASKS)
    terminal.press("y")
    applied = terminal.expect(ASKS)
    assert "applied" in applied and "Similar" not in applied and "3 of 5" in applied
    terminal.press("u")
    undone = terminal.expect(ASKS)
    # The terminal is 80 columns wide: whether the line breaks there depends on the rule that comes first.
    assert "restored AGENTS.md" in " ".join(undone.split()) and "2 of 5" in undone
    terminal.press("n")
    assert "3 of 5" in terminal.expect(ASKS)
    terminal.press("d")
    assert "dismissed everywhere" in terminal.expect("4 of 5")
    terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    assert shop.agents.read_text() == AGENTS
    assert len(pending(shop)) == 3
    assert set(pending(shop)) < set(first)


def test_review_edits_and_dismisses_here(shop: Shop, tmp_path: Path) -> None:
    """`e` opens the editor and asks; after a no the suggestion is asked for again; `h` closes this file to it."""
    command = editor(tmp_path, "path.write_text('Write it in other words.')")
    terminal = Terminal("review", EDITOR=command)
    while "AGENTS.md" not in terminal.expect(ASKS):
        terminal.press("n")
    for _ in range(2):  # and once more, from there
        terminal.press("e")
        assert "+- Write it in other words." in terminal.expect("n: discard the edits] ")
    terminal.press("n")
    assert "the text is unchanged" in terminal.expect(ASKS)
    terminal.press("h")
    assert "dismissed for AGENTS.md" in terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    decided = invoke("list", "--status", "dismissed", "--format", "json").json["decided"]
    assert [one["targetUri"] for one in decided] == ["AGENTS.md"]
    assert shop.agents.read_text() == AGENTS


def test_a_review_goes_on_after_an_error(shop: Shop) -> None:
    """An editor that fails is said; the suggestion is asked for again and nothing has changed."""
    terminal = Terminal("review", EDITOR="false")
    terminal.expect(ASKS)
    terminal.press("e")
    assert "error: the editor `false` exited with code 1" in terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    assert len(pending(shop)) == 4


@pytest.mark.parametrize(
    ("key", "code"), [pytest.param(CTRL_C, 130, id="ctrl-c"), pytest.param(CTRL_D, 0, id="end of input")]
)
def test_leaving_a_review(shop: Shop, key: str, code: int) -> None:
    """What was applied before stays, the rest stays pending."""
    terminal = Terminal("review")
    terminal.expect(ASKS)
    terminal.press("y")
    terminal.expect(ASKS)
    terminal.press(key)
    terminal.end(code=code)
    assert len(pending(shop)) == 3


def test_a_review_of_nothing(shop: Shop) -> None:
    """With nothing pending a review says so and ends."""
    for word in ("mock", "pnpm", "British", "ruff"):
        invoke("dismiss", shop.id_of(word))
    assert "All caught up" in Terminal("review").end()


def test_a_file_that_changes_while_it_is_asked_for(shop: Shop) -> None:
    """The edit that was agreed to no longer fits: it is not written, and what somebody else wrote stays."""
    terminal = Terminal("apply", shop.id_of("mock"))
    terminal.expect(APPLIES)
    shop.agents.write_text("# Another file altogether\n")
    terminal.answer("y\n")
    assert "error: " in terminal.end(code=1)
    assert shop.agents.read_text() == "# Another file altogether\n"
    assert len(pending(shop)) == 4


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
        pytest.param(("review",), "needs a terminal", id="review"),
        pytest.param(("apply", "{mock}"), "not running in a terminal", id="apply"),
        pytest.param(("apply", "--all"), "not running in a terminal", id="apply all"),
        pytest.param(("edit", "{mock}"), "not running in a terminal", id="edit"),
        pytest.param(("edit", "--patch", "{mock}"), "not running in a terminal", id="edit patch"),
        pytest.param(("apply", "{hook}", "--yes"), "executable configuration", id="apply a hook"),
        pytest.param(("edit", "{hook}", "--yes"), "executable configuration", id="edit a hook"),
    ],
)
def test_without_a_terminal(shop: Shop, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str) -> None:
    """Nothing is written unasked, and no editor is opened for nothing."""
    monkeypatch.setenv("EDITOR", "false")
    known = {"{mock}": shop.id_of("mock"), "{hook}": shop.id_of("ruff")}
    before = shop.files()
    refused(*(known.get(word, word) for word in words), says=says)
    assert not {name for name, data in shop.files().items() if before.get(name) != data and "/review-" not in name}


@pytest.mark.parametrize(
    ("command", "says"),
    [
        pytest.param("false", "exited with code 1", id="fails"),
        pytest.param("/no/such/editor --wait", "cannot start the editor", id="missing"),
        pytest.param("'unclosed", "cannot start the editor", id="not a command"),
        pytest.param("{tmp}", "cannot start the editor", id="a folder"),
        pytest.param("rm", "the edited file cannot be read", id="removes the file"),
        pytest.param("{latin1}", "the edited file cannot be read", id="not UTF-8"),
        pytest.param("{empty}", "no words", id="leaves nothing"),
        pytest.param("{hidden}", "invisible", id="hidden characters"),
    ],
)
def test_a_bad_editor(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, says: str) -> None:
    """An editor that cannot be used, or leaves what cannot be, is said; nothing is changed."""
    scripts = {
        "{latin1}": r"path.write_bytes(b'caf\xe9')",
        "{empty}": "path.write_text('  \\n')",
        "{hidden}": r"path.write_text('use \u202epnpm')",
    }
    if command in scripts:
        command = editor(tmp_path, scripts[command])
    monkeypatch.setenv("EDITOR", command.replace("{tmp}", str(tmp_path)))
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
        terminal.expect("y, n or q")
        terminal.answer(answer)
    assert "1 imported, 2 skipped" in " ".join(terminal.end().split())
    assert [fact["content"] for fact in run("memory", "list", "--facts", "--format", "json").json["facts"]] == [
        "Use pnpm, not npm."
    ]
