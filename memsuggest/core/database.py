"""Opening our SQLite files safely: folders and modes, the ledger of migrations, transactions, errors with a hint.

Knows no table but its own ledger. A file that is damaged, foreign or newer than this program is left as it is.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from weakref import WeakSet

from memsuggest.core.errors import StoreError

# The file under a database: whether this process has it open, who may read it, and whether it is all there

ELSEWHERE = "set `MEMSUGGEST_DATA_DIR` or `MEMSUGGEST_STATE_DIR` to use another folder"
DAMAGED = "run `memsuggest memory repair` to recover a profile's readable data, or move the file out of the way"
BACKUP_SUFFIX, ASIDE_SUFFIX = ".backup", ".damaged"
"""Beside a database: its content before the last migration, and before the last repair."""
_HEADER_SIZE = 100  # bytes; https://www.sqlite.org/fileformat.html section 1.3

OPENING = threading.RLock()
"""Held while a file is looked at and opened: two threads may open the same one."""


class Connection(sqlite3.Connection):
    """A connection that is known as long as it is open."""

    file: tuple[int, int] | None = None

    def close(self) -> None:
        super().close()
        self.file = None


_CONNECTIONS: WeakSet[Connection] = WeakSet()


def is_open_here(path: Path) -> bool:
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
        raise StoreError(f"{path} is not a regular file", hint=f"move {path.name} out of the way; {ELSEWHERE}")


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
                f"{copy} cannot be deleted: {why}",
                hint="delete the file yourself; it still contains data you asked memsuggest to forget",
            ) from error


Migration = Callable[[sqlite3.Connection], None]
"""Brings the schema one step on; its name (`m001_initial`) is its identity for ever."""


BUSY_SECONDS = 10.0
_LEDGER = "CREATE TABLE migrations (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"
_HINTS = {
    sqlite3.SQLITE_FULL: "the disk is full; free up some space and try again",
    sqlite3.SQLITE_READONLY: f"the file or its folder is not writable; {ELSEWHERE}",
    sqlite3.SQLITE_CANTOPEN: f"the file or its folder cannot be opened; {ELSEWHERE}",
    sqlite3.SQLITE_IOERR: "the disk reported an error; check the disk and try again",
    sqlite3.SQLITE_BUSY: "another memsuggest process is using the file; try again in a moment",
    sqlite3.SQLITE_LOCKED: "another memsuggest process is using the file; try again in a moment",
    sqlite3.SQLITE_NOTADB: "move the file out of the way to start over, or restore it from a backup",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
}
_USUAL_HINT = f"run the command again; if it fails again, {DAMAGED}"


def open_database(path: Path, migrations: Sequence[Migration], *, read_only: bool = False) -> sqlite3.Connection:
    """Open `path` with every migration applied, creating it if need be.

    The connection is in autocommit mode: write inside `transaction`. With `read_only` it is a copy in memory, so that
    a dry run may write to it and nothing is created or changed. StoreError if that cannot be; the file is untouched.
    """
    with store_errors(path), OPENING:
        require_file(path)
        if not read_only:
            create_privately(path)
            refuse_truncated(path)
        connection = _connected(":memory:") if read_only else _connected(str(path), path)
        try:
            if read_only and path.exists() and path.stat().st_size:
                refuse_truncated(path)
                with closing(_reading(path)) as source:
                    _pending(source, path, migrations)
                    source.backup(connection)
            # Reading comes first: a file that is not ours must not be changed by as much as its journal mode.
            if _pending(connection, path, migrations):
                with transaction(connection):
                    pending = _pending(connection, path, migrations)  # again: another process may have been faster
                    if len(pending) == len(migrations):
                        connection.execute(_LEDGER)
                    elif pending and not read_only:  # a copy in memory needs no backup
                        with closing(_connected(str(path))) as source:
                            copy_to(source, path.with_name(path.name + BACKUP_SUFFIX))
                    for migration in pending:
                        migration(connection)
                        connection.execute("INSERT INTO migrations (name) VALUES (?)", (migration.__name__,))
            if not read_only and _journal_mode(connection) != "wal":  # readers and a writer work side by side
                try:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                except sqlite3.OperationalError:  # busy: the next to open it will; no shared memory: network folders
                    with suppress(sqlite3.OperationalError):
                        connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # what the person deletes is gone from the file, too
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Do everything inside or nothing, as the only writer; inside another transaction, be a part of that one.

    SQLite's own errors come out as StoreError.
    """
    if connection.in_transaction:
        yield connection
        return
    with store_errors(connection):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.OperationalError):  # a full disk has ended it already
                connection.execute("ROLLBACK")
            raise


