"""What a line of a list says at a glance, and what stands beside a suggestion wherever it is shown."""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, Shop, facts, id_of, invoke, json_of, refused, session

from memsuggest.cli import _Naming

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
if sys.platform != "win32":
    from cli.terminal import Terminal

UNREAD = "from a chat with Claude Code, which does not read"


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
    terminal = Terminal("review", COLUMNS="80").sees(told, "which is older and not suggested", "Apply?")
    terminal.answer("\x03").end(code=130)
    for words in (("show", older), ("memory", "show", older)):
        out = invoke(*words).out
        assert f"contradicts {newer[:7]}" in out and "which is newer, so this one is not suggested" in out
    invoke("memory", "forget", older)
    assert "contradicts" not in invoke("show", newer).out


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


COMMAND = re.compile(r"`memsuggest ([^`]+)`")


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
