"""An open folder: what is done in it is done there, even when somebody moves a link in its path meanwhile."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memsuggest.core.errors import OutsideWorkspace

HAS_DESCRIPTORS = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd and os.unlink in os.supports_dir_fd
_NOT_SYNCABLE = frozenset([errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS])
_PATIENCE = 5.0  # seconds; a write takes milliseconds, and a stopped program must not stop all others
_EXCHANGE = 2  # renameat2(2): RENAME_EXCHANGE


class Folder:
    """A folder held by a descriptor where the system has them, else by its path."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor

    def _at(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        return os.open(self._at(name), flags, mode, dir_fd=self.descriptor)

    def stat(self, name: str) -> os.stat_result | None:
        """Look at an entry, not through it; None where there is none."""
        try:
            return os.stat(self._at(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def replace(self, source: str, target: str) -> None:
        os.replace(self._at(source), self._at(target), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def link(self, source: str, target: str) -> None:
        os.link(self._at(source), self._at(target), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def unlink(self, name: str) -> None:
        os.unlink(self._at(name), dir_fd=self.descriptor)

    def exchange(self, one: str, other: str) -> bool:
        """Swap two names at once; False where the system or file system cannot."""
        if self.descriptor is None or not sys.platform.startswith("linux"):
            return False
        import ctypes

        rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        if rename is None:
            return False
        while rename(self.descriptor, os.fsencode(one), self.descriptor, os.fsencode(other), _EXCHANGE) != 0:
            number = ctypes.get_errno()
            if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
                return False
            if number != errno.EINTR:
                raise OSError(number, os.strerror(number))
        return True

    def sync(self) -> None:
        """Make the folder's names durable, where the file system can."""
        if self.descriptor is None:
            return
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            if error.errno not in _NOT_SYNCABLE:
                raise


@contextmanager
def opened(path: Path) -> Iterator[Folder]:
    """Open a folder by its real path; raises OutsideWorkspace when a link appeared in that path meanwhile."""
    if not HAS_DESCRIPTORS:
        yield Folder(path, None)
        return
    flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags)
    try:
        if os.path.realpath(path) != str(path) or not os.path.samestat(os.fstat(descriptor), path.stat()):
            raise OutsideWorkspace(
                f"`{path}` was replaced by a link", hint="nothing was written; check where the link points"
            )
        end = time.monotonic() + _PATIENCE
        with suppress(OSError):  # a file system without locks
            while not try_lock(descriptor) and time.monotonic() < end:
                time.sleep(0.005)
        yield Folder(path, descriptor)
    finally:
        with suppress(OSError):  # what was to be written is written
            os.close(descriptor)


def make_folders(path: Path, *, mode: int = 0o777) -> tuple[Path, ...]:
    """Create a folder and those above it that are missing; return them, outermost first."""
    missing: list[Path] = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    made: list[Path] = []
    try:
        for folder in reversed(missing):
            try:
                folder.mkdir(mode=mode)
            except FileExistsError:
                continue  # somebody else made it meanwhile
            made.append(folder)
    except OSError:
        remove_folders(made)
        raise
    return tuple(made)


def remove_folders(folders: tuple[Path, ...] | list[Path]) -> None:
    """Remove folders that `make_folders` made, innermost first, as far as they are empty."""
    for folder in reversed(folders):
        try:
            folder.rmdir()
        except OSError:
            return


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # the locked byte lies behind the owner's name, which others must be able to read

    def try_lock(descriptor: int) -> bool:
        """Take the system's lock of an open file; False when somebody else has it."""
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def is_held(descriptor: int) -> bool:
        if not try_lock(descriptor):
            return True
        release(descriptor)
        return False

    def release(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Take the system's lock of an open file; False when somebody else has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def is_held(descriptor: int) -> bool:
        """Tell whether somebody else has the system's lock of an open file."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared: those who ask are not in each other's way
        except (BlockingIOError, PermissionError):
            return True
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        return False

    def release(descriptor: int) -> None:
        """Give the lock back."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)
