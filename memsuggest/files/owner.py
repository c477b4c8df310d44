"""Names a running program so that what it left behind can be told from what it still uses."""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """One process on one machine; `started` tells it from a later one with the same number (empty: unknown)."""

    host: str
    pid: int
    started: str

    @property
    def token(self) -> str:
        """The owner as a part of a file name."""
        return f"{hashlib.sha256(self.host.encode()).hexdigest()[:8]}-{self.pid}-{self.started or 0}"


def this_process() -> Owner:
    """Name the process that runs this."""
    return Owner(host=_host(), pid=os.getpid(), started=_started(os.getpid()))


def _host() -> str:
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


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
    return not _exists(pid)


def _exists(pid: int) -> bool:
    if sys.platform == "win32":  # os.kill(pid, 0) would end it there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
