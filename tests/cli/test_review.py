"""A review, key by key, on a pseudo-terminal: what each key does, and that every decision can be taken back."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run, invoke, refused

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
SIZES = [pytest.param((80, 24), id="80x24"), pytest.param((200, 60), id="200x60", marks=pytest.mark.slow)]


@pytest.fixture(autouse=True)
def _only_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but rules is pending: what files need, as a bridge to another assistant, has tests of its own."""
    monkeypatch.setenv("MEMSUGGEST_CARE", "false")


@pytest.fixture
def cellar(run: Run, git_repo: Path, home: Path) -> Path:
    """A repo in which three rules wait that were said in one chat."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    subprocess.run(["git", "-C", str(git_repo), "add", "-A"], check=True)
    claude_session(home, git_repo, *RULES)
    run("reconcile")
    assert len(pending()) == 3, pending()
    return git_repo


def pending() -> list[str]:
    return [one["content"] for one in suggestions()]


def suggestions() -> list[dict[str, object]]:
    return list(invoke("list", "--format", "json").json["suggestions"])


def what_is_known() -> object:
    """All that a person sees of the stores: facts with their evidence, decisions, what waits, what is kept aside."""
    facts = [invoke("memory", "show", one["id"], "--format", "json").json for one in facts_there()]
    listed = [invoke("list", "--status", status, "--format", "json").json for status in ("applied", "dismissed")]
    decided = [(one["decided"], one["care"]) for one in listed]
    return facts, decided, suggestions(), invoke("list", "--maybe", "--format", "json").json["suggestions"]


def facts_there() -> list[dict[str, str]]:
    return list(invoke("memory", "list", "--facts", "--all", "--format", "json").json["facts"])


def files_of(repo: Path) -> dict[str, bytes]:
    return tree(repo)


def editor(folder: Path, script: str) -> str:
    """An editor that runs a line of Python over the file, known as `path`."""
    file = folder / "editor"
    file.write_text(f"#!{sys.executable}\nimport pathlib, sys\npath = pathlib.Path(sys.argv[1])\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


def press(terminal: Terminal, *keys: str) -> str:
    """Press keys, one after the other, each when the review asks."""
    shown = ""
    for key in keys:
        terminal.press(key)
        shown = terminal.expect(ASKS)
    return shown


def begun(
    *words: str, size: tuple[int, int] = (80, 24), slow: tuple[str, float] | None = None, **environ: str
) -> Terminal:
    terminal = Terminal("review", *words, slow=slow, COLUMNS=str(size[0]), LINES=str(size[1]), **environ)
    terminal.first = terminal.expect(ASKS)
    return terminal


def in_place(terminal: Terminal) -> None:
    """Let the first rule stand in the place of the line it collides with."""
    terminal.press("s")
    terminal.expect("replace this line with the rule? [y/N] ")
    terminal.press("y")
    assert "it now replaces line" in terminal.expect(ASKS)


def elsewhere(terminal: Terminal) -> None:
    """Move the first rule to the first of the other places."""
    terminal.press("m")
    assert "  1  AGENTS.md" in terminal.expect("nowhere] ")
    terminal.press("1")
    assert "moved to AGENTS.md" in terminal.expect(ASKS)


def typed(terminal: Terminal) -> None:
    """Move the first rule to a place that is typed."""
    terminal.press("m")
    terminal.expect("nowhere] ")
    terminal.press("t")
    terminal.expect("place: ")
    terminal.answer("AGENTS.md#Releases\n")
    assert "moved to AGENTS.md › Releases" in terminal.expect(ASKS)


def worded(terminal: Terminal) -> None:
    """Edit the words of the first rule, and agree."""
    terminal.press("e")
    shown = terminal.expect("apply this version? [y, e: edit again, n: discard the edits] ")
    assert "with your edits:" in shown and "+- Install with pnpm" in shown
    terminal.press("y")
    terminal.expect(ASKS)


def all_of_file(terminal: Terminal) -> None:
    """Apply all that go to the file of the first rule."""
    terminal.press("a")
    assert "apply these 3 to AGENTS.md? [y/N] " in terminal.expect("[y/N] ")
    terminal.press("y")


def all_of_chat(key: str, number: int = 3) -> Callable[[Terminal], None]:
    def pressed(terminal: Terminal) -> None:
        terminal.press(key)
        assert f"dismiss these {number} from chat" in terminal.expect("[y/N] ")
        terminal.press("y")

    return pressed


def one(key: str) -> Callable[[Terminal], None]:
    return lambda terminal: str(press(terminal, key)) and None


@pytest.mark.parametrize(
    ("decide", "ends"),
    [
        pytest.param(one("y"), False, id="y"),
        pytest.param(one("d"), False, id="d"),
        pytest.param(one("h"), False, id="h"),
        pytest.param(worded, False, id="e"),
        pytest.param(elsewhere, False, id="m"),
        pytest.param(typed, False, id="m typed"),
        pytest.param(in_place, False, id="s"),
        pytest.param(all_of_file, True, id="a"),
        pytest.param(all_of_chat("D"), True, id="D"),
        pytest.param(all_of_chat("x"), True, id="x"),
    ],
)
def test_what_a_key_decides_is_taken_back(
    cellar: Path, tmp_path: Path, decide: Callable[[Terminal], None], ends: bool
) -> None:
    """After `undo` files and stores are what they were before the key, byte for byte; on a slow disk, too."""
    command = editor(tmp_path, "path.write_text(path.read_text().replace('Always use', 'Install with', 1))")
    files, known = files_of(cellar), what_is_known()
    terminal = begun(slow=SLOW, EDITOR=command)
    decide(terminal)
    if not ends:
        terminal.press("q")
    terminal.end()
    assert what_is_known() != known
    listed = invoke("undo", "--list", "--format", "json").json["decisions"]
    assert len(listed) == 1 and listed[0]["contents"], listed
    out = invoke("undo").out
    assert f"undone  {listed[0]['verb']}" in out
    assert what_is_known() == known
    assert files_of(cellar) == files
    refused("undo", says="nothing to undo")


def test_every_decision_is_undone_one_by_one(cellar: Path, tmp_path: Path) -> None:
    """A whole review is taken back with one key a decision, in the review itself."""
    files, known = files_of(cellar), what_is_known()
    terminal = begun()
    elsewhere(terminal)
    press(terminal, "y", "d")
    assert "here is the next best place" in press(terminal, "h")
    terminal.press("n")
    terminal.end()
    assert files_of(cellar) != files
    again = begun()
    for verb in ("dismissed", "dismissed", "applied", "moved"):
        again.press("u")
        assert f"undone: {verb}" in again.expect(ASKS)
    again.press("q")
    again.end()
    assert files_of(cellar) == files
    assert what_is_known() == known


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("key", "verb"), [("D", "dismissed"), ("x", "dismissed a chat")])
def test_all_that_was_decided_in_a_row_is_undone(
    cellar: Path, tmp_path: Path, size: tuple[int, int], key: str, verb: str
) -> None:
    """Moved by the command, moved by its key, put in place of a line, edited, and with its chat: all is as it was."""
    command = editor(tmp_path, "path.write_text(path.read_text().replace('Always use', 'Install with', 1))")
    (pnpm,) = [str(one["id"]) for one in suggestions() if "pnpm" in str(one["content"])]
    files, known = files_of(cellar), what_is_known()
    invoke("move", pnpm, "AGENTS.md#Releases")
    terminal = begun(size=size, EDITOR=command)
    elsewhere(terminal)
    in_place(terminal)
    worded(terminal)
    all_of_chat(key, 2)(terminal)
    terminal.end()
    assert files_of(cellar) != files and pending() == []
    for done in (verb, "applied", "moved", "moved", "moved"):
        assert f"undone  {done}" in invoke("undo").out
    assert files_of(cellar) == files
    assert what_is_known() == known
    refused("undo", says="nothing to undo")


def test_a_screen_has_all_that_it_takes_to_decide(cellar: Path) -> None:
    """The rule, its quote, where it goes, why, and the lines around it fit into 24 rows of 80 columns."""
    (cellar / "AGENTS.md").write_text(AGENTS + "- " + "word " * 100 + "\n", encoding="utf-8")
    invoke("reconcile")
    terminal = begun()
    shown = terminal.first
    terminal.press("q")
    terminal.end()
    rows = shown.split("\n")
    assert len(rows) <= 24 and max(map(len, rows)) <= 80, shown
    assert "“Always use pnpm, never npm.”" in shown
    assert "AGENTS.md › Conventions" in shown and "+- Always use pnpm, never npm." in shown


def test_keys_typed_meanwhile_are_not_lost(cellar: Path) -> None:
    """Whoever knows what comes may type ahead."""
    terminal = Terminal("review")
    terminal.expect(ASKS)
    terminal.press("nyq")
    terminal.end()
    assert len(pending()) == 2
    assert (cellar / "AGENTS.md").read_text(encoding="utf-8") != AGENTS


@pytest.mark.parametrize("size", SIZES)
def test_on_a_slow_disk_no_key_is_lost_and_none_is_silent(cellar: Path, size: tuple[int, int]) -> None:
    """What takes its time says what it does; whatever is typed meanwhile is done in its turn."""
    for name in ("api", "web", "docs", "jobs", "data", "tests"):
        file = cellar / f".github/instructions/{name}.instructions.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'---\napplyTo: "{name}/**"\n---\n\n# {name.title()}\n\n- Keep {name}/ tidy.\n')
    subprocess.run(["git", "-C", str(cellar), "add", "-A"], check=True)
    invoke("reconcile")
    names = [str(one["id"]) for one in suggestions()]
    files, known = files_of(cellar), what_is_known()
    terminal = begun(size=size, slow=SLOW)
    terminal.press("m")  # at once: the files are still being read
    terminal.expect("searching your files for other places …")
    terminal.expect("nowhere] ")
    terminal.press("qyduyn")  # nowhere; apply, dismiss the next, take that back, apply it, not the last one now
    for step in ("writing …", "preparing the next suggestion …", "writing …"):
        terminal.expect(step)
    terminal.end()
    assert [str(one["id"]) for one in suggestions()] == [names[2]]
    for _ in range(2):
        invoke("undo")
    assert files_of(cellar) == files
    assert what_is_known() == known


def test_going_back(cellar: Path) -> None:
    """`k` and the arrow up go to the one before that is not decided; before the first there is none."""
    terminal = begun()
    assert "1 of 3" in terminal.first
    assert "this is the first undecided suggestion" in press(terminal, "k")
    press(terminal, "n", "y")
    assert "1 of 3" in press(terminal, "k")
    assert "3 of 3" in press(terminal, "n")
    terminal.press("\x1b[A")
    assert "1 of 3" in terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()


def test_why_shows_everything(cellar: Path) -> None:
    """`w` shows the whole diff with the names that git needs, and all evidence."""
    terminal = begun()
    terminal.press("w")
    assert "diff --git a/AGENTS.md b/AGENTS.md" in terminal.expect("press any key to go back ")
    terminal.press(" ")
    terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()


def test_the_editor_shows_what_it_is_about(cellar: Path, tmp_path: Path) -> None:
    """As in `git commit`, the place, the quote and the neighbours stand there as lines that are left out."""
    seen = tmp_path / "seen"
    terminal = begun(EDITOR=editor(tmp_path, f"pathlib.Path({str(seen)!r}).write_text(path.read_text())"))
    assert "nothing was changed" in press(terminal, "e")
    terminal.press("q")
    terminal.end()
    text = seen.read_text(encoding="utf-8")
    assert text.startswith("Always use pnpm, never npm.\n")
    assert "# Target: AGENTS.md › Conventions" in text and "# You said: “Always use pnpm, never npm" in text
    assert "Never use floats for prices." in text


def test_a_chat_that_is_never_read_again(cellar: Path, home: Path) -> None:
    """After `x` what is said there brings nothing; after `undo` it does."""
    terminal = begun()
    all_of_chat("x")(terminal)
    terminal.end()
    assert pending() == []
    claude_session(home, cellar, *RULES, "Never commit generated files.")
    assert invoke("reconcile", "--format", "json").json["suggestions"] == []
    invoke("undo")
    invoke("reconcile")
    assert "Never commit generated files." in pending()


def test_what_was_moved_stays_there(cellar: Path) -> None:
    """Another run does not put a rule back where our own ranking had it."""
    terminal = begun()
    typed(terminal)
    terminal.press("q")
    terminal.end()
    invoke("reconcile")
    assert [one["heading"] for one in suggestions() if "pnpm" in str(one["content"])] == ["Releases"]


def test_a_chosen_place_can_be_dismissed(cellar: Path) -> None:
    """What was moved to a file and then dismissed there is not offered for it again; undo brings the choice back."""
    (cellar / "CLAUDE.md").write_text("# Cellar\n\n## Conventions\n\n- Name caves after saints.\n", encoding="utf-8")
    invoke("reconcile")
    place = ".github/instructions/caves.instructions.md"
    terminal = begun()
    terminal.press("m")
    terminal.expect("nowhere] ")
    terminal.press("t")
    terminal.expect("place: ")
    terminal.answer(f"{place}\n")
    terminal.expect("[y/N] ")
    terminal.press("y")
    terminal.expect(ASKS)
    name = next(str(one["id"]) for one in suggestions() if one["suggestedFileName"] or one["targetUri"] == place)
    terminal.press("h")
    terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    assert all(place not in str(one["diff"]) for one in suggestions())
    invoke("undo")
    assert place in invoke("show", name).out


@pytest.mark.parametrize(
    ("place", "says"),
    [
        pytest.param(".github/agents/new.agent.md", "file `.github/agents/new.agent.md` does not exist", id="no agent"),
        pytest.param("../other/AGENTS.md", "error: ", id="outside"),
        pytest.param(".git/config", "error: ", id="never a target"),
        pytest.param("~/.claude/CLAUDE.md", "that file is personal", id="the person's own"),
        pytest.param("#", "invalid place", id="nothing"),
    ],
)
def test_a_place_that_cannot_be(cellar: Path, place: str, says: str) -> None:
    """It is said why, nothing has moved, and the review goes on."""
    before = suggestions()
    terminal = begun()
    terminal.press("m")
    terminal.expect("nowhere] ")
    terminal.press("t")
    terminal.expect("place: ")
    terminal.answer(f"{place}\n")
    assert says in terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    assert suggestions() == before


def typed_in(terminal: Terminal, place: str, *, then: str = ASKS) -> str:
    """Type a place after `m` and `t`, and wait for what is asked then."""
    terminal.press("m")
    terminal.expect("nowhere] ")
    terminal.press("t")
    terminal.expect("place: ")
    terminal.answer(f"{place}\n")
    return terminal.expect(then)


@pytest.mark.parametrize("place", ["agents.md#releases", "#RELEASES", "AGENTS.MD › Releases", "./AGENTS.md#Releases"])
def test_a_place_is_typed_in_any_case(cellar: Path, place: str) -> None:
    """A person need not type capitals, nor the file where it is the one that the rule goes to already."""
    terminal = begun()
    assert "moved to AGENTS.md › Releases" in typed_in(terminal, place)
    terminal.press("y")
    terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    assert "main.\n- Always use pnpm" in (cellar / "AGENTS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("place", "asks", "goes", "holds"),
    [
        pytest.param(
            "AGENTS.md#Packages",
            "`AGENTS.md` has no heading `Packages`",
            "AGENTS.md › Packages (new heading)",
            "## Packages\n\n- Always use pnpm, never npm",
            id="heading",
        ),
        pytest.param(
            "CLAUDE.md",
            "file `CLAUDE.md` does not exist",
            "CLAUDE.md (new file)",
            "## Conventions\n\n- Always use pnpm, never npm",
            id="file",
        ),
        pytest.param(
            ".github/instructions/packages.instructions.md",
            "does not exist",
            ".github/instructions/packages.instructions.md (new file)",
            'applyTo: "**"\n---\n\n# Packages\n\n- Always use pnpm, never npm',
            id="instructions",
        ),
    ],
)
def test_a_place_that_is_made(cellar: Path, place: str, asks: str, goes: str, holds: str) -> None:
    """What is not there yet is made once the person agrees; `undo` reverts all of it."""
    files, known = files_of(cellar), what_is_known()
    terminal = begun()
    assert asks in typed_in(terminal, place, then="create it? [y/N] ")
    terminal.press("n")
    assert "not moved" in terminal.expect(ASKS)
    assert what_is_known() == known
    typed_in(terminal, place, then="create it? [y/N] ")
    terminal.press("y")
    shown = terminal.expect(ASKS)
    assert f"moved to {goes}" in " ".join(shown.split())
    invoke("reconcile")  # another run leaves it there
    assert goes in invoke("list").out
    terminal.press("y")
    terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    assert holds in (cellar / place.partition("#")[0]).read_text(encoding="utf-8")
    invoke("undo")
    invoke("undo")
    assert files_of(cellar) == files
    assert what_is_known() == known


def test_an_error_is_read_to_its_end(cellar: Path) -> None:
    """At 80 columns an error goes on below, between words, with what to do next."""
    terminal = begun()
    shown = typed_in(terminal, "~/.claude/CLAUDE.md")
    terminal.press("q")
    terminal.end()
    error = shown.partition("error: ")[2].partition("1 of 3")[0]
    assert "(choose a file in the repo)" in " ".join(error.split())
    rows = shown.replace("\x1b[?2004h", "").split("\n")  # what asks the terminal to mark pastes takes no room
    assert max(map(len, rows)) <= 80 and "…" not in error


def test_not_now_is_not_applied_with_the_rest(cellar: Path) -> None:
    """`a` leaves out what was answered with `n` a moment ago, and says so."""
    put_off = pending()[0]
    terminal = begun()
    press(terminal, "n")
    terminal.press("a")
    shown = terminal.expect("apply these 2 to AGENTS.md? [y/N] ")
    assert "not included: 1 that you skipped with `n`" in shown
    terminal.press("y")
    terminal.end()
    assert pending() == [put_off]


def test_a_review_of_one(cellar: Path) -> None:
    """An id names one suggestion, a file what concerns it; what is neither is said."""
    name = next(str(one["id"]) for one in suggestions() if "pnpm" in str(one["content"]))
    terminal = begun(name[:6])
    assert "1 of 1" in terminal.first and "pnpm" in terminal.first
    terminal.press("q")
    terminal.end()
    terminal = begun("AGENTS.md")
    assert "of 3 ·" in terminal.first
    terminal.press("q")
    terminal.end()
    assert "no pending suggestion with ID `nothing`" in Terminal("review", "nothing").end(code=1)


def test_the_terminal_is_left_as_it_was(cellar: Path) -> None:
    """Ctrl-C in the middle of a review leaves no terminal without an echo."""
    terminal = Terminal("review")
    before = terminal.flags()
    terminal.expect(ASKS)
    assert terminal.flags() != before
    terminal.press("\x03")
    terminal.end(code=130, check=lambda: terminal.flags() == before)


def test_one_id_for_one_thing(cellar: Path) -> None:
    """A suggestion has the same id before and after it is applied, wherever it is shown, and wherever it goes."""
    name = next(str(one["id"]) for one in suggestions() if "mock" in str(one["content"]))
    assert [one["id"] for one in facts_there() if "mock" in one["content"]] == [name]
    (cellar / "AGENTS.md").unlink()
    (cellar / "CLAUDE.md").write_text("# Cellar\n\n## Testing\n\n- Tests live in tests/.\n", encoding="utf-8")
    invoke("reconcile")
    (moved,) = [one for one in suggestions() if "mock" in str(one["content"])]
    assert moved["id"] == moved["factId"] == name and moved["targetUri"] == "CLAUDE.md"
    invoke("apply", name[:5], "--yes")
    applied = invoke("list", "--status", "applied", "--format", "json").json["decided"]
    assert [one["id"] for one in applied] == [name]
    assert "applied" in invoke("show", name[:5]).out
    assert "applied" in invoke("memory", "show", name[:5]).out


def test_an_id_of_an_older_version(cellar: Path) -> None:
    """What a note or a script still says names the same suggestion."""
    from memsuggest.core.identity import former_suggestion_id

    (one,) = [one for one in suggestions() if "mock" in str(one["content"])]
    former = former_suggestion_id(str(one["factId"]), "AGENTS.md")
    assert former != one["id"]
    assert json.loads(invoke("show", former[:8], "--format", "json").out)["suggestion"]["id"] == one["id"]


def test_dismissed_comes_back_when_it_is_asked_for(cellar: Path) -> None:
    """`remember` brings back what was dismissed, and `undo` dismisses it again."""
    name = next(str(one["id"]) for one in suggestions() if "mock" in str(one["content"]))
    invoke("dismiss", name)
    known = what_is_known()
    invoke("remember", "Never mock the database in tests.")
    assert name in [one["id"] for one in suggestions()]
    invoke("undo")
    assert what_is_known() == known


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("memory", "forget", "{}"), id="forget"),
        pytest.param(("memory", "edit", "{}", "--content", "Never fake the database."), id="edit"),
        pytest.param(("dismiss", "{}"), id="dismiss"),
        pytest.param(("dismiss", "{}", "--here"), id="dismiss here"),
        pytest.param(("apply", "{}", "--yes"), id="apply"),
        pytest.param(("move", "{}", "AGENTS.md#Releases"), id="move"),
        pytest.param(("move", "{}", "#Databases", "--make"), id="move to a new heading"),
        pytest.param(("move", "{}", ".github/instructions/db.instructions.md", "--make"), id="move to a new file"),
        pytest.param(("remember", "Keep the changelog terse."), id="remember"),
    ],
)
def test_what_a_command_decides_is_taken_back(cellar: Path, words: tuple[str, ...]) -> None:
    """Every command that decides is an entry of the journal; its words name the rule."""
    name = next(str(one["id"]) for one in suggestions() if "mock" in str(one["content"]))
    files, known = files_of(cellar), what_is_known()
    invoke(*(word.format(name) for word in words))
    assert what_is_known() != known
    assert "“" in invoke("undo", "--list").out
    invoke("undo")
    assert what_is_known() == known
    assert files_of(cellar) == files


def test_a_heading_that_goes_again(run: Run, git_repo: Path) -> None:
    """What would have gone below a heading that another rule brought has its own place again once that is undone."""
    text = "# Ferry timetable\n\nA small service that prints ferry timetables.\n\n## Commands\n\n"
    text += "- `make test` runs everything.\n\n## Code\n\n- Use type hints.\n- Keep functions short.\n"
    (git_repo / "CLAUDE.md").write_text(text)
    for rule in ("Never commit generated PDFs.", "Don't use print, we always log with structlog here."):
        run("remember", rule)
    before = suggestions()
    name = next(one["id"] for one in before if "PDFs" in str(one["content"]))
    run("apply", name, "--yes")
    assert [one["heading"] for one in suggestions()] != [one["heading"] for one in before if one["id"] != name]
    run("undo")
    assert suggestions() == before


def test_forgetting_asks_on_a_terminal(cellar: Path) -> None:
    """The fact is shown, and only a yes forgets it."""
    name = next(str(one["id"]) for one in suggestions() if "mock" in str(one["content"]))
    terminal = Terminal("memory", "forget", name)
    assert "Never mock the database in tests." in terminal.expect("Forget? [y/N]: ")
    terminal.answer("\n")
    assert "nothing was forgotten" in terminal.end()
    assert len(facts_there()) == 3


def test_similar_is_about_the_same_matter(run: Run, git_repo: Path) -> None:
    """`--similar` takes the named one and what is about the same, not all that stand under one heading."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    rules = ("Mock nothing but the network in tests.", "Give each test one assertion.", "Keep the changelog terse.")
    for rule in rules:
        run("remember", rule)
    first = next(str(one["id"]) for one in suggestions() if "Mock" in str(one["content"]))
    run("apply", "--similar", first, "--yes")
    assert pending() == ["Keep the changelog terse."]


