"""Who judges is asked once, with one key, on a terminal: what the person sees, and what becomes of each answer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run
from program_kit import CENTS, TYPES, StandIn

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from cli.terminal import Terminal

SECOND = "22222222-aaaa-4bbb-8ccc-222222222222"
ASKS = "use claude? [y,2,3,4,n,?]"


@pytest.fixture
def asked(
    run: Run, home: Path, git_repo: Path, programs: dict[str, StandIn], monkeypatch: pytest.MonkeyPatch
) -> dict[str, StandIn]:
    """A chat that nobody read yet, and all three programs."""
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    (git_repo / "AGENTS.md").write_text("# Shop\n\n## Code\n\n- Build with `make`.\n")
    claude_session(home, git_repo, CENTS)
    assert run("config", "set", "engineOrder", "claude, codex, copilot, haiku")
    return programs


def test_one_key_and_the_first_suggestion(run: Run, home: Path, git_repo: Path, asked: dict[str, StandIn]) -> None:
    """What it is, who sees it, what it costs; no other key answers; then its suggestion, its evidence, and an undo."""
    terminal = Terminal("reconcile")
    shown = terminal.expect(ASKS)
    for said in ("1 chat: claude can judge", "visible to Anthropic", "about 1 question on your account", "2  codex"):
        assert said in shown
    terminal.press("\r")
    terminal.expect(ASKS)
    terminal.press("?")
    assert "What is sent:" in terminal.expect(ASKS)
    assert not asked["claude"].asked
    terminal.press("y")
    said = " ".join(terminal.end().split())
    assert "to undo this, run `memsuggest consent revoke`" in said
    assert "claude engine" in said
    assert run("consent", "show", "--format", "json").json["engine"] == "claude", "it is the one that was chosen"
    claude_session(home, git_repo, TYPES, session=SECOND, day=2)
    assert "use claude?" not in Terminal("reconcile").end()
    assert len(asked["claude"].asked) >= 2
    (cents,) = [one for one in run("list", "--format", "json").json["suggestions"] if "cents" in one["content"]]
    assert CENTS in run("show", cents["id"]).out
    before = (git_repo / "AGENTS.md").read_text()
    run("apply", cents["id"], "--yes")
    assert "cents" in (git_repo / "AGENTS.md").read_text()
    run("undo")
    assert (git_repo / "AGENTS.md").read_text() == before


def test_a_no_is_remembered(run: Run, git_repo: Path, asked: dict[str, StandIn]) -> None:
    """Nobody is asked, neither is the person again, nor is an engine named; one command changes that."""
    terminal = Terminal("reconcile")
    terminal.expect(ASKS)
    terminal.press("n")
    said = " ".join(terminal.end().split())
    assert "`memsuggest consent grant --engine claude`" in said
    assert "could judge" not in said.partition("--engine claude`")[2]
    again = Terminal("reconcile", "--again").end()
    assert "offline engine" in again
    assert "judge" not in again
    run("consent", "grant", "--engine", "claude", "--yes")
    assert "claude engine" in run("reconcile", "--again").out


def test_no_answer_is_asked_again(asked: dict[str, StandIn]) -> None:
    """At the end of input our own rules judge this time, and what they could not judge is counted at the end."""
    terminal = Terminal("reconcile")
    terminal.expect(ASKS)
    terminal.press("\x04")
    said = " ".join(terminal.end().split())
    assert "you will be asked again next time" in said
    assert (
        "`claude` (signed in) could judge these chats better: run `memsuggest reconcile --again --engine claude`"
        in said
    )
    terminal = Terminal("reconcile", "--again")
    terminal.expect(ASKS)
    terminal.press("2")
    assert "codex now judges this workspace's chats" in terminal.expect("to undo")
    assert "codex engine" in terminal.end()
    assert asked["codex"].asked
    assert not asked["claude"].asked


@pytest.mark.parametrize("words", [("--offline",), ("--quiet",), ("--format", "json"), ("--dry-run",)], ids=" ".join)
def test_where_nothing_is_asked(asked: dict[str, StandIn], words: tuple[str, ...]) -> None:
    """Who wants no network, no talk, a report for programs or nothing stored is not asked."""
    assert "use claude?" not in Terminal("reconcile", *words).end()
    assert not any(program.asked for program in asked.values())


def test_machines_are_not_asked(asked: dict[str, StandIn]) -> None:
    """On a terminal of CI nobody is there."""
    assert "use claude?" not in Terminal("reconcile", CI="true").end()


def test_taking_consent_back_is_a_no(run: Run, asked: dict[str, StandIn]) -> None:
    """Who took a consent back is not asked for it by the next run."""
    run("consent", "grant", "--engine", "claude", "--yes")
    run("consent", "revoke")
    assert "use claude?" not in Terminal("reconcile").end()
