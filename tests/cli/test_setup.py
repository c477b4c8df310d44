"""`setup`: what is found, what is offered, what is written, run again, and taken back byte for byte."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run, json_of, refused, write
from program_kit import StandIn

FOLDERS = {
    "claude-code": ".claude",
    "codex": ".codex",
    "copilot-cli": ".copilot",
    "vscode": ".config/Code/User",
    "gemini": ".gemini",
    "cursor": ".cursor",
}
WRITES = {
    "claude-code": {"repo/.claude/settings.local.json", "repo/CLAUDE.md", "home/.claude.json"},
    "codex": {"home/.codex/config.toml"},
    "copilot-cli": {"home/.copilot/hooks/memsuggest.json", "home/.copilot/mcp-config.json"},
    "vscode": {"home/.copilot/hooks/memsuggest.json", "home/.config/Code/User/mcp.json"},
    "gemini": {"repo/GEMINI.md"},
    "cursor": {"home/.cursor/mcp.json"},
}


@pytest.fixture(autouse=True)
def _no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.platform", "linux")


@pytest.fixture
def repo(git_repo: Path) -> Path:
    (git_repo / "AGENTS.md").write_text("# Shop\n", encoding="utf-8")
    return git_repo


def files(repo: Path, home: Path) -> dict[str, bytes]:
    """Every file of the repo and the home but our own."""
    found = {f"repo/{name}": text for name, text in tree(repo).items()}
    found |= {f"home/{name}": text for name, text in tree(home).items()}
    return {name: text for name, text in found.items() if "/memsuggest/" not in name or "/hooks/" in name}


def use(home: Path, name: str) -> None:
    """Leave what an assistant leaves that was started once."""
    folder = home / FOLDERS[name]
    folder.mkdir(parents=True)
    (folder / "history").write_text("", encoding="utf-8")


@pytest.mark.parametrize("name", FOLDERS)
def test_each_assistant_by_itself(run: Run, repo: Path, home: Path, name: str) -> None:
    """Found by its folder; all that it can have is written; again, all is there; undone, nothing is left."""
    use(home, name)
    before = files(repo, home)
    seen = run("setup", "--format", "json").json
    assert [one["name"] for one in seen["assistants"]] == [name]
    assert files(repo, home) == before
    done = run("setup", "--yes", "--mcp", "--bridge", "--format", "json")
    assert done.json["written"]
    written = set(files(repo, home)) - set(before)
    assert written == WRITES[name]
    assert done.err.count("new file mode") == len(written)
    again = run("setup", "--yes", "--mcp", "--bridge", "--format", "json")
    assert {part["state"] for part in again.json["parts"]} == {"there"}
    assert again.err == ""
    run("undo")
    assert files(repo, home) == before


def test_what_others_wrote_stays(run: Run, repo: Path, home: Path) -> None:
    """A broken file is named with what is wrong, entries join a sound one; one `undo` restores all to the byte."""
    use(home, "claude-code")
    write(repo, {".claude/settings.local.json": '{"hooks": [', "CLAUDE.md": "Be brief."})
    write(home, {".claude.json": '{"a": 1, "mcpServers": {"db": {"command": "x"}}}'})
    before = files(repo, home)
    parts = {part["kind"]: part for part in json_of("setup", "--yes", "--mcp", "--bridge")["parts"]}
    assert {kind: part["state"] for kind, part in parts.items()} == {
        "hooks": "broken",
        "mcp": "offered",
        "bridge": "offered",
    }
    assert "fix it by hand" in parts["hooks"]["why"]
    now = files(repo, home)
    assert now["repo/.claude/settings.local.json"] == b'{"hooks": ['
    assert json.loads(now["home/.claude.json"])["mcpServers"].keys() == {"db", "memsuggest"}
    assert now["repo/CLAUDE.md"] == b"Be brief.\n\n@AGENTS.md\n"
    run("undo")
    assert files(repo, home) == before


def test_without_a_terminal_it_only_shows(run: Run, repo: Path, home: Path) -> None:
    """The screen, and the command that writes it; an engine that is not here is refused, another assistant, too."""
    assert "no supported assistant found" in (none := run("setup", "--yes").out)
    assert "`memsuggest setup --for NAME`" in none and set(files(repo, home)) == {"repo/AGENTS.md"}
    refused("setup", "--for", "emacs", "--yes", says="one of: claude-code, codex")
    use(home, "claude-code")
    outcome = run("setup")
    assert "[x]    hooks for Claude Code" in outcome.out
    assert "`memsuggest setup --yes` writes the parts marked" in outcome.err
    refused("setup", "--yes", "--engine", "codex", says="`codex` is not available here")
    run("setup", "--yes")
    assert not (repo / "CLAUDE.md").exists(), "the team's files are not touched where it has no chats"
    claude_session(home, repo, "hello")
    run("setup", "--yes")
    assert (repo / "CLAUDE.md").read_bytes() == b"@AGENTS.md\n"


def test_an_engine_is_agreed_to_and_taken_back(run: Run, repo: Path, home: Path, programs: dict[str, StandIn]) -> None:
    """Consent is given with the rest, nothing is asked yet, and `undo` leaves no word of it."""
    claude_session(home, repo, "hello")
    consents = home / ".config/memsuggest"
    run("setup", "--yes", "--engine", "claude")
    assert run("consent", "show", "--format", "json").json["granted"]
    assert not programs["claude"].asked
    run("undo")
    assert not run("consent", "show", "--format", "json").json["granted"]
    assert not list(consents.glob("consent*.json"))


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_with_single_keys(run: Run, repo: Path, home: Path) -> None:
    """Parts are switched by their keys, the diff is shown by another, and only `y` writes."""
    from cli.terminal import Terminal

    use(home, "claude-code")
    terminal = Terminal("setup", "--offline")
    asks = "write selected [q]uit >"
    assert "1 [x]    hooks" in terminal.expect(asks)
    terminal.press("3")
    assert "3 [x]    bridge" in terminal.expect(asks)
    terminal.press("1")
    assert "1 [ ]    hooks" in terminal.expect(asks)
    terminal.press("d")
    shown = terminal.expect(asks)
    assert "+@AGENTS.md" in shown and "settings.local.json b/" not in shown
    assert not (repo / "CLAUDE.md").exists()
    terminal.press("y")  # what it writes was shown just now
    assert "to revert all of it, run `memsuggest undo`" in terminal.end()
    assert (repo / "CLAUDE.md").exists()
    assert not (repo / ".claude").exists()
    terminal = Terminal("setup", "--offline")
    terminal.expect(asks)
    terminal.press("q")
    assert "nothing was written" in terminal.end()