def test_the_keys_are_explained_and_the_suggestion_comes_back(cellar: Path) -> None:
    """`?` shows every key on a screen of 24 rows; any key after it goes back, and decides nothing."""
    before = what_is_known()
    terminal = begun()
    terminal.press("?")
    shown = terminal.expect("press any key to return to the suggestion ")
    assert all(f"\n{key}  " in shown for key in "yndhemswkaDxuq?") and "`git add -p`" in shown
    assert len(shown.splitlines()) <= 24
    terminal.press("y")
    assert "Always use pnpm" in terminal.expect(ASKS)
    assert "`z` is not a key here: press `?` for help" in press(terminal, "z")
    terminal.press("q")
    terminal.end()
    assert what_is_known() == before


@pytest.mark.parametrize("place", ["AGENTS.md#Conventions", "#conventions"])
def test_a_move_to_the_same_place(cellar: Path, place: str) -> None:
    """It is said that it stays, and there is nothing to take back."""
    terminal = begun()
    assert "already at this place: AGENTS.md › Conventions" in typed_in(terminal, place)
    terminal.press("q")
    terminal.end()
    refused("undo", says="nothing to undo")


@pytest.mark.parametrize("key", ["D", "x"])
def test_a_rule_of_two_chats(cellar: Path, home: Path, key: str) -> None:
    """What was said in another chat, too, stays, and it is said which chat is meant and what goes with it."""
    claude_session(home, cellar, RULES[0], session="44444444-aaaa-4bbb-8ccc-222222222222", day=2)
    invoke("reconcile")
    before = what_is_known()
    terminal = begun()
    assert "Always use pnpm" in terminal.first
    chat, other = re.findall(r"11111111|44444444", terminal.first)[0], "44444444"
    assert chat == "11111111"
    terminal.press(key)
    shown = terminal.expect("[y/N] ")
    assert "only from chat 11111111 (2):" in shown
    assert "mock the database" in shown and "customer's address" in shown
    assert f"not included: the suggestion shown also comes from chat {other}" in " ".join(shown.split())
    again = " and never read the chat again" if key == "x" else ""
    assert f"dismiss these 2 from chat 11111111{again}? [y/N]" in " ".join(shown.split())
    terminal.press("y")
    assert "dismissed 2 from chat 11111111" in terminal.expect(ASKS)
    terminal.press("q")
    terminal.end()
    assert [one for one in pending() if "pnpm" not in one] == []
    invoke("undo")
    assert what_is_known() == before


