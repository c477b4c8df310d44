"""The index of the customization files: what was made of each file's text, kept until the text is another one.

Whoever needs a file's sections, lines or words asks here, by the file's name and its content's digest, so that a run
reads files but parses only those that changed. It holds nothing that cannot be made again: deleting it costs one slow
run, and what is damaged is made anew.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import crc32

import orjson

from memsuggest import __version__
from memsuggest.database import light_transaction, open_database, open_to_read
from memsuggest.errors import StoreError
from memsuggest.identity import hash_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path
    from typing import Any, Protocol

    class Keep(Protocol):
        """Returns what was made of a file before, else makes it now."""

        def __call__(self, part: str, uri: str, digest: str, make: Callable[[], Any], /) -> Any:
            """Return JSON values: those that were kept, or what `make` returns."""


FORM = 1
"""To be raised when something else is made of the same text."""
_CHECKSUM = 4  # bytes


def made_anew(_part: str, _uri: str, _digest: str, make: Callable[[], Any], /) -> Any:
    """Keep nothing."""
    return make()


def kept_m001(connection: sqlite3.Connection) -> None:
    """Create the table."""
    connection.execute(
        "CREATE TABLE kept (worktree TEXT NOT NULL, uri TEXT NOT NULL, part TEXT NOT NULL, key TEXT NOT NULL,"
        " told BLOB NOT NULL, PRIMARY KEY (worktree, uri, part))"
    )


class KeptIndex:
    """The index of one working tree's files, in a database of its own."""

    def __init__(self, path: Path, *, worktree: str, read_only: bool = False) -> None:
        self._path = path
        self._worktree = worktree
        self._read_only = read_only
        self._made: dict[tuple[str, str], tuple[str, bytes]] = {}
        self._connection = self._opened()

    def of(self, part: str, uri: str, digest: str, make: Callable[[], Any], /) -> Any:
        """Return what was made of a file's content, or make it and keep it; both as JSON has it."""
        key = hash_of(__version__, str(FORM), digest)
        told = self._told(part, uri, key)
        if told is None:
            made = make()
            try:
                told = orjson.dumps(made)
            except TypeError:  # a text with half a character, as some file systems let names have
                return json.loads(json.dumps(made))
            self._made[uri, part] = (key, told)
        return orjson.loads(told)

    def save(self) -> None:
        """Write down what was made; where that cannot be, the next run makes it again."""
        if self._connection is None or self._read_only or not self._made:
            return
        rows = [(self._worktree, uri, part, key, _sealed(key, told)) for (uri, part), (key, told) in self._made.items()]
        with suppress(StoreError), light_transaction(self._connection):
            self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", rows)
        self._made.clear()

    def drop_others(self, uris: Collection[str]) -> None:
        """Let go of files that are there no more."""
        if self._connection is None or self._read_only:
            return
        with suppress(StoreError, sqlite3.DatabaseError):
            known = self._connection.execute("SELECT DISTINCT uri FROM kept WHERE worktree = ?", (self._worktree,))
            gone = [(self._worktree, uri) for (uri,) in known if uri not in uris]
            if gone:
                with light_transaction(self._connection):
                    self._connection.executemany("DELETE FROM kept WHERE worktree = ? AND uri = ?", gone)

    def close(self) -> None:
        """Write down what was made, and let go of the file."""
        self.save()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _told(self, part: str, uri: str, key: str) -> bytes | None:
        known = self._made.get((uri, part))
        if known is not None:
            return known[1] if known[0] == key else None
        if self._connection is None:
            return None
        try:
            row = self._connection.execute(
                "SELECT key, told FROM kept WHERE worktree = ? AND uri = ? AND part = ?", (self._worktree, uri, part)
            ).fetchone()
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            self._begin_anew()
            return None
        return _unsealed(key, row[1]) if row is not None and row[0] == key else None

    def _opened(self) -> sqlite3.Connection | None:
        try:
            if self._read_only:
                return open_to_read(self._path)
            return open_database(self._path, [kept_m001])
        except StoreError as error:
            return None if self._read_only or _is_busy(error) else self._reopened()

    def _begin_anew(self) -> None:
        """Put a damaged file away: nothing in it is worth mending."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None if self._read_only else self._reopened()

    def _reopened(self) -> sqlite3.Connection | None:
        with suppress(OSError, StoreError):
            for suffix in ("-wal", "-shm", ""):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            return open_database(self._path, [kept_m001])
        return None


def _is_busy(error: StoreError) -> bool:
    code = getattr(error.__cause__, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _sealed(key: str, told: bytes) -> bytes:
    return crc32(told, crc32(key.encode())).to_bytes(_CHECKSUM, "big") + told


def _unsealed(key: str, sealed: object) -> bytes | None:
    """Return what was kept as it was; None where some of it is damaged."""
    if not isinstance(sealed, bytes):
        return None
    told = sealed[_CHECKSUM:]
    return told if sealed == _sealed(key, told) else None
