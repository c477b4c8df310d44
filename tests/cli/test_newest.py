"""What is new since the last look comes first on a terminal; everywhere else all is printed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, id_of, invoke, suggestions

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
if sys.platform != "win32":
    from cli.terminal import Terminal

OLD = ("Always use pnpm, never npm, in this repo.", "Never log a customer's address.")
NEW = "From now on never mock the database in tests."
NEW_WORDS, OLD_WORDS = "mock the database", ("use pnpm", "customer's address")
REST = "2 suggestions already seen: `memsuggest list --all` shows all"


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
    assert "2 still pending: `memsuggest list`" in review.end()
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
