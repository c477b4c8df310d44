"""What a line of a list says at a glance, and what stands beside a suggestion wherever it is shown."""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, Shop, invoke, refused

from memsuggest.cli import _Naming

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
if sys.platform != "win32":
    from cli.terminal import Terminal

ASKS = "[y,n,d,h,e,m,s,w,k,a,D,x,u,q,?] "
UNREAD = "from a chat with Claude Code, which does not read"
LATER = "33333333-aaaa-4bbb-8ccc-222222222222"


def suggested(words: str) -> str:
    """Return the id of the suggestion that has some words in it."""
    (found,) = [one for one in invoke("list", "--format", "json").json["suggestions"] if words in one["content"]]
    return str(found["id"])


@pytest.fixture
def clash(run: Run, git_repo: Path, home: Path) -> tuple[str, str]:
    """The ids of a rule that waits and of an older one that it contradicts."""
    (git_repo / "AGENTS.md").write_text("# Kiln\n\n## Conventions\n\n- Be brief.\n")
    later = "From now on send dates as ISO strings, never as Unix milliseconds."
    claude_session(home, git_repo, "Always send dates as Unix milliseconds.")
    claude_session(home, git_repo, later, session=LATER, day=2)
    run("reconcile")
    newer = suggested("ISO")
    (older,) = [
        one["id"] for one in run("memory", "list", "--facts", "--format", "json").json["facts"] if one["id"] != newer
    ]
    return newer, older


def test_a_contradiction_stands_beside_the_suggestion(clash: tuple[str, str]) -> None:
    """`show` names the rule that cannot hold beside it, and takes the id of that one, too."""
    newer, older = clash
    assert f"contradicts {older[:7]}  Always send dates as Unix milliseconds." in invoke("show", newer).out
    assert invoke("show", newer, "--format", "json").json["contradictions"][0]["loser"]["id"] == older
    for words in (("show", older), ("memory", "show", older)):
        out = invoke(*words).out
        assert f"contradicts {newer[:7]}" in out and "which is newer, so this one is not suggested" in out
    invoke("memory", "forget", older)
    assert "contradicts" not in invoke("show", newer).out


@pytest.mark.parametrize("words", [("review",), ("apply", "{newer}")])
def test_a_contradiction_is_seen_before_it_is_decided(clash: tuple[str, str], words: tuple[str, ...]) -> None:
    """`review` and `apply` show it before they ask."""
    newer, older = clash
    terminal = Terminal(*(newer if word == "{newer}" else word for word in words), COLUMNS="80")
    shown = terminal.expect("Apply?")
    assert f"contradicts {older[:7]}  Always send dates as Unix milliseconds." in shown
    assert "which is older and not suggested" in shown
    terminal.answer("\x03")
    terminal.end(code=130)


def test_a_new_heading_is_marked(run: Run, git_repo: Path) -> None:
    """Where a heading is written with the rule, every line that says where it goes says so; else none does."""
    (git_repo / "AGENTS.md").write_text("# Kiln\n\nNotes for whoever works here.\n")
    run("remember", "Never log a customer's address.")
    name = suggested("address")
    for words in (("list",), ("show", name), ("apply", name, "--yes")):
        assert "(new heading)" in run(*words).out, words
    run("remember", "Always use pnpm, never npm.")
    assert "(new heading)" not in run("list").out
    assert "› " in run("list").out


@pytest.mark.parametrize(
    ("claude", "is_marked"),
    [
        pytest.param(None, True, id="no file of its own"),
        pytest.param("@AGENTS.md\n", False, id="takes it in"),
        pytest.param("link", False, id="a link"),
    ],
)
def test_a_file_that_the_assistant_does_not_read_is_marked(
    run: Run, git_repo: Path, home: Path, claude: str | None, is_marked: bool
) -> None:
    """A rule said to Claude Code that goes to AGENTS.md alone is marked in the list, until Claude Code reads that."""
    (git_repo / "AGENTS.md").write_text("# Kiln\n\n## Conventions\n\n- Write dates as year, month, day.\n" * 3)
    (git_repo / ".github").mkdir()
    (git_repo / ".github/copilot-instructions.md").write_text("# Kiln\n\nSee AGENTS.md.\n")
    if claude == "link":
        (git_repo / "CLAUDE.md").symlink_to("AGENTS.md")
    elif claude:
        (git_repo / "CLAUDE.md").write_text(claude)
    subprocess.run(["git", "-C", str(git_repo), "add", "-A"], check=True)
    claude_session(home, git_repo, "Never write dates as day, month, year.")
    run("reconcile")
    (one,) = run("list", "--format", "json").json["suggestions"]
    if one["targetUri"] == "AGENTS.md":
        assert (UNREAD in run("list").out) == is_marked
    else:
        assert one["targetUri"] == "CLAUDE.md" and not is_marked


