"""`setup`: what is found, what is offered, what is written, run again, and taken back byte for byte."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, tree
from cli.conftest import Run, commit, git, json_of, refused, write
from program_kit import StandIn

from memsuggest.assistants.assistant_files import SKILL_NAME, SKILL_OF, skill_text
from memsuggest.customizations.frontmatter import parse

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


@pytest.mark.parametrize("listed", [b"", b"# mine\n*.log", b".claude/\n"], ids=["empty", "others", "ignored"])
def test_personal_files_are_not_untracked(
    run: Run, repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch, listed: bytes
) -> None:
    """Git is told to leave them out where it does not already, and `undo` brings its list back."""
    use(home, "claude-code")
    monkeypatch.setenv("PATH", os.defpath)
    commit(repo)
    excludes = repo / ".git/info/exclude"
    excludes.write_bytes(listed)
    assert ".git/info/exclude" in run("setup", "--yes").out or b".claude/" in listed
    assert (repo / ".claude/settings.local.json").exists() and git(repo, "status", "--porcelain") == ""
    assert excludes.read_bytes().startswith(listed)
    run("undo")
    assert excludes.read_bytes() == listed


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
    assert "fix the file by hand" in parts["hooks"]["why"]
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
    assert "to write the parts marked" in outcome.err
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
    asks = "[1-3] on or off [d]iff [y] write selected [q]uit >"
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
    assert "to revert the setup, run `memsuggest undo`" in terminal.end()
    assert (repo / "CLAUDE.md").exists()
    assert not (repo / ".claude").exists()
    terminal = Terminal("setup", "--offline")
    terminal.expect(asks.replace("3", "2"))  # the bridge is there now
    terminal.press("q")
    assert "nothing was written" in terminal.end()


# Our server in the assistants' settings: shown, asked, written, found again and taken back.


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="places of POSIX")


def server(path: Path) -> dict[str, Any]:
    """What a file says of our server."""
    text = path.read_text(encoding="utf-8")
    parsed = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    (servers,) = [value for key, value in parsed.items() if key in ("servers", "mcpServers", "mcp_servers")]
    return dict(servers["memsuggest"])


@pytest.mark.parametrize(
    ("host", "variable", "name"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("copilot-cli", "COPILOT_HOME", "mcp-config.json"),
    ],
)
def test_moved_settings_count(  # noqa: PLR0917
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, variable: str, name: str
) -> None:
    """The entry goes where the assistant looks, and nothing goes where it would be otherwise."""
    monkeypatch.setenv(variable, str(tmp_path / "moved"))
    run("mcp", "install", "--for", host, "--user", "--yes")
    assert server(tmp_path / "moved" / name)["args"] == ["mcp"]
    assert tree(home).keys() <= {name for name in tree(home) if "memsuggest" in name}


def test_nothing_is_written_unasked(run: Run, git_repo: Path, tmp_path: Path) -> None:
    """Without a terminal `--yes` is the answer; wrong names, broken files, others' entries and links change nothing."""
    refused("mcp", "install", "--for", "vscode", says="`memsuggest mcp install --for vscode --yes` to skip")
    refused("mcp", "install", "--for", "emacs", "--yes", says="one of: vscode, claude-code, codex, cursor, copilot-cli")
    run("mcp", "install", code=2)
    for host, name, text, says in (
        ("claude-code", ".mcp.json", '{"mcpServers": 7}', "cannot be changed"),
        ("codex", ".codex/config.toml", "a = [\n", "cannot be changed"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"memsuggest": {"command": "npx"}}}', "another server named"),
    ):
        write(git_repo, {name: text})
        refused("mcp", "install", "--for", host, "--yes", says=says)
        assert (git_repo / name).read_text(encoding="utf-8") == text
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    (git_repo / ".mcp.json").unlink()
    (git_repo / ".mcp.json").symlink_to(other)
    refused("mcp", "install", "--for", "claude-code", "--yes", says="links to another location")
    assert other.read_text(encoding="utf-8") == "{}"
    assert "not installed .mcp.json" in run("mcp", "show").out


