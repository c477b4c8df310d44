"""What is new since the last look comes first on a terminal; everywhere else all is printed."""

from __future__ import annotations

import re
import sqlite3
import sys
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, invoke

from memsuggest.suggestions.notices import MIGRATIONS, looked_at, note_look

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


def test_the_first_look_shows_all(kiln: Path) -> None:
    """What was printed into a pipe was not looked at: the first look shows all, and has nothing to tell apart."""
    seen = on_terminal("list")
    assert all(words in seen for words in OLD_WORDS), seen
    assert "new since" not in seen and "already seen" not in seen


def test_list_shows_what_is_new_and_one_line_for_the_rest(kiln: Path, home: Path) -> None:
    """After a look, only what came since is shown in full; the count at the top is that of all."""
    on_terminal("list")
    hear(home, kiln, NEW)
    invoke("reconcile")
    seen = on_terminal("list")
    assert "3 pending" in seen and "1 new since your last review" in seen and REST in seen
    assert NEW_WORDS in seen
    assert not any(words in seen for words in OLD_WORDS), seen


def test_reconcile_shows_what_is_new_and_one_line_for_the_rest(kiln: Path, home: Path) -> None:
    """A run on a terminal is a look, too; without anything new one line is left."""
    on_terminal("reconcile")
    hear(home, kiln, NEW)
    seen = on_terminal("reconcile")
    assert "1 new since your last review" in seen and REST in seen and NEW_WORDS in seen
    assert not any(words in seen for words in OLD_WORDS), seen
    again = on_terminal("reconcile")
    assert "Nothing new since your last review" in again
    assert "3 suggestions already seen" in again and NEW_WORDS not in again


def test_a_list_without_news_is_whole(kiln: Path) -> None:
    """Who lists what they saw already wants to see it again."""
    first, second = on_terminal("list"), on_terminal("list")
    assert first == second
    assert all(words in second for words in OLD_WORDS)


def test_all_shows_all(kiln: Path, home: Path) -> None:
    """`--all` leaves nothing out, and counts as a look."""
    on_terminal("list")
    hear(home, kiln, NEW)
    invoke("reconcile")
    seen = on_terminal("list", "--all")
    assert all(words in seen for words in (NEW_WORDS, *OLD_WORDS)), seen
    assert "already seen" not in seen
    assert "already seen" not in on_terminal("list")  # nothing is new any more


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


def test_a_dry_run_is_whole_and_no_look(kiln: Path) -> None:
    """A dry run stores nothing, not even that it was looked at."""
    for _ in range(2):
        seen = on_terminal("reconcile", "--dry-run")
        assert all(words in seen for words in OLD_WORDS) and "new since" not in seen


def test_a_look_at_one_file_is_one_at_what_it_shows(kiln: Path, home: Path) -> None:
    """A narrowed list shows all that concerns the files, and leaves the rest as new as it was."""
    on_terminal("list")
    hear(home, kiln, NEW)
    invoke("reconcile")
    assert "No pending suggestions for these files" in on_terminal("list", "README.md")
    seen = on_terminal("list", "AGENTS.md")
    assert all(words in seen for words in (NEW_WORDS, *OLD_WORDS)), seen
    assert "already seen" not in seen
    assert "new since" not in on_terminal("list")


def test_what_was_shown_stays_known(tmp_path: Path) -> None:
    """Each working tree has a mark of its own; what is not shown for a while is not new when it comes back."""
    connection = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    for migration in MIGRATIONS:
        migration(connection)
    note_look(connection, "here", {"a", "b"})
    note_look(connection, "there", {"c"})
    note_look(connection, "here", {"b"})
    assert looked_at(connection, "here") == {"a", "b"}
    assert looked_at(connection, "there") == {"c"}
    assert looked_at(connection, "elsewhere") == frozenset()
    connection.close()


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
    review = Terminal("review", COLUMNS="200")
    seen = ""
    for _ in range(3):
        seen += review.expect("[e]dit [?]")
        review.press("n")
    review.end()
    reviewed = re.findall(r"(\d) of 3 · 0 applied  ([0-9a-f]{7})(  new)?", seen)
    listed = re.findall(r"^  ([0-9a-f]{7})  ", on_terminal("list", "--all"), re.MULTILINE)
    (new,) = [
        one["id"][:7] for one in invoke("list", "--format", "json").json["suggestions"] if "mock" in one["content"]
    ]
    assert [name for _, name, _ in reviewed] == [new, *(name for name in listed if name != new)]
    assert [bool(mark) for _, _, mark in reviewed] == [True, False, False]


def test_what_is_taken_back_is_not_new(kiln: Path, home: Path) -> None:
    """Who saw a suggestion once, or decided about it, knows it; the order is that from before, too."""
    before = on_terminal("list")
    ids = [one["id"] for one in invoke("list", "--format", "json").json["suggestions"]]
    for decide in (("apply", ids[0], "--yes"), ("dismiss", ids[1])):
        invoke(*decide)
        on_terminal("list")
        invoke("undo")
        assert on_terminal("list") == before
    hear(home, kiln, NEW)
    invoke("reconcile")
    (new,) = [one["id"] for one in invoke("list", "--format", "json").json["suggestions"] if one["id"] not in ids]
    invoke("dismiss", new)
    invoke("undo")
    assert "new since" not in on_terminal("list")


@pytest.mark.parametrize("words", [("show",), ("review",)])
def test_what_was_shown_by_its_id_is_not_new(kiln: Path, home: Path, words: tuple[str, ...]) -> None:
    """`show` on a terminal is a look at one; a review that is broken off is one at what it showed."""
    on_terminal("list")
    hear(home, kiln, NEW)
    invoke("reconcile")
    (new,) = [one["id"] for one in invoke("list", "--format", "json").json["suggestions"] if "mock" in one["content"]]
    looks = Terminal(*words, new, COLUMNS="200")
    if words == ("review",):
        looks.expect("[e]dit [?]")
        looks.answer("\x03")
    looks.end(code=130 if words == ("review",) else 0)
    assert "Nothing new" in on_terminal("reconcile")
