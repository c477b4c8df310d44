"""A review, key by key, on a pseudo-terminal: what each key does, and that every decision can be taken back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import (
    Run,
    editor,
    facts,
    git,
    id_of,
    invoke,
    json_of,
    pending,
    refused,
    session,
    suggestions,
    write,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
if sys.platform != "win32":
    from cli.terminal import Terminal

ASKS = "[e]dit [?] "
AGENTS = """# Cellar

Notes for whoever works on the wine list.

## Conventions

- Write dates as year, month, day.
- Never use floats for prices.
- Keep the pnpm lockfile of this repo in git.

## Testing

- Tests live in tests/.

## Releases

- Tag a release only from main.
"""
RULES = (
    "Always use pnpm, never npm.",
    "From now on never mock the database in tests.",
    "Never log a customer's address.",
)
SLOW = (".md", 0.5)
"""A disk on which every opening of a customization file takes longer than a person waits without a word."""


@pytest.fixture(autouse=True)
def _only_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but rules is pending: what files need, as a bridge to another assistant, has tests of its own."""
    monkeypatch.setenv("MEMSUGGEST_CARE", "false")


@pytest.fixture
def cellar(run: Run, git_repo: Path, home: Path) -> Path:
    """A repo in which three rules wait that were said in one chat."""
    write(git_repo, {"AGENTS.md": AGENTS})
    git(git_repo, "add", "-A")
    claude_session(home, git_repo, *RULES)
    run("reconcile")
    assert len(pending()) == 3, pending()
    return git_repo


def what_is_known() -> object:
    """All that a person sees of the stores: facts with their evidence, decisions, what waits, what is kept aside."""
    shown = [json_of("memory", "show", one["id"]) for one in facts("--all")]
    listed = [json_of("list", "--status", status) for status in ("applied", "dismissed")]
    return shown, [(one["decided"], one["care"]) for one in listed], suggestions(), suggestions("--maybe")


def review(*words: str, slow: tuple[str, float] | None = None, **environ: str) -> Terminal:
    """A review that has asked about the first suggestion."""
    terminal = Terminal("review", *words, slow=slow, **({"COLUMNS": "80", "LINES": "24"} | environ))
    terminal.first = terminal.expect(ASKS)
    return terminal


def press(terminal: Terminal, *keys: str) -> str:
    """Press keys, one after the other, each when the review asks."""
    shown = ""
    for key in keys:
        terminal.press(key)
        shown = terminal.expect(ASKS)
    return shown


def in_place(terminal: Terminal) -> None:
    """Let the first rule stand in the place of the line it collides with."""
    terminal.press("s").sees("replace this line with the rule? [y/N] ").press("y").sees(
        "the rule now replaces line", ASKS
    )


def elsewhere(terminal: Terminal) -> None:
    """Move the first rule to the first of the other places."""
    terminal.press("m").sees("  2  AGENTS.md", "n: cancel] ").press("2").sees("moved to AGENTS.md", ASKS)


def typed(terminal: Terminal, place: str = "AGENTS.md#Releases", *sees: str) -> Terminal:
    """Move the first rule to a place that is typed."""
    terminal.press("m").sees("n: cancel] ").press("t").sees("place: ").answer(f"{place}\n")
    return terminal.sees(*(sees or ("moved to AGENTS.md › Releases", ASKS)))


def worded(terminal: Terminal) -> None:
    """Edit the words of the first rule, and agree."""
    terminal.press("e").sees("with your edits:", "+- Install with pnpm", "n: discard the edit] ").press("y").sees(ASKS)


def all_of_file(terminal: Terminal) -> None:
    """Apply all that go to the file of the first rule."""
    terminal.press("a").sees("apply these 3 to AGENTS.md? [y/N] ").press("y")


def all_of_chat(key: str, number: int = 3) -> Callable[[Terminal], object]:
    return lambda terminal: terminal.press(key).sees(f"dismiss these {number} from the chat", "[y/N] ").press("y")


def key(name: str) -> Callable[[Terminal], object]:
    return lambda terminal: press(terminal, name)


