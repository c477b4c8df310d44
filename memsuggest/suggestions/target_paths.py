"""From a target's name to the file it means, confined."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from memsuggest.assistants.assistant_files import MCP_FILES, SKILL_FILES
from memsuggest.core.config import Settings
from memsuggest.core.errors import OutsideWorkspace
from memsuggest.core.workspace import Folders, Machine
from memsuggest.files import inside, inside_home, read_exact
from memsuggest.files.target_names import CLAUDE_SETTINGS

HOME = "~/"
HOST = "host:"
"""Before the name of an assistant's own file of hooks, or of our skill: no suggestion can have it, for no target may
hold a colon."""
GIT_EXCLUDES = ".git/info/exclude"
"""What git ignores in this clone alone: `setup` adds the personal files that it makes in the repo."""
HOST_FILES = frozenset(
    (
        *(".github/hooks/memsuggest.json", ".claude/settings.json", ".claude/settings.local.json"),
        *("~/.copilot/hooks/memsuggest.json", "~/.claude/settings.json"),
    )
)


_MOVED = {".copilot": "COPILOT_HOME", ".claude": "CLAUDE_CONFIG_DIR"}
_MOVED_SETTINGS = {".codex": "CODEX_HOME", ".config": "XDG_CONFIG_HOME", "AppData/Roaming": "APPDATA"}
"""The variables that put the assistants' folders elsewhere, and folders that hold settings alone."""


class Rooted(Protocol):
    """The confines of paths, as a context has them."""

    @property
    def root(self) -> Path: ...
    @property
    def folders(self) -> Folders: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def machine(self) -> Machine: ...


def path_of(context: Rooted, uri: str) -> Path:
    """Return the confined path of a target; raises OutsideWorkspace."""
    if uri.startswith(HOST):
        return _host_path(context, uri.removeprefix(HOST))
    if uri == CLAUDE_SETTINGS:  # no name leads to it: only a hook goes there, its very command confirmed by itself
        return _host_path(context, uri)
    if uri.startswith(HOME):
        return inside_home(context.folders.home, uri, moved=moved_folders(context))
    return inside(context.root, uri, extra_folders=context.settings.texts("targetFolders"))


def _host_path(context: Rooted, name: str) -> Path:
    """Return an assistant's file of hooks or of MCP servers, our skill, or git's own excludes.

    Only `hooks`, `mcp` and `setup` write them.

    A link may not lead out of the repo; one of the person's own may lead to another file below their home (dotfiles).
    """
    if name not in HOST_FILES | SKILL_FILES | MCP_FILES | {GIT_EXCLUDES}:
        raise OutsideWorkspace(
            f"`{name[:120]}` is not a hooks file, an MCP server file or the memsuggest skill",
            hint="see `memsuggest hooks show` and `memsuggest mcp show`",
        )
    own = name.startswith(HOME)
    path, base = context.root / name, context.root
    if own:
        usual, home = name.removeprefix(HOME), context.folders.home
        path, base = home / usual, home
        moved = moved_folders(context, _MOVED | _MOVED_SETTINGS)
        if claude := moved.get(".claude"):
            moved[".claude.json"] = claude / ".claude.json"
        for folder, place in moved.items():
            if usual == folder or usual.startswith(f"{folder}/"):
                path = place / usual.removeprefix(folder).lstrip("/")
                base = place.parent if usual == folder else place
    within = (base, context.folders.home) if own else (base,)
    real = Path(os.path.realpath(path))
    is_inside = any(real.is_relative_to(os.path.realpath(folder)) for folder in within)
    if not is_inside or (real.exists() and not real.is_file()):
        raise OutsideWorkspace(f"`{name}` links to another location", hint="replace the link with a regular file")
    return path


def is_writable(context: Rooted, uri: str) -> bool:
    """Tell whether a target that was found is one that may be written: not all that hosts read is ours to change."""
    try:
        path_of(context, uri)
    except OutsideWorkspace:
        return False
    return True


def moved_folders(context: Rooted, names: Mapping[str, str] = _MOVED) -> dict[str, Path]:
    """Return where the person's environment puts the assistants' folders, by their usual names."""
    environ = context.machine.environ
    return {usual: Path(environ[name]) for usual, name in names.items() if environ.get(name)}


def confine_within(context: Rooted, uri: str) -> Path | None:
    """Return the root that the file must still lie in when it is written; None for the person's own files."""
    if uri == HOST + GIT_EXCLUDES:  # other files of git may not be written
        return context.root / ".git"
    return None if uri.startswith((HOME, HOST + HOME)) else context.root


def current_text(context: Rooted, uri: str) -> str | None:
    """Return a target's text as it is now; None when there is no such file. Raises FileError."""
    path = path_of(context, uri)
    return read_exact(path).text if os.path.lexists(path) else None


def missing_folders(path: Path) -> list[Path]:
    return [folder for folder in reversed(path.parents) if not folder.exists()]


def below_root(context: Rooted, path: Path) -> str:
    """Return a file as git names it, from the root; one that lies elsewhere, whole."""
    place = Path(os.path.abspath(path))  # noqa: PTH100  (links keep their own name, as in git)
    return place.relative_to(context.root).as_posix() if place.is_relative_to(context.root) else place.as_posix()
