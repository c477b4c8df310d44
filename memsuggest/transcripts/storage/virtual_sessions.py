"""Sessions that are no files of their own: kept beside others in a database or an export, or spread over many files.

Each has a path as if it were one, such as `opencode.db#ses_1`, and is read as if it had been exported.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memsuggest.transcripts.formats import web
from memsuggest.transcripts.storage import cursor_database, opencode_database
from memsuggest.transcripts.storage.foreign_database import StoredSession, is_database

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_MARK = "#"
"""Between the name of a database and a session's id."""
_MILLION = 1_000_000


class Standing(Protocol):
    """What tells whether a transcript was written to since: of a file, what `os.stat` says."""

    @property
    def st_size(self) -> int: ...  # noqa: D102
    @property
    def st_mtime_ns(self) -> int: ...  # noqa: D102
    @property
    def st_ino(self) -> int: ...  # noqa: D102


class Status(NamedTuple):
    """The standing of a stored session."""

    st_size: int
    st_mtime_ns: int
    st_ino: int


class Stored(NamedTuple):
    """A session in a database, and the folder that it worked in."""

    path: Path
    status: Status
    folder: str


def sessions_in(path: Path) -> list[Stored]:
    """List the sessions in a database or an export; none in a file of another kind. Raises TranscriptError."""
    found: Sequence[StoredSession] = ()
    if is_database(path):
        found = _sessions_in_database(path, _stamp(path), _stamp(path.with_name(f"{path.name}-wal")))
    elif web.is_export(path):
        found = web.sessions(path)
    return [
        Stored(
            path.with_name(f"{path.name}{_MARK}{session.id}"),
            Status(session.messages, session.updated * _MILLION, 0),
            session.folder,
        )
        for session in found
    ]


@lru_cache(maxsize=8)
def _sessions_in_database(path: Path, _stamp: tuple[int, ...], _journal: tuple[int, ...]) -> Sequence[StoredSession]:
    """List the sessions as the database is now: they are asked for one after the other."""
    return opencode_database.sessions(path) or cursor_database.sessions(path)


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


def status_of(path: Path) -> Status:
    """Return the status of a transcript's file, or of a stored session; raises OSError."""
    if database := database_of(path):
        for stored in sessions_in(database):
            if stored.path == path:
                return stored.status
        raise FileNotFoundError(2, "no such session", str(path))
    status = path.stat()
    changed = opencode_database.changed_in_tree(path) if opencode_database.is_in_tree(path) else status.st_mtime_ns
    return Status(status.st_size, changed, status.st_ino)


def content_of(path: Path) -> bytes | None:
    """Write a stored session as its assistant would export it; None for a path that is a file's."""
    if container := database_of(path):
        session = path.name[len(container.name) + 1 :]
        if not is_database(container):
            return web.session_in_export(container, session)
        if session.startswith(opencode_database.ID):
            return opencode_database.session_in_database(container, session)
        return cursor_database.session_in_database(container, session)
    return opencode_database.session_in_tree(path) if opencode_database.is_in_tree(path) else None


def may_be_stored(place: str) -> bool:
    """Tell from a path alone, as quickly as can be, whether it may name a session in a database or an export."""
    return _MARK in place


def database_of(path: Path) -> Path | None:
    """Return the database, or the export, that a path names a session of; None for other paths."""
    name, mark, session = path.name.rpartition(_MARK)
    if not (name and mark and session) or path.exists():
        return None
    container = path.with_name(name)
    return container if is_database(container) or web.is_export(container) else None


def folders_of(path: Path) -> Iterator[str]:
    """Name the folder of a session that is spread over files."""
    if folder := opencode_database.folder_in_tree(path):
        yield folder
