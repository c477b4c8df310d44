"""Sessions that are no files of their own: kept beside others in a database or an export, or spread over many files.

Each has a path as if it were one, such as `opencode.db#ses_1`, and is read as if it had been exported.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.storage import cursor_database, opencode_sessions, web_exports
from memsuggest.transcripts.storage.foreign_database import StoredSession

_MARK = "#"
"""Between the name of a database and a session's id."""


class Container(Protocol):
    """A kind of file that holds several sessions: a module."""

    def is_kind(self, path: Path, /) -> bool:
        """Tell by its first bytes whether a file may be of this kind."""
        ...

    def sessions(self, path: Path, /) -> Sequence[StoredSession]: ...

    def content(self, path: Path, session: str, /) -> bytes | None: ...


_CONTAINERS: tuple[Container, ...] = (opencode_sessions, cursor_database, web_exports)


class Status(NamedTuple):
    """The status of a session that is no file of its own."""

    st_size: int
    st_mtime_ns: int
    st_ino: int


FileStatus = os.stat_result | Status
"""The marks of a transcript that change when it is written to."""


class SessionPlace(NamedTuple):
    """The place of a session, its status, and the folder that it worked in, where its place tells it."""

    path: Path
    status: Status
    folder: str = ""


def sessions_in(path: Path) -> list[SessionPlace]:
    """List the sessions in a database or an export; none in a file of another kind. Raises TranscriptError."""
    found = []
    for session in _listed(path, _stamp(path), _stamp(path.with_name(f"{path.name}-wal"))):
        status = Status(session.messages, session.updated * 1_000_000, 0)
        found.append(SessionPlace(path.with_name(f"{path.name}{_MARK}{session.id}"), status, session.folder))
    return found


@lru_cache(maxsize=8)
def _listed(path: Path, _stamp: tuple[int, ...], _journal: tuple[int, ...]) -> Sequence[StoredSession]:
    """List the sessions as the file is now: they are asked for one after the other."""
    return next(filter(None, (kind.sessions(path) for kind in _CONTAINERS if kind.is_kind(path))), ())


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


def sessions_at(path: Path) -> list[SessionPlace]:
    return sessions_in(path) or [SessionPlace(path, status_of(path))]


def status_of(path: Path) -> Status:
    """Return the status of a transcript's file, or of a stored session; raises OSError."""
    if container := container_of(path):
        for stored in sessions_in(container):
            if stored.path == path:
                return stored.status
        raise FileNotFoundError(2, "no such session", str(path))
    status = path.stat()
    changed = opencode_sessions.file_changed(path) if opencode_sessions.is_session_file(path) else status.st_mtime_ns
    return Status(status.st_size, changed, status.st_ino)


def content_of(path: Path) -> bytes | None:
    """Write a stored session as its assistant would export it; None for a path that is a file's."""
    if container := container_of(path):
        session = path.name[len(container.name) + 1 :]
        found = (kind.content(container, session) for kind in _CONTAINERS if kind.is_kind(container))
        if content := next(filter(None, found), None):
            return content
        hint = f"run `memsuggest transcripts {container}` to list its chats"
        raise TranscriptError(f"{container} does not contain chat {session}", hint=hint)
    return opencode_sessions.file_content(path) if opencode_sessions.is_session_file(path) else None


def may_be_stored(place: str) -> bool:
    return _MARK in place


def container_of(path: Path) -> Path | None:
    """Return the file, a database or an export, that a path names a session of; None for other paths."""
    name, mark, session = path.name.rpartition(_MARK)
    if not (name and mark and session) or path.exists():
        return None
    container = path.with_name(name)
    return container if container.is_file() else None


def folders_of(path: Path) -> Iterator[str]:
    if folder := opencode_sessions.file_folder(path):
        yield folder
