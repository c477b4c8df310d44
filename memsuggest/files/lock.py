"""One program at a time. The system's own lock decides, so that it ends with its owner; the file says who that is."""

from __future__ import annotations

import json
import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from memsuggest.errors import FileError
from memsuggest.files import os_lock
from memsuggest.files.failures import explained
from memsuggest.files.folder import make_folders
from memsuggest.files.owner import Owner, this_process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAUSE = 0.05  # seconds between two tries
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_OPEN |= getattr(os, "O_NONBLOCK", 0)


@contextmanager
def lock(path: Path, *, wait_seconds: float) -> Iterator[None]:
    """Hold the lock file `path` while the block runs; raise FileError when another program holds it too long.

    The file stays afterwards, empty. A lock whose owner was killed, or the file of another machine, is free.
    """
    with explained(path, "lock"):
        make_folders(path.parent, mode=0o700)
        descriptor = os.open(path, _OPEN, 0o600)
    try:
        with explained(path, "lock"):
            _wait(descriptor, path, wait_seconds)
            _write_owner(descriptor, json.dumps(_as_json(this_process())))
        try:
            yield
        finally:
            with suppress(OSError):  # the name is for people; the lock itself is the kernel's
                _write_owner(descriptor, "")
            os_lock.release(descriptor)
    finally:
        os.close(descriptor)


def _wait(descriptor: int, path: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not os_lock.try_lock(descriptor):
        if time.monotonic() >= end:
            raise FileError(
                f"another memsuggest is at work here{_shown(owner_of(path))}", hint="wait for it to finish, or end it"
            )
        time.sleep(_PAUSE)


def owner_of(path: Path) -> Owner | None:
    """Say who wrote its name into a lock file; None for a free one. Whether they still run is not known."""
    try:
        found = json.loads(path.read_bytes()[:4096])
        return Owner(host=str(found["host"]), pid=int(found["pid"]), started=str(found["started"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def is_locked(path: Path) -> bool:
    """Tell whether a running program holds a lock file; changes nothing."""
    try:
        descriptor = os.open(path, _OPEN & ~os.O_CREAT)
    except OSError:
        return False
    try:
        return os_lock.is_held(descriptor)
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)


def _as_json(owner: Owner) -> dict[str, object]:
    return {"host": owner.host, "pid": owner.pid, "started": owner.started}


def _shown(owner: Owner | None) -> str:
    return f" (process {owner.pid} on {ascii(owner.host)[1:-1]})" if owner else ""


def _write_owner(descriptor: int, text: str) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, text.encode())