@pytest.mark.parametrize(
    ("decide", "ends"),
    [
        pytest.param(key("h"), False, id="h"),
        pytest.param(worded, False, id="e"),
        pytest.param(typed, False, id="m typed"),
        pytest.param(in_place, False, id="s"),
        pytest.param(all_of_file, True, id="a"),
        pytest.param(all_of_chat("D"), True, id="D"),
        pytest.param(all_of_chat("x"), True, id="x"),
    ],
)
def test_what_a_key_decides_is_taken_back(
    cellar: Path, tmp_path: Path, decide: Callable[[Terminal], object], ends: bool
) -> None:
    """After `undo` files and stores are what they were before the key, byte for byte; on a slow disk, too."""
    command = editor(tmp_path, "path.write_text(path.read_text().replace('Always use', 'Install with', 1))")
    files, known = tree(cellar), what_is_known()
    terminal = review(slow=SLOW, EDITOR=command)
    decide(terminal)
    if not ends:
        terminal.press("q")
    terminal.end()
    assert what_is_known() != known
    (listed,) = json_of("undo", "--list")["decisions"]
    assert listed["contents"]
    assert f"undone  {listed['verb']}" in invoke("undo").out
    assert what_is_known() == known and tree(cellar) == files
    refused("undo", says="nothing to undo")


def test_every_decision_is_undone_one_by_one(cellar: Path) -> None:
    """A whole review is taken back with one key a decision, in the review itself; `k` and the arrow go back."""
    files, known = tree(cellar), what_is_known()
    terminal = review()
    assert "1 of 3" in terminal.first
    assert "this is the first undecided suggestion" in press(terminal, "k")
    press(terminal, "n", "n")
    terminal.press("\x1b[A").sees("2 of 3", ASKS)
    assert "1 of 3" in press(terminal, "k")
    elsewhere(terminal)
    press(terminal, "y", "d")
    assert "here is the next best place" in press(terminal, "h")
    terminal.press("n").end()
    assert tree(cellar) != files
    again = review()
    for verb in ("dismissed", "dismissed", "applied", "moved"):
        again.press("u").sees(f"undone: {verb}", ASKS)
    again.press("q").end()
    assert tree(cellar) == files and what_is_known() == known


def test_a_screen_has_all_that_it_takes_to_decide(cellar: Path) -> None:
    """The rule, its quote, where it goes, and the lines around it fit into 24 rows of 80 columns."""
    write(cellar, {"AGENTS.md": AGENTS + "- " + "word " * 100 + "\n"})
    invoke("reconcile")
    terminal = review()
    rows = terminal.first.split("\n")
    assert len(rows) <= 24 and max(map(len, rows)) <= 80, terminal.first
    assert "“Always use pnpm, never npm.”" in terminal.first
    assert "AGENTS.md › Conventions" in terminal.first and "+- Always use pnpm, never npm." in terminal.first
    terminal.press("w").sees("diff --git a/AGENTS.md b/AGENTS.md", "press any key to go back ").press(" ")
    terminal.sees(ASKS).press("q").end()


def test_on_a_slow_disk_no_key_is_lost_and_none_is_silent(cellar: Path) -> None:
    """What takes its time says what it does; whatever is typed meanwhile is done in its turn."""
    for name in ("api", "web", "docs", "jobs", "data", "tests"):
        text = f'---\napplyTo: "{name}/**"\n---\n\n# {name.title()}\n\n- Keep {name}/ tidy.\n'
        write(cellar, {f".github/instructions/{name}.instructions.md": text})
    git(cellar, "add", "-A")
    invoke("reconcile")
    names = [one["id"] for one in suggestions()]
    terminal = review(slow=SLOW).press("m")  # at once: the files are still being read
    terminal.sees("finding other places …", "n: cancel] ")
    terminal.press("qyduyn")  # nowhere; apply, dismiss the next, take that back, apply it, not the last one now
    terminal.sees("writing …", "preparing the next suggestion …", "writing …").end()
    assert [one["id"] for one in suggestions()] == [names[2]]


