"""Transcripts in the repo that the person trusts: pinned by the digest of their bytes, never by who committed them.

Pure but for hashing. A file that changes is a claim again until the person trusts it anew,
unless it grew here and git has nothing of what is new.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

VERSION = 1
_BLOCK = 1024 * 1024  # bytes hashed at once


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedFile:
    """One trusted transcript."""

    digest: str
    size: int
    path: str
    """Where it lay when it was trusted; said to the person, never compared."""


def trusted_file_of(path: Path) -> TrustedFile:
    """Pin a file as it is now; raises OSError."""
    hashed = hashlib.sha256()
    size = 0
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            hashed.update(block)
            size += len(block)
    return TrustedFile(digest=hashed.hexdigest(), size=size, path=str(path))


def is_pinned(path: Path, size: int, trusted_files: Iterable[TrustedFile]) -> bool:
    """Tell whether a file is, byte for byte, one that the person trusts; only files of a pinned size are read."""
    digests = {trusted_file.digest for trusted_file in trusted_files if trusted_file.size == size}
    if not digests:
        return False
    try:
        return trusted_file_of(path).digest in digests
    except OSError:
        return False


def grown_trusted_file(path: Path, size: int, trusted_files: Iterable[TrustedFile]) -> TrustedFile | None:
    """Return the pin of what a file began as, if it only has grown since; none where a file was changed."""
    for trusted_file in trusted_files:
        if 0 < trusted_file.size < size:
            try:
                with path.open("rb") as stream:
                    begins = hashlib.sha256(stream.read(trusted_file.size)).hexdigest()
            except OSError:
                return None
            if begins == trusted_file.digest:
                return trusted_file
    return None


def read_trusted_files(text: str, *, where: str) -> tuple[TrustedFile, ...]:
    """Read pins that were written down; raises StoreError for anything else."""
    if not text.strip():
        return ()
    try:
        told = json.loads(text)
        if told["version"] > VERSION:
            raise StoreError(
                f"{where} is newer than this program", hint="update memsuggest; the file was left as it is"
            )
        trusted_files = [
            TrustedFile(digest=str(each["digest"]), size=int(each["size"]), path=str(each["path"]))
            for each in told["pins"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(
            f"{where} is damaged: {error}", hint="move it away, and trust your transcripts again"
        ) from None
    return tuple(trusted_files)


def written(trusted_files: Iterable[TrustedFile]) -> str:
    """Write pins down, in the order of their paths."""
    listed = sorted(trusted_files, key=lambda trusted_file: (trusted_file.path, trusted_file.digest))
    rows = [
        {"digest": trusted_file.digest, "size": trusted_file.size, "path": trusted_file.path} for trusted_file in listed
    ]
    return json.dumps({"version": VERSION, "pins": rows}, indent=2) + "\n"