def test_no_second_file_beside_one_that_was_refused(run: Run, git_repo: Path, home: Path) -> None:
    """A preference dismissed for the person's own file is not offered in another like it: it waits nowhere."""
    own = home / ".copilot/instructions/personal.instructions.md"
    own.parent.mkdir(parents=True)
    own.write_text('---\napplyTo: "**"\n---\n\n# Personal\n\n- Show a command before you run it.\n')
    run("remember", "--user", "Answer in British English.")
    name = suggested("British")
    assert "personal.instructions.md" in run("list").out
    out = run("dismiss", "--here", name).out
    assert "no other file fits" in out
    assert run("list", "--format", "json").json["suggestions"] == []
    run("undo")
    assert suggested("British") == name


def test_the_title_is_the_line_that_is_written(shop: Shop) -> None:
    """In `list`, `show` and the diff a rule has one wording."""
    for one in invoke("list", "--format", "json").json["suggestions"]:
        if one["executable"]:
            continue
        (line,) = [row for row in one["diff"].splitlines() if row.startswith("+- ")]
        title = re.search(rf"^  {one['id'][:7]}  (.*)$", invoke("list").out, re.MULTILINE)
        assert title and title[1] == line.removeprefix("+- ")
        assert invoke("show", one["id"]).out.startswith(f"{one['id'][:7]}  {title[1]}\n")


COMMAND = re.compile(r"`memsuggest ([^`]+)`")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("apply", "{mock}"), id="apply"),
        pytest.param(("apply", "{mock}", "{pnpm}"), id="apply two"),
        pytest.param(("apply", "--all"), id="apply all"),
        pytest.param(("apply", "--similar", "{mock}"), id="apply similar"),
        pytest.param(("hooks", "install", "--for", "claude-code", "--user"), id="hooks"),
        pytest.param(("hooks", "install", "--skill"), id="skill"),
        pytest.param(("consent", "grant", "--engine", "chat"), id="consent"),
    ],
)
def test_a_hint_can_be_typed(shop: Shop, words: tuple[str, ...]) -> None:
    """Without a terminal, the command in the hint does what was asked for."""
    known = {"{mock}": shop.id_of("mock"), "{pnpm}": shop.id_of("pnpm")}
    hint = refused(*(known.get(word, word) for word in words)).partition("hint: ")[2]
    commands = COMMAND.findall(hint)
    assert commands, hint
    for command in commands:
        invoke(*command.split())
    assert "--yes" in commands[-1]


def test_no_hint_says_yes_to_what_yes_cannot_do(shop: Shop) -> None:
    """What runs a command needs a terminal, and an editor, too; the hint says what works."""
    hook, mock = shop.id_of("ruff"), shop.id_of("mock")
    assert "--yes" not in refused("apply", hook, says=f"`memsuggest apply {hook[:7]}` in a terminal")
    hint = refused("edit", mock, says=f"`memsuggest memory edit {mock} --content")
    assert "--yes" not in hint
    invoke("memory", "edit", mock, "--content", "Never fake the database in tests.")
    assert shop.id_of("fake") == mock
    assert "--yes" not in refused("edit", hook)


@pytest.mark.parametrize(
    "words", [("list",), ("show", "{mock}"), ("list", "--maybe"), ("undo", "--list"), ("memory", "list", "--facts")]
)
def test_lines_break_between_words(shop: Shop, words: tuple[str, ...]) -> None:
    """At 60 columns nothing is longer, and no word is cut."""
    name = shop.id_of("mock")
    invoke("remember", "Name every migration after the table that it changes, followed by what it does to that table.")
    given = [name if word == "{mock}" else word for word in words]
    known = set(invoke(*given).out.split())
    seen = Terminal(*given, COLUMNS="60").end()
    assert max(map(len, seen.splitlines())) <= 60, seen
    shown = seen.partition("`memsuggest apply")[0]  # what comes next is said on a terminal alone
    assert {word for word in set(shown.split()) - known if len(word) < 50} <= {"just", "now"}, seen


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


def test_a_no_is_answered(shop: Shop) -> None:
    """Who says no to a diff is told that nothing was written."""
    terminal = Terminal("apply", shop.id_of("mock"))
    terminal.expect("[q]uit [?] ")
    terminal.answer("n")
    assert "nothing was applied" in terminal.end()
