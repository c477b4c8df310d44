"""Folders of a person's own customization files, on each system and by each host's environment variable."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS")
_SERVERS = (".vscode-server", ".vscode-server-insiders")
_MOVED = {".copilot": "COPILOT_HOME", ".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME"}
"""A host's folder in the home, and the variable that moves it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A person's own folders."""

    home: Path
    moved: Mapping[str, Path] = field(default_factory=dict)
    """First name below the home, and the folder that stands for it."""
    prompts: tuple[tuple[Path, str], ...] = ()
    """Folders of editors' profiles for prompts and the like, with their usual path below the home."""
    settings: tuple[Path, ...] = ()
    """The editors' settings files."""

    def folder(self, path: str) -> Path:
        """Return the folder that is usually at this path below the home."""
        first, _, rest = path.partition("/")
        return (self.moved.get(first) or self.home / first) / rest


def moved_folders(environ: Mapping[str, str]) -> dict[str, Path]:
    """Return the hosts' folders that the environment moves away from the home, by their usual name."""
    found = {name: environ.get(variable) for name, variable in _MOVED.items()}
    return {name: Path(value) for name, value in found.items() if value and Path(value).is_absolute()}


def find_home_folders(home: Path, *, environ: Mapping[str, str], platform: str) -> Home:
    """Say where this person's files lie; `platform` is `sys.platform`."""
    moved = moved_folders(environ)
    base, usual = _user_data(home, environ=environ, platform=platform)
    users = [(base / editor / "User", f"{usual}/{editor}/User") for editor in _EDITORS]
    users += [(home / server / "data" / "User", f"{server}/data/User") for server in _SERVERS]
    profiles = [
        (folder, f"{name}/profiles/{folder.name}") for user, name in users for folder in _folders(user / "profiles")
    ]
    return Home(
        home=home,
        moved=moved,
        prompts=tuple((folder / "prompts", f"{name}/prompts") for folder, name in (*users, *profiles)),
        settings=tuple(user / "settings.json" for user, _ in users),
    )


def _user_data(home: Path, *, environ: Mapping[str, str], platform: str) -> tuple[Path, str]:
    if platform == "win32":
        roaming = environ.get("APPDATA")
        return Path(roaming) if roaming else home / "AppData" / "Roaming", "AppData/Roaming"
    if platform == "darwin":
        return home / "Library" / "Application Support", "Library/Application Support"
    config = environ.get("XDG_CONFIG_HOME")
    return Path(config) if config and Path(config).is_absolute() else home / ".config", ".config"


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return []
