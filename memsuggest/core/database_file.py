"""The file under a database: whether this process has it open, who may read it, and whether it is all there.

Nothing else of a process may open what SQLite has open: POSIX takes all of a process's locks on a file away when any
descriptor of it is closed, also one that SQLite knows nothing of. Another process would then take our connection for
closed and delete the log that it writes to: https://www.sqlite.org/howtocorrupt.html section 2.2.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import TYPE_CHECKING
from weakref import WeakSet

from memsuggest.core.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

ELSEWHERE = "set `MEMSUGGEST_DATA_DIR` or `MEMSUGGEST_STATE_DIR` to use another folder"
DAMAGED = "run `memsuggest memory repair` to save what is still readable in a profile, or move the file away"
BACKUP_SUFFIX, ASIDE_SUFFIX = ".backup", ".damaged"
"""Beside a database: its content before the last migration, and before the last repair."""
_HEADER_SIZE = 100  # bytes; https://www.sqlite.org/fileformat.html section 1.3

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
    return file is not None and any(connection.file == file for connection in list(_CONNECTIONS))


def _file_at(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def require_file(path: Path) -> None:
    """Raise StoreError where something else than a file has the name: SQLite would wait for a pipe for ever."""
    if os.path.lexists(path) and not path.is_file():
        raise StoreError(f"{path} cannot be used: not a regular file", hint=f"move it out of the way; {ELSEWHERE}")


def create_privately(path: Path) -> None:
    """Create a database's file and its folders for the owner alone; a file that others may read is theirs no more."""
    missing = [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    if not is_open_here(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600))
    mode = path.stat().st_mode
    if mode & 0o077 and os.name == "posix":
        path.chmod(0o600)


def refuse_truncated(path: Path) -> None:
    """Raise StoreError for a file shorter than its header says: SQLite may notice only after writing to it."""
    size = path.stat().st_size
    logs = [path.with_name(path.name + suffix) for suffix in ("-wal", "-journal")]
    if not size or is_open_here(path) or any(log.exists() and log.stat().st_size for log in logs):
        return  # fresh; or looked at before; or SQLite repairs it from its log first
    with path.open("rb") as file:
        header = file.read(_HEADER_SIZE)
    page_size = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    is_count_valid = header[24:28] == header[92:96]
    if size < _HEADER_SIZE or (is_count_valid and size < pages * (65536 if page_size == 1 else page_size)):
        raise StoreError(f"{path} is damaged: the file is truncated", hint=DAMAGED)


def delete_copies(path: Path) -> None:
    """Delete the copies beside a database: what is forgotten in it is forgotten there, too. Raises StoreError."""
    for suffix in (BACKUP_SUFFIX, ASIDE_SUFFIX):
        copy = path.with_name(path.name + suffix)
        try:
            copy.unlink(missing_ok=True)
        except OSError as error:
            why = error.strerror or error
            raise StoreError(
                f"{copy} cannot be deleted: {why}", hint="delete it yourself: it still contains forgotten data"
            ) from error