def test_the_name_on_the_path_is_written_for_the_team(
    run: Run, git_repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repo's file names the program, the person's own its place."""
    program = tmp_path / "bin/memsuggest"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    run("mcp", "install", "--for", "claude-code", "--yes")
    run("mcp", "install", "--for", "claude-code", "--user", "--yes")
    assert server(git_repo / ".mcp.json")["command"] == "memsuggest"
    assert Path(server(Path(os.environ["HOME"]) / ".claude.json")["command"]).is_absolute()


# `hooks install --skill`: where each assistant reads the skill, whose it is, and that it can be taken back.


SHARED, CLAUDE = f".agents/skills/{SKILL_NAME}/SKILL.md", f".claude/skills/{SKILL_NAME}/SKILL.md"
INSTALL, UNINSTALL = (("hooks", verb, "--skill", "--yes") for verb in ("install", "uninstall"))


def test_the_skill_is_one_that_hosts_accept() -> None:
    """Its name is its folder's, its description is short enough to be offered, and it names both commands."""
    read = parse(skill_text())
    assert not read.errors and read.name == SKILL_NAME
    assert read.description and "reconcile memory" in read.description and len(read.description) <= 1024
    assert "memsuggest ask" in read.body and "memsuggest answer ID" in read.body and "<" not in read.description


@pytest.mark.parametrize("host", [None, *SKILL_OF])
@pytest.mark.parametrize("where", ["repo", "home"])
def test_it_goes_where_the_assistant_reads(run: Run, git_repo: Path, home: Path, host: str | None, where: str) -> None:
    """In the repo or below the home, for one assistant or all, and away again without a trace."""
    base = git_repo if where == "repo" else home
    options = [*(["--for", host] if host else []), *(["--user"] if where == "home" else [])]
    assert "consent grant --engine chat" in run(*INSTALL, *options).err
    expected = {SKILL_OF[host]} if host else {SHARED, CLAUDE}
    assert {name for name in tree(base) if name.endswith("SKILL.md")} == expected
    assert all((base / name).read_text(encoding="utf-8") == skill_text() for name in expected)
    shown = json_of("hooks", "show")["files"]
    names = {f"~/{name}" if where == "home" else name for name in expected}
    assert {name for name, is_there in shown.items() if is_there} == names
    assert "nothing to change" in run(*INSTALL, *options).err
    run(*UNINSTALL, *options)
    assert not any((base / name).exists() for name in (".agents", ".claude"))
    run("undo")
    assert all((base / name).exists() for name in expected)


def test_an_older_one_is_brought_up_to_date_and_another_stays(run: Run, git_repo: Path) -> None:
    """What somebody else wrote under this name is neither overwritten nor taken away."""
    run(*INSTALL)
    path = git_repo / SHARED
    path.write_text(skill_text() + "\nOf an older version.\n", encoding="utf-8")
    run(*INSTALL)
    assert path.read_text(encoding="utf-8") == skill_text()
    path.write_text("---\nname: reconcile-memory\n---\nOurs, by hand.\n", encoding="utf-8")
    refused(*INSTALL, says="a different skill")
    run(*UNINSTALL)
    assert "by hand" in path.read_text(encoding="utf-8") and not (git_repo / CLAUDE).exists()
    refused(*INSTALL, "--for", "emacs", says="codex")
    run("hooks", "install", "--yes", code=2)
    refused(*INSTALL[:3], says="not running in a terminal")


def test_it_is_no_place_for_rules(run: Run, git_repo: Path, home: Path) -> None:
    """Nothing is suggested for it, and a repo that has nothing else is none that keeps to Claude."""
    run(*INSTALL, "--for", "claude-code")
    claude_session(home, git_repo, "From now on never mock the database in tests.")
    (one,) = json_of("reconcile")["suggestions"]
    assert SKILL_NAME not in (one["targetUri"] or one["suggestedFileName"] or "")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
@pytest.mark.parametrize("key", ["y", "n"])
def test_on_a_terminal_consent_is_asked_once(run: Run, git_repo: Path, key: str) -> None:
    """After the diff was agreed to: what would be told is shown, and a yes is remembered for this workspace."""
    from cli.terminal import Terminal

    assert run
    terminal = Terminal(*INSTALL[:3])
    terminal.expect("Write this? [y/N]: ")
    terminal.answer("y\n")
    assert "Its vendor sees" in " ".join(terminal.expect("allow this? [y,n,?]").split())
    terminal.press(key)
    terminal.end()
    assert (git_repo / SHARED).exists()
    assert json_of("consent", "show", "--engine", "chat")["granted"] is (key == "y")
    if key == "y":
        assert "allow this?" not in Terminal(*INSTALL[:3]).end()
