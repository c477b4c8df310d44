"""Our server in the assistants' settings: shown, asked, written, found again and taken back."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run, refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="places of POSIX")
HOSTS = ("vscode", "claude-code", "codex", "cursor", "copilot-cli")
REPO_FILES = {
    "vscode": ".vscode/mcp.json",
    "claude-code": ".mcp.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "copilot-cli": ".mcp.json",
}
OWN_FILES = {
    "vscode": ".config/Code/User/mcp.json",
    "claude-code": ".claude.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "copilot-cli": ".copilot/mcp-config.json",
}


def server(path: Path) -> dict[str, Any]:
    """What a file says of our server."""
    text = path.read_text(encoding="utf-8")
    parsed = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    (servers,) = [value for key, value in parsed.items() if key in ("servers", "mcpServers", "mcp_servers")]
    return dict(servers["memsuggest"])


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("is_user", [False, True], ids=["repo", "user"])
def test_installed_where_the_assistant_looks(
    run: Run, git_repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch, host: str, is_user: bool
) -> None:
    """The file holds a command that starts our server; `show` finds it; `undo` leaves nothing."""
    monkeypatch.setattr(sys, "platform", "linux")
    path = home / OWN_FILES[host] if is_user else git_repo / REPO_FILES[host]
    more = ["--user"] if is_user else []
    told = run("mcp", "install", "--for", host, *more, "--yes")
    assert "+++ b/" in told.err
    found = server(path)
    assert Path(found["command"]).name == "memsuggest"
    assert found["args"][0] == "mcp"
    name = f"~/{OWN_FILES[host]}" if is_user else REPO_FILES[host]
    assert [key for key, value in run("mcp", "show", "--format", "json").json["files"].items() if value] == [name]
    assert run("mcp", "install", "--for", host, *more, "--yes", "--format", "json").json == {
        "version": 1,
        "path": name,
        "changed": False,
    }
    assert name in run("undo").out
    assert not path.exists()


def test_what_others_wrote_stays(run: Run, git_repo: Path) -> None:
    """Installed and uninstalled, the file is as it was, byte for byte."""
    path = git_repo / ".mcp.json"
    before = b'{\r\n  // ours\r\n  "mcpServers": {"db": {"command": "x"}}\r\n}'
    path.write_bytes(before)
    run("mcp", "install", "--for", "claude-code", "--yes")
    assert b'"memsuggest"' in path.read_bytes()
    run("mcp", "uninstall", "--for", "claude-code", "--yes")
    assert path.read_bytes() == before
    run("undo")
    run("undo")
    assert path.read_bytes() == before


def test_nothing_is_written_unasked(run: Run, git_repo: Path) -> None:
    """Without a terminal `--yes` is the answer; wrong names and broken files change nothing."""
    refused("mcp", "install", "--for", "vscode", says="`memsuggest mcp install --for vscode --yes` to skip")
    refused("mcp", "install", "--for", "emacs", "--yes", says="one of: vscode, claude-code, codex, cursor, copilot-cli")
    run("mcp", "install", code=2)
    for name, text in ((".mcp.json", '{"mcpServers": 7}'), (".codex/config.toml", "a = [\n")):
        path = git_repo / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        host = "codex" if name.endswith("toml") else "claude-code"
        refused("mcp", "install", "--for", host, "--yes", says="cannot be changed")
        assert path.read_text(encoding="utf-8") == text
    assert sorted(one.name for one in git_repo.iterdir()) == [".codex", ".git", ".mcp.json"]


def test_a_server_of_others_with_our_name_stays(run: Run, git_repo: Path) -> None:
    """Nobody's entry is replaced."""
    path = git_repo / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"memsuggest": {"command": "npx"}}}', encoding="utf-8")
    before = path.read_bytes()
    refused("mcp", "install", "--for", "cursor", "--yes", says="another server named `memsuggest`")
    run("mcp", "uninstall", "--for", "cursor", "--yes")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        ("CLAUDE_CONFIG_DIR", ("claude-code", ".claude.json")),
        ("CODEX_HOME", ("codex", "config.toml")),
        ("COPILOT_HOME", ("copilot-cli", "mcp-config.json")),
        ("XDG_CONFIG_HOME", ("vscode", "Code/User/mcp.json")),
    ],
)
def test_moved_settings_are_followed(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, place: tuple[str, str]
) -> None:
    """Where the environment says that an assistant keeps its settings, ours goes there, and nowhere else."""
    host, file = place
    monkeypatch.setenv(variable, str(tmp_path / "moved"))
    monkeypatch.setattr(sys, "platform", "linux")
    run("mcp", "install", "--for", host, "--user", "--yes")
    assert server(tmp_path / "moved" / file)["args"] == ["mcp"]
    assert not (home / OWN_FILES[host]).exists()


def test_a_link_out_of_the_repo_is_not_followed(run: Run, git_repo: Path, tmp_path: Path) -> None:
    """A cloned repo cannot make us write elsewhere."""
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    (git_repo / ".mcp.json").symlink_to(other)
    refused("mcp", "install", "--for", "claude-code", "--yes", says="is a link to another place")
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
