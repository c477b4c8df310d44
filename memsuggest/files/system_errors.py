"""The system's errors about files in plain words, with what a person can do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memsuggest.core.errors import FileError

HINTS = {
    errno.ENOSPC: ("the disk is full", "free up some space and try again"),
    errno.EDQUOT: ("your disk quota is exceeded", "free up some space and try again"),
    errno.EROFS: ("the file system is read-only", "use a writable location"),
    errno.EACCES: ("permission denied", "check the owner and mode of the file and its folder"),
    errno.EPERM: ("operation not permitted", "check the owner, mode and attributes of the file and its folder"),
    errno.EMFILE: ("too many open files", "close other programs or raise `ulimit -n`"),
    errno.ENFILE: ("too many open files on this system", "close other programs and try again"),
    errno.EIO: ("the disk reported an error", "check the disk; nothing was changed"),
    errno.ENOENT: ("the path does not exist", "check the path"),
    errno.ENOTDIR: ("part of the path is not a folder", "check the path"),
    errno.EISDIR: ("the path is a folder", "use a file"),
    errno.ELOOP: ("symbolic or circular link", "use the file itself, not a link to it"),
    errno.ENAMETOOLONG: ("the name is too long", "use a shorter name"),
    errno.EBUSY: ("the file is open in another program", "close the other program and try again"),
    errno.ETXTBSY: ("the file is being executed", "close the other program and try again"),
    errno.ENODEV: ("not a regular file", "use a regular file"),
    errno.ENXIO: ("not a regular file", "use a regular file"),
}


@contextmanager
def explained(path: Path | str, doing: str) -> Iterator[None]:
    """Raise FileError instead of OSError, with what a person can do; `doing` completes the sentence `cannot …`."""
    try:
        yield
    except OSError as error:
        usual = (error.strerror or type(error).__name__, "check the file and its folder")
        why, hint = HINTS.get(error.errno or 0, usual)
        shown = str(path) if str(path).isprintable() else ascii(str(path))[1:-1]  # no orders to a terminal
        raise FileError(f"cannot {doing} `{shown}`: {why}", hint=hint) from error