@contextmanager
def light_transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Do the same, but without waiting for the disk: a power cut may take it back, never half of it.

    For what only costs work to lose. Where there is no write-ahead log it waits like any other.
    """
    with store_errors(connection):
        is_light = not connection.in_transaction and _journal_mode(connection) == "wal"
        if is_light:
            connection.execute("PRAGMA synchronous = NORMAL")
        try:
            with transaction(connection):
                yield connection
        finally:
            if is_light:
                connection.execute("PRAGMA synchronous = FULL")


@contextmanager
def store_errors(where: Path | sqlite3.Connection) -> Iterator[None]:
    """Turn what SQLite or the file system complain about inside into a StoreError that names the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code not in _HINTS and not isinstance(error, sqlite3.OperationalError):
            raise  # a bug of ours: wrong SQL types, a broken constraint
        what = "is damaged" if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT) else "cannot be used"
        raise StoreError(f"{_name(where)} {what}: {error}", hint=_HINTS.get(code, _USUAL_HINT)) from error
    except UnicodeDecodeError as error:  # a flipped byte in a name or a text
        raise StoreError(f"{_name(where)} is damaged: {error.reason}", hint=DAMAGED) from error
    except OSError as error:
        hint = _HINTS[sqlite3.SQLITE_CANTOPEN]
        raise StoreError(f"{_name(where)} cannot be used: {error.strerror or error}", hint=hint) from error


def execute_script(connection: sqlite3.Connection, script: str) -> None:
    """Run several statements inside the current transaction (`executescript` would commit it)."""
    statement = ""
    for line in script.split("\n"):
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
    if statement.strip():
        raise ValueError(f"unfinished SQL: {statement.strip()[:60]}")


def _name(where: Path | sqlite3.Connection) -> str:
    if not isinstance(where, sqlite3.Connection):
        return str(where)
    try:
        return str(where.execute("PRAGMA database_list").fetchone()[2]) or "the in-memory database"
    except sqlite3.Error:
        return "the database"


def _connected(database: str, path: Path | None = None) -> sqlite3.Connection:
    is_uri = database.startswith("file:")
    connection = sqlite3.connect(database, timeout=BUSY_SECONDS, isolation_level=None, uri=is_uri, factory=Connection)
    if path:
        connection.file = _file_at(path)
        _CONNECTIONS.add(connection)
    connection.row_factory = sqlite3.Row
    return connection


def _pending(connection: sqlite3.Connection, path: Path | None, migrations: Sequence[Migration]) -> list[Migration]:
    """List the migrations not applied yet; StoreError for a file that is foreign or newer."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and "migrations" not in tables:
        hint = "choose another file or folder; this one was not changed"
        raise StoreError(f"{path} is another program's database", hint=hint)
    rows = connection.execute("SELECT name FROM migrations ORDER BY position") if tables else ()
    applied = [name for (name,) in rows]
    newer = sorted(set(applied) - {migration.__name__ for migration in migrations})
    if newer:
        hint = "update memsuggest; the file was not changed"
        raise StoreError(f"{path} was written by a newer version of memsuggest (migration {newer[0]})", hint=hint)
    return [migration for migration in migrations if migration.__name__ not in applied]


def _journal_mode(connection: sqlite3.Connection) -> str:
    return str(connection.execute("PRAGMA journal_mode").fetchone()[0])


def open_to_read(path: Path) -> sqlite3.Connection | None:
    """Open a database as it is, for a short look that changes nothing; None where there is none. Raises StoreError."""
    with store_errors(path), OPENING:
        require_file(path)
        return _reading(path) if path.exists() else None


def open_damaged(path: Path, migrations: Sequence[Migration]) -> sqlite3.Connection:
    """Open a database as it is, whatever is broken in it; StoreError for one that is missing, foreign or newer."""
    with store_errors(path), OPENING:
        require_file(path)
        if not path.exists():
            raise StoreError(f"{path} does not exist", hint=ELSEWHERE)
        connection = _connected(str(path), path)
        try:
            _pending(connection, path, migrations)
        except BaseException:
            connection.close()
            raise
        return connection


def copy_to(connection: sqlite3.Connection, path: Path) -> None:
    """Copy a database, page for page, to a file that only its owner can read, in place of what was there."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    with store_errors(unfinished):
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        with closing(_connected(str(unfinished))) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        unfinished.replace(path)


def _reading(path: Path) -> sqlite3.Connection:
    # Plain `mode=ro` leaves the log's files behind. A read-only folder refuses those: there, read the main file alone.
    mode = "rw" if os.access(path.parent, os.W_OK) else "ro&immutable=1"
    connection = _connected(f"{Path(os.path.realpath(path)).as_uri()}?mode={mode}", path)
    connection.execute("PRAGMA query_only = ON")
    return connection
