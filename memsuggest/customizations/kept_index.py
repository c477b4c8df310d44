"""The index of the customization files: what was made of each file's text, kept until the text is another one.

Whoever needs a file's sections, lines or words asks here, by the file's name and its content's digest, so that a run
reads files but parses only those that changed. It holds nothing that cannot be made again: deleting it costs one slow
run, and what is damaged is made anew.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson

from memsuggest import __version__
from memsuggest.core.database import light_transaction, open_database, open_to_read, store_errors
from memsuggest.core.errors import StoreError
from memsuggest.core.identity import hash_of

Keep = Callable[[str, str, str, Callable[[], Any]], Any]
"""Returns JSON values for a part, a file and its digest: what was made before, else what the function makes now."""
FORM = 1
"""To be raised when something else is made of the same text."""
_CHECKSUM = 4  # bytes


def made_anew(_part: str, _uri: str, _digest: str, make: Callable[[], Any], /) -> Any:
    """Keep nothing."""
    return make()


def kept_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE kept (worktree TEXT NOT NULL, part TEXT NOT NULL, uri TEXT NOT NULL, key TEXT NOT NULL,"
        " told BLOB NOT NULL, PRIMARY KEY (worktree, part, uri))"
    )


class KeptIndex:
    """The index of one working tree's files, in a database of its own, which is open only while it is asked."""

    def __init__(self, path: Path, *, worktree: str, read_only: bool = False) -> None:
        self._path = path
        self._worktree = worktree
        self._read_only = read_only
        self._known: dict[str, dict[str, tuple[str, object]]] = {}
        """By part and file, for which content something was kept, and what."""
        self._made: dict[tuple[str, str], tuple[str, bytes]] = {}

    def of(self, part: str, uri: str, digest: str, make: Callable[[], Any], /) -> Any:
        """Return what was made of a file's content, or make it and keep it; both as JSON has it."""
        key = hash_of(__version__, str(FORM), digest)
        made_of, content = self._made.get((part, uri), ("", b""))
        if made_of == key:
            return orjson.loads(content)
        known, sealed = self._kept_of(part).get(uri, ("", None))
        if known == key and isinstance(sealed, bytes) and sealed == _sealed(key, sealed[_CHECKSUM:]):
            return orjson.loads(sealed[_CHECKSUM:])
        made = make()  # nothing was kept, or some of it is damaged
        try:
            content = orjson.dumps(made)
        except TypeError:  # half a character, as some file systems let names have
            return json.loads(json.dumps(made))
        self._made[part, uri] = (key, content)
        return orjson.loads(content)

    def save(self) -> None:
        """Write down what was made; where that cannot be, the next run makes it again."""
        if not self._is_closed and self._made:
            made, self._made, self._known = self._made, {}, {}
            rows = [(self._worktree, *where, key, _sealed(key, content)) for where, (key, content) in made.items()]
            self._write("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", rows)

    def drop_others(self, uris: Collection[str]) -> None:
        """Let go of files that are there no more."""
        gone = [(self._worktree, uri) for uri in self._kept_of("head").keys() - set(uris)]
        if gone and not self._is_closed:
            self._write("DELETE FROM kept WHERE worktree = ? AND uri = ?", gone)

    def _kept_of(self, part: str) -> dict[str, tuple[str, object]]:
        if part not in self._known:
            query = "SELECT uri, key, told FROM kept WHERE worktree = ? AND part = ?"
            rows = self._try(lambda database: database.execute(query, (self._worktree, part)).fetchall())
            self._known[part] = {uri: (key, sealed) for uri, key, sealed in rows or ()}
        return self._known[part]

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        def written(database: sqlite3.Connection) -> None:
            with light_transaction(database):
                database.executemany(statement, rows)

        self._try(written)

    def _try(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        """Do something with the database; None where that cannot be. A damaged file is put away, to be made anew."""
        try:
            if self._is_closed:
                opened = open_to_read(self._path) or sqlite3.connect(":memory:")
            else:
                opened = open_database(self._path, [kept_m001])
            with closing(opened) as database, store_errors(database):
                return work(database)
        except (StoreError, sqlite3.DatabaseError) as error:
            code = getattr(error.__cause__ or error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if not self._read_only and code not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                with suppress(OSError):
                    for suffix in ("-wal", "-shm", ""):
                        self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        return None

    @property
    def _is_closed(self) -> bool:
        return self._read_only or not self._path.parent.is_dir()


def _sealed(key: str, content: bytes) -> bytes:
    return crc32(content, crc32(key.encode())).to_bytes(_CHECKSUM, "big") + content
