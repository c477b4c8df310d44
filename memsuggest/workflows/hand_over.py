"""What a hook does: says at once what waits, or lets a program of its own learn from the finished turn.

Never disturbs an assistant: nothing is raised, nothing is printed but what the assistant reads. The path that a payload
names is not read: the search finds the transcripts of the workspace in the assistants' own places.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.errors import MemsuggestError
from memsuggest.integrations.payloads import answer_at_start, payload_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.workflows.desk import Desk


def answer(raw: bytes, *, run: Callable[[], Desk]) -> str:
    """Return what is printed for a payload; empty in nearly all cases."""
    payload = payload_of(raw)
    if payload is None or not payload.event:
        return ""
    with suppress(OSError, MemsuggestError):
        if payload.cwd:
            os.chdir(Path(payload.cwd))
        desk = run()
        mode = desk.settings.mode
        if payload.event == "SessionStart":
            return _waiting(desk) if payload.begins_session and mode in {Mode.EAGER, Mode.OCCASIONAL} else ""
        if mode is not Mode.OFF:
            _learn_later(desk, payload.event)
    return ""


def _waiting(desk: Desk) -> str:
    from memsuggest.notices.wording import waiting  # noqa: PLC0415
    from memsuggest.workflows.status import read_status  # noqa: PLC0415

    pending = read_status(desk).pending
    return answer_at_start(f"memsuggest: {waiting(pending)} → review with `memsuggest review`") if pending else ""


def _learn_later(desk: Desk, event: str) -> None:
    """Start a program that goes on by itself, unless a watcher sees the turn anyway."""
    from memsuggest.workflows.marks import mark_path, watcher_of  # noqa: PLC0415

    if watcher_of(desk):
        if event == "SessionEnd":
            mark_path(desk, "ended").touch()
        return
    if event != "SessionEnd" and desk.settings.mode is Mode.OCCASIONAL:
        return
    detached = {"creationflags": 0x00000208} if sys.platform == "win32" else {"start_new_session": True}
    subprocess.Popen(
        [sys.executable, "-m", "memsuggest", "--repo", str(desk.root), "--quiet", "watch", "--once"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **detached,
    )
