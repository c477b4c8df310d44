"""Watching a workspace: what each mode does when a turn is completed, a session ends or the interval is over.

`off` reads and writes nothing but the settings, which may change. A failure is said once and tried again later.
"""

from __future__ import annotations

import logging
import logging.handlers
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path

from memsuggest.core.config import Mode, Settings
from memsuggest.core.context import Context
from memsuggest.core.errors import FileError, WorkspaceError
from memsuggest.files import lock
from memsuggest.files.folder import make_folders
from memsuggest.files.lock import is_locked, owner_of
from memsuggest.learning.schedule import Audience, Pace, Watch
from memsuggest.learning.watch.watcher import SettingsEye, Watching
from memsuggest.suggestions.marker_files import mark_path

SIZE, KEPT = 256 * 1024, 2  # bytes of one file; older files


class _PrivateLog(logging.handlers.RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return open(descriptor, "a", encoding="utf-8", errors="backslashreplace")  # noqa: PTH123  (a descriptor)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Go on without the line: a full disk must not end the watching."""


@contextmanager
def opened_log(path: Path, *, size: int = SIZE) -> Iterator[Callable[[str], None]]:
    """Yield a function that writes one line; where no log can be written, it writes nothing."""
    handler: logging.Handler = logging.NullHandler()
    with suppress(OSError):
        make_folders(path.parent, mode=0o700)
        handler = _PrivateLog(path, maxBytes=size, backupCount=KEPT, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))

    def note(text: str) -> None:
        row = " ".join(text.split())
        handler.handle(logging.LogRecord("watch", logging.INFO, "", 0, row, None, None))

    try:
        yield note
    finally:
        handler.close()


__all__ = ["Audience", "Pace", "Watch", "watch"]

_PATIENCE = 30.0  # seconds that one catching up waits for another
DISABLED = "memsuggest is off: nothing is read or written; to turn it on, run `memsuggest config set mode occasional`"


def watch(context: Context, asked: Watch) -> None:
    """Follow a workspace until the sign is set; raises WorkspaceError when somebody does already."""
    eye = SettingsEye(context, flags=asked.flags)
    settings: Settings | None = context.settings
    while not asked.sign.is_set():
        if settings is not None and settings.mode is not Mode.OFF:
            fresh = replace(context, settings=settings, opened=ExitStack())
            with ExitStack() as stack:
                stack.callback(fresh.close)
                stack.enter_context(_only_watcher(fresh, is_once=asked.is_once, on_turn=asked.on_turn))
                note = stack.enter_context(opened_log(fresh.state_path.with_name("watch.log")))
                watching = Watching(fresh, asked, eye, note=note)
                stack.callback(watching.close)
                settings = watching.run()
            if asked.is_once:
                return
            continue
        if settings is not None:
            asked.audience.say(DISABLED)
        if asked.is_once:
            return
        while not (eye.sees_change() or asked.sign.wait(asked.pace.settings / 1000)):
            pass
        settings = eye.read(asked.audience.say)


@contextmanager
def _only_watcher(context: Context, *, is_once: bool, on_turn: Callable[[], None]) -> Iterator[None]:
    """Be the only watcher of this working tree; what a killed one, or one of another machine, left is taken over."""
    path = mark_path(context, "watch")
    with ExitStack() as stack:
        try:
            if is_once:  # several hooks at once wait for each other; that they are at work is not watching
                stack.enter_context(lock(mark_path(context, "once"), wait_seconds=_PATIENCE))
                on_turn()
            if not is_once or is_locked(path):
                stack.enter_context(lock(path, wait_seconds=1.0))
        except FileError as error:
            owner = owner_of(path)
            if owner is None:
                raise
            why = f"this workspace is already being watched by process {owner.pid}"
            hint = "to watch from this terminal, stop the other process first"
            raise WorkspaceError(why, hint=hint) from error
        yield
