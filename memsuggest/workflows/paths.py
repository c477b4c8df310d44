"""From a target's name to the file it means, confined."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memsuggest.errors import OutsideWorkspace
from memsuggest.files import inside, inside_home, read_exact
from memsuggest.integrations.skills import SKILL_FILES
from memsuggest.suggestions.hooks.hook_file import CLAUDE_FILE

if TYPE_CHECKING:
    from memsuggest.config import Settings
    from memsuggest.workspace import Folders, Machine

HOME = "~/"
HOST = "host:"
"""Before the name of an assistant's own file of hooks, or of our skill: no suggestion can have it, for no target may
hold a colon."""
HOST_FILES = frozenset(
    (
        *(".github/hooks/memsuggest.json", ".claude/settings.json", ".claude/settings.local.json"),
        *("~/.copilot/hooks/memsuggest.json", "~/.claude/settings.json"),
    )
)


class Rooted(Protocol):
    """What paths are confined by: a workspace, with its settings, and the person's folders."""

    @property
    def root(self) -> Path:
        """The workspace's root."""
        ...

    @property
    def folders(self) -> Folders:
        """The person's folders."""
        ...

    @property
    def settings(self) -> Settings:
        """Among them, further folders of targets."""
        ...

    @property
    def machine(self) -> Machine:
        """Its environment says where assistants keep their files."""
        ...


def path_of(context: Rooted, uri: str) -> Path:
    """Return the confined path of a target; raises OutsideWorkspace."""
    if uri.startswith(HOST):
        return _host_path(context, uri.removeprefix(HOST))
    if uri == CLAUDE_FILE:  # no name leads to it: only a hook goes there, its very command confirmed by itself
        return _host_path(context, uri)
    if uri.startswith(HOME):
        return inside_home(context.folders.home, uri, moved=moved_folders(context))
    return inside(context.root, uri, extra_folders=context.settings.texts("targetFolders"))


def _host_path(context: Rooted, name: str) -> Path:
    """Return an assistant's file of hooks, or our skill, which only `hooks` writes.

    A link may not lead out of the repo; one of the person's own may lead to another file below their home (dotfiles).
    """
    if name not in HOST_FILES | SKILL_FILES:
        raise OutsideWorkspace(
            f"`{name[:120]}` is no file of hooks or of our skill", hint="`memsuggest hooks show` lists them"
        )
    own = name.startswith(HOME)
    first, _, rest = name.removeprefix(HOME).partition("/")
    base = moved_folders(context).get(first, context.folders.home / first) if own else context.root / first
    path, within = base / rest, (base, context.folders.home) if own else (context.root,)
    real = Path(os.path.realpath(path))
    is_inside = any(real.is_relative_to(os.path.realpath(folder)) for folder in within)
    if not is_inside or (real.exists() and not real.is_file()):
        raise OutsideWorkspace(f"`{name}` is a link that leads elsewhere", hint="put the file itself there")
    return path


def is_writable(context: Rooted, uri: str) -> bool:
    """Whether a target that was found is one that may be written: not all that hosts read is ours to change."""
    try:
        path_of(context, uri)
    except OutsideWorkspace:
        return False
    return True


def moved_folders(context: Rooted) -> dict[str, Path]:
    """Return where the person's environment puts the assistants' folders, by their usual names."""

    names = {".copilot": "COPILOT_HOME", ".claude": "CLAUDE_CONFIG_DIR"}
    return {
        folder: Path(context.machine.environ[name])
        for folder, name in names.items()
        if context.machine.environ.get(name)
    }


def confine_within(context: Rooted, uri: str) -> Path | None:
    """Return the root that the file must still lie in when it is written; None for the person's own files."""
    return None if uri.startswith((HOME, HOST + HOME)) else context.root


def current_text(context: Rooted, uri: str) -> str | None:
    """Return a target's text as it is now; None when there is no such file. Raises FileError."""
    path = path_of(context, uri)
    return read_exact(path).text if os.path.lexists(path) else None


def missing_folders(path: Path) -> list[Path]:
    """Return the folders above a file that do not exist yet, outermost first."""
    return [folder for folder in reversed(path.parents) if not folder.exists()]
