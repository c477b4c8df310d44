"""Each assistant's files of MCP servers, and our entry in them. Pure, and light: paths are confined by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "memsuggest"
"""What the server is called."""
_SERVERS, _VSCODE, _CODEX = "mcpServers", "servers", "mcp_servers"
_VSCODE_FOLDERS = {"win32": "AppData/Roaming", "darwin": "Library/Application Support"}
"""Below the home; elsewhere it is `.config`. As microsoft/vscode `userDataPath.ts`."""
_HERE = "${workspaceFolder}"


@dataclass(frozen=True, slots=True, kw_only=True)
class McpHost:
    """An assistant's way of MCP servers."""

    project: str
    """Its file in a repo, relative to the root."""
    user: str
    """Its file below the person's home."""
    key: str = _SERVERS
    is_toml: bool = False
    has_type: bool = True
    extra: Mapping[str, object] | None = None
    """What an entry of the person's own file says besides."""
    names_folder: bool = False
    """Whether it starts servers anywhere, so that a repo's entry has to say where."""

    def entry(self, command: str, *, is_user: bool) -> dict[str, object]:
        """Return our entry."""
        folder = ["--repo", _HERE] if self.names_folder and not is_user else []
        kind: dict[str, object] = {"type": "stdio"} if self.has_type else {}
        return {**kind, "command": command, "args": ["mcp", *folder], **((self.extra or {}) if is_user else {})}


def hosts(platform: str) -> dict[str, McpHost]:
    """Return the assistants, by their names, as they are on a system."""
    code = f"{_VSCODE_FOLDERS.get(platform, '.config')}/Code/User/mcp.json"
    return {
        "vscode": McpHost(project=".vscode/mcp.json", user=code, key=_VSCODE, extra={"cwd": _HERE}),
        "claude-code": McpHost(project=".mcp.json", user=".claude.json"),
        "codex": McpHost(
            project=".codex/config.toml", user=".codex/config.toml", key=_CODEX, is_toml=True, has_type=False
        ),
        "cursor": McpHost(project=".cursor/mcp.json", user=".cursor/mcp.json", has_type=False, names_folder=True),
        "copilot-cli": McpHost(project=".mcp.json", user=".copilot/mcp-config.json", extra={"tools": ["*"]}),
    }


MCP_FILES = frozenset(
    name
    for platform in ("linux", "darwin", "win32")
    for host in hosts(platform).values()
    for name in (host.project, f"~/{host.user}")
)
"""The files that may be written."""
