"""Reads a text file byte for byte, or says why not. Never waits for a pipe, never follows a link it did not resolve."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from memsuggest.core.errors import FileError
from memsuggest.files.system_errors import explained

SIZE_LIMIT = 2 * 1024 * 1024  # bytes; the largest customization file seen in the wild has 200 KB

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_READ |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """A whole file as text: a BOM is its first character, line ends are as they were."""

    text: str
    digest: str


def digest_of(text: str) -> str:
    """Return the digest of a text as it stands in a file (64 hex digits, SHA-256 of its UTF-8)."""
    return digest_of_bytes(text.encode("utf-8", "surrogatepass"))


def digest_of_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_exact(path: Path, *, limit: int = SIZE_LIMIT) -> FileText:
    """Read a regular UTF-8 file of at most `limit` bytes, exactly; anything else raises FileError."""
    with explained(path, "read"):
        data = read_bytes(Path(os.path.realpath(path)), folder=None, limit=limit)
    return FileText(text=decode(data, path), digest=digest_of_bytes(data))


def read_bytes(name: str | Path, *, folder: int | None, limit: int = SIZE_LIMIT) -> bytes:
    """Return the bytes of a regular file, seen from an open folder where one is given; raises OSError or FileError."""
    descriptor = os.open(name, _READ, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FileError(f"cannot read `{name}`: not a regular file", hint="use a regular text file")
        pieces, left = list[bytes](), limit + 1  # to the end: the size that the system tells is only a guess
        while left > 0 and (piece := os.read(descriptor, min(left, 1 << 20))):
            pieces.append(piece)
            left -= len(piece)
    finally:
        os.close(descriptor)
    if left <= 0:
        raise FileError(
            f"cannot read `{name}`: the file is larger than {limit // 1024} KB", hint="shorten the file or split it"
        )
    return b"".join(pieces)


def decode(data: bytes, path: Path) -> str:
    """Return the text of some bytes without changing one, or raise FileError saying what they are instead."""
    even, odd = data[:512:2], data[1:512:2]
    # Plain text in two bytes a letter: every second byte is NUL, and the others are not.
    is_wide = len(odd) >= 8 and ((not any(odd) and all(even)) or (not any(even) and all(odd)))
    if is_wide or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"`{path}` is UTF-16, not UTF-8", hint="save the file as UTF-8; nothing was changed")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            f"`{path}` is not UTF-8: line {line} contains byte 0x{data[error.start]:02x}",
            hint="save the file as UTF-8; nothing was changed",
        ) from error