def test_a_chat_that_is_never_read_again(cellar: Path, home: Path) -> None:
    """After `x` what is said there brings nothing; after `undo` it does."""
    terminal = review()
    all_of_chat("x")(terminal)
    terminal.end()
    claude_session(home, cellar, *RULES, "Never commit generated files.")
    assert json_of("reconcile")["suggestions"] == []
    invoke("undo")
    invoke("reconcile")
    assert "Never commit generated files." in pending()


def test_not_now_is_not_applied_with_the_rest(cellar: Path) -> None:
    """`a` leaves out what was answered with `n` a moment ago, and says so; keys that are typed ahead are not lost."""
    put_off = pending()[0]
    terminal = review().press("na").sees("suggestions skipped with `n` and not included: 1")
    terminal.sees("apply these 2 to AGENTS.md? [y/N] ").press("y").end()
    assert cellar.exists() and pending() == [put_off]


def test_a_review_of_one(cellar: Path) -> None:
    """An id names one suggestion, a file what concerns it; what is neither is said."""
    assert cellar.exists()
    terminal = review(id_of("pnpm")[:6])
    assert "1 of 1" in terminal.first and "pnpm" in terminal.first
    terminal.press("q").end()
    terminal = review("AGENTS.md")
    assert "of 3 ·" in terminal.first
    terminal.press("q").end()
    assert "no pending suggestion with ID `nothing`" in Terminal("review", "nothing").end(code=1)


@pytest.mark.parametrize(("pressed", "code"), [("\x03", 130), ("\x04", 0)], ids=["ctrl-c", "end of input"])
def test_the_terminal_is_left_as_it_was(cellar: Path, pressed: str, code: int) -> None:
    """Leaving in the middle of a review leaves no terminal without an echo; what was applied before stays."""
    terminal = Terminal("review")
    before = terminal.flags()
    terminal.expect(ASKS)
    assert terminal.flags() != before
    terminal.press("y").sees(ASKS).press(pressed)
    terminal.end(code=code, check=lambda: terminal.flags() == before)
    assert cellar.exists() and len(pending()) == 2


def test_one_id_for_one_thing(cellar: Path) -> None:
    """A suggestion has the same id before and after it is applied, wherever it goes; an older version's id finds it."""
    from memsuggest.core.identity import former_suggestion_id

    name = id_of("mock")
    assert [one["id"] for one in facts() if "mock" in one["content"]] == [name]
    former = former_suggestion_id(name, "AGENTS.md")
    assert former != name and json_of("show", former[:8])["suggestion"]["id"] == name
    (cellar / "AGENTS.md").unlink()
    write(cellar, {"CLAUDE.md": "# Cellar\n\n## Testing\n\n- Tests live in tests/.\n"})
    invoke("reconcile")
    (moved,) = [one for one in suggestions() if "mock" in str(one["content"])]
    assert moved["id"] == moved["factId"] == name and moved["targetUri"] == "CLAUDE.md"
    invoke("apply", name[:5], "--yes")
    assert [one["id"] for one in json_of("list", "--status", "applied")["decided"]] == [name]
    assert "applied" in invoke("show", name[:5]).out and "applied" in invoke("memory", "show", name[:5]).out


@pytest.mark.parametrize(
    "words",
    [
        ("memory", "forget", "{}"),
        ("memory", "edit", "{}", "--content", "Never fake the database."),
        ("dismiss", "{}"),
        ("dismiss", "{}", "--here"),
        ("apply", "{}", "--yes"),
        ("move", "{}", "AGENTS.md#Releases"),
        ("move", "{}", "#Databases", "--make"),
        ("move", "{}", ".github/instructions/db.instructions.md", "--make"),
        ("remember", "Keep the changelog terse."),
        ("remember", "Never mock the database in tests."),
    ],
    ids=" ".join,
)
def test_what_a_command_decides_is_taken_back(cellar: Path, words: tuple[str, ...]) -> None:
    """Every command that decides is an entry of the journal, names the rule and the way back; `undo` reverts it."""
    name = id_of("mock")
    if words[-1].startswith("Never mock"):  # what was dismissed comes back when it is asked for
        invoke("dismiss", name)
    files, known = tree(cellar), what_is_known()
    out = invoke(*(word.format(name) for word in words)).out
    assert out.endswith("`memsuggest undo` reverts this\n")
    assert what_is_known() != known
    assert "“" in invoke("undo", "--list").out
    invoke("undo")
    assert what_is_known() == known and tree(cellar) == files


