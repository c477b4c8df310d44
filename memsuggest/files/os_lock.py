"""The system's own lock of an open file: it ends with the process that holds it."""

from __future__ import annotations

import os
import sys

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
        """Tell whether somebody else has the system's lock of an open file."""
        if not try_lock(descriptor):
            return True
        release(descriptor)
        return False

    def release(descriptor: int) -> None:
        """Give the lock back."""
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
