"""The surroundings of a command: the machine, the current folder."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from memsuggest.core.errors import WorkspaceError
from memsuggest.core.workspace import Machine


def this_machine() -> Machine:
    return Machine(environ=os.environ, platform=sys.platform, now=_milliseconds)


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


def current_folder() -> Path:
    """Return the current folder; raises WorkspaceError for one that is gone."""
    try:
        return Path.cwd()
    except OSError as error:
        raise WorkspaceError(
            f"the current folder cannot be used: {error.strerror}", hint="go to an existing folder"
        ) from None
