"""From a target's name to the file it means, confined."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import OutsideWorkspace
from memsuggest.files import inside, inside_home, read_exact

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk

HOME = "~/"


def path_of(desk: Desk, uri: str) -> Path:
    """Return the confined path of a target; raises OutsideWorkspace."""
    if uri.startswith(HOME):
        return inside_home(desk.folders.home, uri, moved=moved_folders(desk))
    return inside(desk.root, uri, extra_folders=desk.settings.texts("targetFolders"))


def is_writable(desk: Desk, uri: str) -> bool:
    """Whether a target that was found is one that may be written: not all that hosts read is ours to change."""
    try:
        path_of(desk, uri)
    except OutsideWorkspace:
        return False
    return True


def moved_folders(desk: Desk) -> dict[str, Path]:
    """Return where the person's environment puts the assistants' folders, by their usual names."""

    names = {".copilot": "COPILOT_HOME", ".claude": "CLAUDE_CONFIG_DIR"}
    return {
        folder: Path(desk.machine.environ[name]) for folder, name in names.items() if desk.machine.environ.get(name)
    }


def confine_within(desk: Desk, uri: str) -> Path | None:
    """Return the root that the file must still lie in when it is written; None for the person's own files."""
    return None if uri.startswith(HOME) else desk.root


def current_text(desk: Desk, uri: str) -> str | None:
    """Return a target's text as it is now; None when there is no such file. Raises FileError."""
    path = path_of(desk, uri)
    return read_exact(path).text if os.path.lexists(path) else None


def missing_folders(path: Path) -> list[Path]:
    """Return the folders above a file that do not exist yet, outermost first."""
    return [folder for folder in reversed(path.parents) if not folder.exists()]
