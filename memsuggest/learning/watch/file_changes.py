"""Changes in some folders: told by the system, or found by polling where the system cannot tell.

Folders are followed by themselves, not all that lies below them: an editor's folders hold far more than chats.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path, PurePath

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from memsuggest.learning.stopping import StopSign

STEP, QUICK = 50, 10  # milliseconds between two looks at what the system told; when something is due soon
SOON = 400  # milliseconds; a longer wait is idle
GROUP = 60  # milliseconds at most for which changes are gathered
POLL = 400  # milliseconds between two polls
_SHARE = 30  # times as long as a poll took, the next one waits at least


class Events:
    """Changes in the folders that are followed."""

    def __init__(self, *, stop: StopSign, is_polling: bool = False) -> None:
        self.is_polling = is_polling
        """Whether folders are looked into again and again; begins by itself where the system cannot tell."""
        self.why_polling = "you passed `--poll`" if is_polling else ""
        self._stop = stop
        self._notify: RustNotify | None = None
        self._seen: dict[str, tuple[int, int, int]] = {}
        self._pause: float = POLL
        self.folders: frozenset[str] = frozenset()

    def follow(self, folders: Iterable[str]) -> bool:
        """Follow these folders instead, as far as they are there; whether there are other ones than before.

        What changes meanwhile may go unnoticed: look at everything once afterwards.
        """
        wanted = frozenset(folder for folder in folders if os.path.isdir(folder))  # noqa: PTH112  (thousands)
        if wanted == self.folders:
            return False
        self.close()
        self.folders = wanted
        if not self.is_polling and (far := far_folders(wanted)):
            self.is_polling, self.why_polling = True, f"{far[0]} is on a network drive"
        if not self.is_polling:
            try:
                # debug, polling, delay, recursive, ignoring closed folders
                self._notify = RustNotify(sorted(wanted), False, False, 0, False, True)
            except (OSError, WatchfilesRustInternalError) as error:
                self.is_polling, self.why_polling = True, str(error)
        if self.is_polling:
            self._seen = _seen(wanted)
        return True

    def wait(self, milliseconds: int) -> set[str]:
        """Return the paths that changed, as soon as some did, or none after so long; sooner when it is time to stop."""
        if self._notify is not None:
            step = QUICK if milliseconds < SOON else STEP
            found = self._notify.watch(GROUP, step, max(1, milliseconds), self._stop)
            return set() if isinstance(found, str) else {path for _, path in found}
        # By our own polling, with times to the nanosecond: notify's cuts them to seconds
        if self._stop.wait(min(milliseconds, self._pause) / 1000):
            return set()
        begun = time.monotonic()
        before, self._seen = self._seen, _seen(self.folders)
        self._pause = max(POLL, _SHARE * (time.monotonic() - begun) * 1000)
        return {path for path, _ in before.items() ^ self._seen.items()}

    def close(self) -> None:
        if self._notify is not None:
            self._notify.close()
            self._notify = None


def _seen(folders: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    found: dict[str, tuple[int, int, int]] = {}
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    status = entry.stat()
                    found[entry.path] = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:  # gone, or closed to us
            continue
    return found


_FAR = (
    "nfs nfs4 cifs smb3 smbfs 9p afs ceph glusterfs lustre ncpfs davfs drvfs fuse.sshfs fuse.rclone fuse.s3fs"
    " fuse.davfs2 fuse.glusterfs vboxsf prl_fs vmhgfs fuse.vmhgfs-fuse virtiofs"
)
"""Kinds of file systems that other machines write to; the last ones are folders that a virtual machine shares."""


def far_folders(folders: Iterable[str], *, table: str | None = None) -> tuple[str, ...]:
    """Return those of the folders that lie on a drive of another machine; none where the system has no such table.

    `table` is the text of Linux's `/proc/self/mounts`: device, place, kind, separated by spaces.
    """
    if table is None:
        try:
            table = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ()
    kinds: dict[str, str] = {}
    for row in table.split("\n"):
        fields = row.split(" ")
        if len(fields) > 2:
            kinds[fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")] = fields[2]

    def kind_of(folder: str) -> str:
        places = (folder, *map(str, PurePath(folder).parents))  # the nearest place above it tells
        return next((kinds[place] for place in places if place in kinds), "")

    far = _FAR.split()
    return tuple(folder for folder in folders if kind_of(folder) in far)


Signature = tuple[tuple[int, int, int] | None, ...]
"""Of each file its time, size and number; None for one that is not there."""


def signature_of(paths: Iterable[str]) -> Signature:
    found: list[tuple[int, int, int] | None] = []
    for path in paths:
        try:
            status = os.stat(path)  # noqa: PTH116  (hundreds of files at a time)
            found.append((status.st_mtime_ns, status.st_size, status.st_ino))
        except OSError:
            found.append(None)
    return tuple(found)
