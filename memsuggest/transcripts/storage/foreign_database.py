"""Other programs' SQLite databases: read without leaving anything beside them, or waiting for their owners.

A database with a journal to be replayed is read together with its owner where the owner runs, else from a copy.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.errors import TranscriptError

MAGIC = b"SQLite format 3\0"
VALUE_LIMIT = 32 * 1024 * 1024  # bytes of one value that is read
_BUSY = 2.0  # seconds


class StoredSession(NamedTuple):
    """A session that is no file of its own."""

    id: str
    folder: str
    """Empty where nothing tells it."""
    updated: int
    """Milliseconds since the epoch."""
    messages: int


def is_database(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return path.is_file() and stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading, its rows by name; a TranscriptError for whatever goes wrong meanwhile."""
    try:
        with ExitStack() as stack:
            connection = stack.enter_context(closing(_connected(path, stack)))
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            yield connection
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:  # the last for damaged names of columns
        hint = "close the program that uses the database and try again"
        raise TranscriptError(f"cannot read {path}: {error}", hint=hint) from None


def _connected(path: Path, stack: ExitStack) -> sqlite3.Connection:
    beside = (path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm"))
    has_journal, has_owner = (file.is_file() and file.stat().st_size > 0 for file in beside)
    if not has_journal:
        return _readable(path, "immutable=1")  # a reader of any other kind leaves a `-shm` beside it
    if has_owner:
        try:
            return _readable(path, "mode=ro")
        except sqlite3.OperationalError:
            pass  # its owner has crashed
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memsuggest-")))
    shutil.copyfile(path, folder / "copy")
    shutil.copyfile(f"{path}-wal", folder / "copy-wal")
    return sqlite3.connect(folder / "copy")


def _readable(path: Path, manner: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{manner}", uri=True, timeout=_BUSY)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        connection.close()
        raise
    return connection


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    return frozenset(row["name"] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))
