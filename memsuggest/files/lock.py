"""One program at a time. The system's own lock decides, so that it ends with its owner; the file says who that is."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from memsuggest.core.errors import FileError
from memsuggest.files import folder
from memsuggest.files.folder import make_folders
from memsuggest.files.system_errors import explained

_PAUSE = 0.05  # seconds between two tries
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_OPEN |= getattr(os, "O_NONBLOCK", 0)


@contextmanager
def lock(path: Path, *, wait_seconds: float) -> Iterator[None]:
    """Hold the lock file `path` while the block runs; raise FileError when another program has it open too long.

    The file stays afterwards, empty. A lock whose owner was killed, or the file of another machine, is free.
    """
    with explained(path, "lock"):
        make_folders(path.parent, mode=0o700)
        descriptor = os.open(path, _OPEN, 0o600)
    try:
        with explained(path, "lock"):
            end = time.monotonic() + wait_seconds
            while not folder.try_lock(descriptor):
                if time.monotonic() >= end:
                    owner = owner_of(path)
                    who = f" (process {owner.pid} on {ascii(owner.host)[1:-1]})" if owner else ""
                    raise FileError(
                        f"another memsuggest process is already running here{who}",
                        hint="wait for that process to finish, or stop it",
                    )
                time.sleep(_PAUSE)
            _write_owner(descriptor, json.dumps(asdict(this_process())))
        try:
            yield
        finally:
            with suppress(OSError):  # the name is for people; the lock itself is the kernel's
                _write_owner(descriptor, "")
            folder.release(descriptor)
    finally:
        os.close(descriptor)


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
        return folder.is_held(descriptor)
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)


def _write_owner(descriptor: int, text: str) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, text.encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """One process on one machine; `started` tells it from a later one with the same number (empty: unknown)."""

    host: str
    pid: int
    started: str

    @property
    def token(self) -> str:
        return f"{hashlib.sha256(self.host.encode()).hexdigest()[:8]}-{self.pid}-{self.started or 0}"


def this_process() -> Owner:
    return Owner(
        host=(os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")),
        pid=os.getpid(),
        started=_started(os.getpid()),
    )


def _started(pid: int) -> str:
    """Return the time at which a process began, in the system's own count; empty where it does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]  # field 22; the name in brackets may hold spaces


def is_gone(pid: int, started: str) -> bool:
    """Tell whether a process of this machine has ended (or another one has its number now)."""
    now = _started(pid)
    if now and started not in ("", "0"):
        return now != started
    if sys.platform != "win32":  # os.kill(pid, 0) would end it there
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        except (PermissionError, OverflowError):
            return False
    return False
