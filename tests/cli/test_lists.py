"""What is new since the last look comes first on a terminal; everywhere else all is printed."""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, Shop, facts, id_of, invoke, json_of, refused, session, suggestions

from memsuggest.cli import _Naming

if sys.platform != "win32":
    from cli.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")

OLD = ("Always use pnpm, never npm, in this repo.", "Never log a customer's address.")
NEW = "From now on never mock the database in tests."
NEW_WORDS, OLD_WORDS = "mock the database", ("use pnpm", "customer's address")
REST = "2 suggestions already seen; `memsuggest list --all` shows all suggestions"


@pytest.fixture(autouse=True)
def _only_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but rules is pending: what files need, as a bridge to another assistant, has tests of its own."""
    monkeypatch.setenv("MEMSUGGEST_CARE", "false")


@pytest.fixture
def kiln(run: Run, git_repo: Path, home: Path) -> Path:
    """A repo in which two rules wait that nobody has looked at."""
    (git_repo / "AGENTS.md").write_text("# Kiln\n\n## Conventions\n\n- Write dates as year, month, day.\n")
    claude_session(home, git_repo, *OLD)
    assert all(words in run("reconcile").out for words in OLD_WORDS)
    return git_repo


def on_terminal(*words: str) -> str:
    """What is left on the screen; a slow machine shows progress first, which names rules and is written over."""
    return "\n".join(row.rpartition("\r")[2] for row in Terminal(*words, COLUMNS="200").end().split("\n"))


def hear(home: Path, repo: Path, sentence: str) -> None:
    claude_session(home, repo, sentence, session="33333333-aaaa-4bbb-8ccc-222222222222", day=2)


def test_what_is_new_is_shown_and_one_line_for_the_rest(kiln: Path, home: Path) -> None:
    """After a look, only what came since is shown in full; `--all` and a file's name leave nothing out."""
    for _ in range(2):
        seen = on_terminal("reconcile", "--dry-run")
        assert all(words in seen for words in OLD_WORDS) and "new since" not in seen, "no look"
    first = on_terminal("list")
    assert all(words in first for words in OLD_WORDS) and "already seen" not in first
    assert on_terminal("list") == first
    hear(home, kiln, NEW)
    seen = on_terminal("reconcile")
    assert "3 pending" in seen and "1 new since your last review" in seen and REST in seen and NEW_WORDS in seen
    assert not any(words in seen for words in OLD_WORDS), seen
    again = on_terminal("reconcile")
    assert "Nothing new since your last review" in again
    assert "3 suggestions already seen" in again and NEW_WORDS not in again
    for words in (("list", "--all"), ("list", "AGENTS.md"), ("list",)):
        seen = on_terminal(*words)
        assert all(words in seen for words in (NEW_WORDS, *OLD_WORDS)) and "already seen" not in seen
    assert "No pending suggestions for these files" in on_terminal("list", "README.md")


def test_pipes_and_json_are_whole_and_no_look(kiln: Path, home: Path) -> None:
    """A script gets all that waits, whatever was looked at, and nothing that it reads counts as seen."""
    on_terminal("list")
    hear(home, kiln, NEW)
    for _ in range(2):
        assert all(words in invoke("reconcile").out for words in (NEW_WORDS, *OLD_WORDS))
        assert all(words in invoke("list").out for words in (NEW_WORDS, *OLD_WORDS))
        assert len(invoke("list", "--format", "json").json["suggestions"]) == 3
    assert '"suggestions"' in on_terminal("list", "--format", "json")
    assert "1 new since your last review" in on_terminal("list")


def test_a_review_is_a_look_at_what_it_shows(kiln: Path) -> None:
    """What was on its screen is not new afterwards; what was not, is."""
    review = Terminal("review", COLUMNS="200")
    review.expect("[e]dit [?]")
    review.press("q")
    assert "2 still pending: run `memsuggest list`" in review.end()
    assert "1 new since your last review" in on_terminal("reconcile")
    again = Terminal("review", COLUMNS="200")
    again.expect("[e]dit [?]")
    again.press("n")
    again.expect("[e]dit [?]")
    again.press("q")
    again.end()
    assert "Nothing new since your last review" in on_terminal("reconcile")


def test_review_and_list_have_one_order(kiln: Path, home: Path) -> None:
    """What is new comes first in both, and is marked; then by the kind of file."""
    on_terminal("list")
    hear(home, kiln, NEW)
    invoke("reconcile")
    review, seen = Terminal("review", COLUMNS="200"), ""
    for _ in range(3):
        seen += review.expect("[e]dit [?]")
        review.press("n")
    review.end()
    reviewed = re.findall(r"(\d) of 3 · 0 applied  ([0-9a-f]{7})(  new)?", seen)
    listed = re.findall(r"^  ([0-9a-f]{7})  ", on_terminal("list", "--all"), re.MULTILINE)
    new = id_of("mock")[:7]
    assert [name for _, name, _ in reviewed] == [new, *(name for name in listed if name != new)]
    assert [bool(mark) for _, _, mark in reviewed] == [True, False, False]


