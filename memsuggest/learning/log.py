"""The log of a program that runs for days: lines with times, three files at most, nobody else's to read."""

from __future__ import annotations

import logging
import logging.handlers
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from memsuggest.files.folder import make_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import TextIOWrapper
    from pathlib import Path

SIZE = 256 * 1024  # bytes of one file
KEPT = 2  # older files


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