def test_a_chat_with_nothing_of_its_own(cellar: Path, home: Path) -> None:
    """Where all that it said was said elsewhere, too, nothing is asked."""
    claude_session(home, cellar, *RULES, session="44444444-aaaa-4bbb-8ccc-222222222222", day=2)
    invoke("reconcile")
    terminal = begun()
    shown = " ".join(press(terminal, "D").split())
    assert "no pending suggestion comes only from chat 11111111" in shown and "from chat 44444444" in shown
    terminal.press("q")
    terminal.end()


def test_the_end_of_a_review(cellar: Path) -> None:
    """It says what was decided last and how that is taken back; no line breaks within a word."""
    terminal = begun()
    press(terminal, "d", "y")
    terminal.press("q")
    tail = terminal.end().rpartition("?] q\n")[2]
    assert "your last decision: applied “" in tail and "`memsuggest undo` reverts it\n" in tail
    assert tail.endswith("1 still pending: `memsuggest list`\n")
    terminal = begun()
    terminal.press("d")
    tail = terminal.end().rpartition("?] d\n")[2]
    assert "your last decision" not in tail and "dismissed everywhere: " in tail
    assert "`memsuggest undo` reverts it\nAll caught up! ✓\n" in tail
    assert "undo" not in Terminal("review").end()


def test_the_last_lines_break_between_words(cellar: Path) -> None:
    """At 80 columns a long rule goes on below, as it does on the screen."""
    rule = "Always " + " ".join(f"write{number} the release notes" for number in range(8)) + " before tagging."
    invoke("remember", rule)
    (name,) = [str(one["id"]) for one in suggestions() if "write7" in str(one["content"])]
    terminal = begun(name)
    terminal.press("d")
    rows = terminal.end().rpartition("?] d\n")[2].splitlines()
    assert max(len(row) for row in rows) <= 80
    assert " ".join(" ".join(rows).split()).count(rule) == 1
