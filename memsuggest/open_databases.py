"""The SQLite files that this process has open, so that nothing else of it opens them meanwhile.

POSIX takes all of a process's locks on a file away when any descriptor of it is closed, also one that SQLite knows
nothing of. Another process would then take our connection for closed and delete the log that it writes to:
https://www.sqlite.org/howtocorrupt.html section 2.2.
"""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING
from weakref import WeakSet

if TYPE_CHECKING:
    from pathlib import Path

OPENING = threading.RLock()
"""Held while a file is looked at and opened: two threads may open the same one."""


class Connection(sqlite3.Connection):
    """A connection that is known as long as it is open."""

    file: tuple[int, int] | None = None
    """Device and number of its file."""

    def close(self) -> None:
        """Let go of the file."""
        super().close()
        self.file = None


_CONNECTIONS: WeakSet[Connection] = WeakSet()


def note_open(connection: Connection, path: Path) -> None:
    """Remember that a connection has a file open."""
    connection.file = _file_at(path)
    _CONNECTIONS.add(connection)


def is_open_here(path: Path) -> bool:
    """Tell whether this process has the file open by SQLite."""
    file = _file_at(path)
    return file is not None and any(one.file == file for one in list(_CONNECTIONS))


def _file_at(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
