"""Turns the system's refusals into one kind of error that says what to do. Knows no paths but the one it is given."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memsuggest.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HINTS = {
    errno.ENOSPC: ("the disk is full", "free some space and run it again"),
    errno.EDQUOT: ("your disk quota is used up", "free some space and run it again"),
    errno.EROFS: ("the file system is read-only", "run it where the files can be written"),
    errno.EACCES: ("permission denied", "check the owner and mode of the file and its folder"),
    errno.EPERM: ("the system does not permit it", "check the owner, mode and attributes of the file and its folder"),
    errno.EMFILE: ("too many open files", "close other programs or raise `ulimit -n`"),
    errno.ENFILE: ("too many open files on this machine", "close other programs and run it again"),
    errno.EIO: ("the disk reports an error", "check the disk; nothing was changed"),
    errno.ENOENT: ("it does not exist", "check the path"),
    errno.ENOTDIR: ("a part of its path is not a folder", "check the path"),
    errno.EISDIR: ("it is a folder", "name a file"),
    errno.ELOOP: ("it is a symbolic link, or links lead in a circle", "name the real file"),
    errno.ENAMETOOLONG: ("its name is too long", "use a shorter name"),
    errno.EBUSY: ("another program holds it", "close that program and run it again"),
    errno.ETXTBSY: ("another program is running it", "close that program and run it again"),
    errno.ENODEV: ("it is no regular file", "name a regular file"),
    errno.ENXIO: ("it is no regular file", "name a regular file"),
}


def explain(path: Path | str, doing: str, error: OSError) -> FileError:
    """Make the error that a person can act on from the system's."""
    why, hint = HINTS.get(error.errno or 0, (error.strerror or type(error).__name__, "check the file and its folder"))
    return FileError(f"cannot {doing} `{_shown(path)}`: {why}", hint=hint)


def _shown(path: Path | str) -> str:
    """A path for a message: a hostile name must not speak to the terminal."""
    text = str(path)
    return text if text.isprintable() else ascii(text)[1:-1]


@contextmanager
def explained(path: Path | str, doing: str) -> Iterator[None]:
    """Raise FileError instead of OSError; `doing` completes the sentence `cannot …`."""
    try:
        yield
    except OSError as error:
        raise explain(path, doing, error) from error
