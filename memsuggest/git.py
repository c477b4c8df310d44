"""Running git in a repo that may be hostile: no hooks, no monitors, no filters, no prompts, never a shell."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# SECURITY.md T33: what a repo's own configuration could otherwise make git run.
_SAFE = ("-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false", "--no-optional-locks")
_SECONDS = 20


def run_git(root: Path, *arguments: str, accept: tuple[int, ...] = (0,)) -> bytes | None:
    """Return what git prints; None where git is missing, hangs, or ends with a code that is not accepted."""
    environ = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *_SAFE, "-C", str(root), *arguments],
            capture_output=True,
            check=False,
            env=environ,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode in accept else None