def test_forgetting_asks_on_a_terminal(cellar: Path) -> None:
    """The fact is shown, and only a yes forgets it."""
    terminal = Terminal("memory", "forget", id_of("mock")).sees("Never mock the database in tests.", "Forget? [y/N]: ")
    assert "nothing was forgotten" in terminal.answer("\n").end()
    assert cellar.exists() and len(facts()) == 3


def test_the_keys_are_explained_and_the_suggestion_comes_back(cellar: Path) -> None:
    """`?` shows every key on a screen of 24 rows; any key after it goes back, and decides nothing."""
    before = what_is_known()
    terminal = review().press("?")
    shown = terminal.expect("press any key to return to the suggestion ")
    assert all(f"\n{name}  " in shown for name in "yndhemswkaDxuq?") and "`git add -p`" in shown
    assert len(shown.splitlines()) <= 24
    terminal.press("y").sees("Always use pnpm", ASKS)
    for name in ("z", "\r"):
        assert "press `?` for help" in press(terminal, name)
    terminal.press("q").end()
    assert cellar.exists() and what_is_known() == before


@pytest.mark.parametrize("pressed", ["D", "x"])
def test_a_rule_of_two_chats(cellar: Path, home: Path, pressed: str) -> None:
    """What was said in another chat, too, stays, and it is said which chat is meant and what goes with it."""
    claude_session(home, cellar, RULES[0], session=session(44444444), day=2)
    invoke("reconcile")
    before = what_is_known()
    terminal = review()
    assert "Always use pnpm" in terminal.first
    assert "chat from 2026-03-01 10:00" in terminal.first
    shown = " ".join(terminal.press(pressed).expect("[y/N] ").split())
    assert "only from the chat from 2026-03-01 10:00 (2):" in shown
    assert "mock the database" in shown and "customer's address" in shown
    assert "not included: the suggestion shown also comes from the chat from 2026-03-02 10:00" in shown
    again = " and never read the chat again" if pressed == "x" else ""
    assert f"dismiss these 2 from the chat from 2026-03-01 10:00{again}? [y/N]" in shown
    terminal.press("y").sees("dismissed 2 suggestions from the chat from 2026-03-01 10:00", ASKS).press("q").end()
    assert [one for one in pending() if "pnpm" not in one] == []
    invoke("undo")
    assert what_is_known() == before
    claude_session(home, cellar, *RULES, session=session(44444444), day=2)
    invoke("reconcile")
    shown = " ".join(press(terminal := review(), "D").split())
    assert (
        "no pending suggestion comes only from the chat from 2026-03-01 10:00" in shown
        and "chat from 2026-03-02" in shown
    )
    terminal.press("q").end()


def test_the_end_of_a_review(cellar: Path) -> None:
    """It says what was decided last and how that is taken back; no line breaks within a word."""
    terminal = review()
    press(terminal, "d", "y")
    tail = terminal.press("q").end().rpartition("?] q\n")[2]
    assert "your last decision: applied “" in tail and "`memsuggest undo` reverts this\n" in tail
    assert tail.endswith("1 still pending: run `memsuggest list`\n")
    tail = review().press("d").end().rpartition("?] d\n")[2]
    assert "your last decision" not in tail and "dismissed everywhere: " in tail
    assert "`memsuggest undo` reverts this\nAll caught up! ✓\n" in tail
    assert "undo" not in Terminal("review").end()
    rule = "Always " + " ".join(f"write{number} the release notes" for number in range(8)) + " before tagging."
    invoke("remember", rule)
    rows = review(id_of("write7")).press("d").end().rpartition("?] d\n")[2].splitlines()
    assert max(len(row) for row in rows) <= 80
    assert cellar.exists() and " ".join(" ".join(rows).split()).count(rule) == 1