def test_what_is_taken_back_is_not_new(kiln: Path, home: Path) -> None:
    """Who saw a suggestion once, or decided about it, knows it; `show` is a look at one."""
    before = on_terminal("list")
    ids = [one["id"] for one in suggestions()]
    for decide in (("apply", ids[0], "--yes"), ("dismiss", ids[1])):
        invoke(*decide)
        on_terminal("list")
        invoke("undo")
        assert on_terminal("list") == before
    hear(home, kiln, NEW)
    invoke("reconcile")
    on_terminal("show", id_of("mock"))
    assert "Nothing new" in on_terminal("reconcile")


# What a line of a list says at a glance, and what stands beside a suggestion wherever it is shown.


@pytest.fixture
def clash(run: Run, git_repo: Path, home: Path) -> tuple[str, str]:
    """The ids of a rule that waits and of an older one that it contradicts."""
    (git_repo / "AGENTS.md").write_text("# Kiln\n\n## Conventions\n\n- Be brief.\n")
    later = "From now on send dates as ISO strings, never as Unix milliseconds."
    claude_session(home, git_repo, "Always send dates as Unix milliseconds.")
    claude_session(home, git_repo, later, session=session(2), day=2)
    run("reconcile")
    newer = id_of("ISO")
    (older,) = [one["id"] for one in facts() if one["id"] != newer]
    return newer, older


def test_a_contradiction_stands_beside_the_suggestion(clash: tuple[str, str]) -> None:
    """`show` and `review` name the rule that cannot hold beside it; `show` takes the id of that one, too."""
    newer, older = clash
    told = f"contradicts {older[:7]}  Always send dates as Unix milliseconds."
    assert told in invoke("show", newer).out
    assert json_of("show", newer)["contradictions"][0]["loser"]["id"] == older
    terminal = Terminal("review", COLUMNS="80").sees(told, "the other fact is older and not suggested", "Apply?")
    terminal.answer("\x03").end(code=130)
    for words in (("show", older), ("memory", "show", older)):
        out = invoke(*words).out
        assert f"contradicts {newer[:7]}" in out and "the other fact is newer, so this one is not suggested" in out
    invoke("memory", "forget", older)
    assert "contradicts" not in invoke("show", newer).out


@pytest.mark.parametrize(
    "words",
    [
        *("apply {mock}", "apply {mock} {pnpm}", "apply --all", "apply --similar {mock}"),
        *("hooks install --for claude-code --user", "hooks install --skill", "consent grant --engine chat"),
    ],
)
def test_a_hint_can_be_typed(shop: Shop, words: str) -> None:
    """Without a terminal, the command in the hint does what was asked for; no yes is said where yes does not do."""
    given = words.format(mock=shop.id_of("mock"), pnpm=shop.id_of("pnpm")).split()
    commands = re.findall(r"`memsuggest ([^`]+)`", refused(*given).partition("hint: ")[2])
    assert commands and "--yes" in commands[-1]
    hook = shop.id_of("ruff")
    assert "--yes" not in refused("apply", hook, says=f"`memsuggest apply {hook[:7]}` in a terminal")
    assert "--yes" not in refused("edit", hook)
    for command in commands:
        invoke(*command.split())


def test_a_longer_name_counts_where_lines_break(shop: Shop) -> None:
    """In the example hints name `memsuggest demo`, once, and no line grows beyond the terminal by it."""
    seen = Terminal("list", "--maybe", COLUMNS="60", MEMSUGGEST_CALLED="memsuggest demo").end()
    seen += Terminal("apply", shop.id_of("mock"), "--yes", COLUMNS="32", MEMSUGGEST_CALLED="memsuggest demo").end()
    assert "`memsuggest demo undo`" in " ".join(seen.split())
    assert "demo demo" not in seen and "`memsuggest undo" not in seen
    assert max(len(row) for row in seen.splitlines() if "`" in row) <= 60


def test_a_name_is_put_in_once_wherever_its_line_breaks() -> None:
    """A hint that was named before its lines were broken is not named again."""
    stream = StringIO()
    naming = _Naming(stream, "memsuggest demo")
    naming.write(naming.named("`memsuggest targets` lists them").replace("demo targets", "demo\n  targets"))
    assert stream.getvalue() == "`memsuggest demo\n  targets` lists them"
