"""Our server in the assistants' settings: shown, asked, written, found again and taken back."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run, json_of, refused, write

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


MOVED = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME", "copilot-cli": "COPILOT_HOME"}


@pytest.mark.parametrize("host", HOSTS)
def test_installed_where_the_assistant_looks(
    run: Run, git_repo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """The file holds a command that starts our server; `show` finds it; `undo` leaves nothing; moved settings count."""
    monkeypatch.setattr(sys, "platform", "linux")
    for more in ([], ["--user"]):
        name = f"~/{OWN_FILES[host]}" if more else REPO_FILES[host]
        path = home / OWN_FILES[host] if more else git_repo / name
        install = ("mcp", "install", "--for", host, *more, "--yes")
        assert "+++ b/" in run(*install).err
        found = server(path)
        assert Path(found["command"]).name == "memsuggest" and found["args"][0] == "mcp"
        assert [key for key, value in json_of("mcp", "show")["files"].items() if value] == [name]
        assert json_of(*install) == {"version": 1, "path": name, "changed": False}
        assert name in run("undo").out
        assert not path.exists()
    if variable := MOVED.get(host):
        monkeypatch.setenv(variable, str(tmp_path / "moved"))
        run(*install)
        assert server(tmp_path / "moved" / Path(OWN_FILES[host]).name)["args"] == ["mcp"]
        assert not path.exists()


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
