"""Which transcripts in the repo the person trusts: pinned by the digest of what they hold, never by who committed them.

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
class Pin:
    """One trusted transcript."""

    digest: str
    size: int
    path: str
    """Where it lay when it was trusted; said to the person, never compared."""


def pin_of(path: Path) -> Pin:
    """Pin a file as it is now; raises OSError."""
    hashed = hashlib.sha256()
    size = 0
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            hashed.update(block)
            size += len(block)
    return Pin(digest=hashed.hexdigest(), size=size, path=str(path))


def is_pinned(path: Path, size: int, pins: Iterable[Pin]) -> bool:
    """Tell whether a file is, byte for byte, one that the person trusts; only files of a pinned size are read."""
    digests = {pin.digest for pin in pins if pin.size == size}
    if not digests:
        return False
    try:
        return pin_of(path).digest in digests
    except OSError:
        return False


def grown_pin(path: Path, size: int, pins: Iterable[Pin]) -> Pin | None:
    """Return the pin of what a file began as, if it only has grown since; none where a file was changed."""
    for pin in pins:
        if 0 < pin.size < size:
            try:
                with path.open("rb") as stream:
                    begins = hashlib.sha256(stream.read(pin.size)).hexdigest()
            except OSError:
                return None
            if begins == pin.digest:
                return pin
    return None


def read_pins(text: str, *, where: str) -> tuple[Pin, ...]:
    """Read pins that were written down; raises StoreError for anything else."""
    if not text.strip():
        return ()
    try:
        told = json.loads(text)
        if told["version"] > VERSION:
            raise StoreError(
                f"{where} is newer than this program", hint="update memsuggest; the file was left as it is"
            )
        pins = [
            Pin(digest=str(each["digest"]), size=int(each["size"]), path=str(each["path"])) for each in told["pins"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(
            f"{where} is damaged: {error}", hint="move it away, and trust your transcripts again"
        ) from None
    return tuple(pins)


def written(pins: Iterable[Pin]) -> str:
    """Write pins down, in the order of their paths."""
    listed = sorted(pins, key=lambda pin: (pin.path, pin.digest))
    rows = [{"digest": pin.digest, "size": pin.size, "path": pin.path} for pin in listed]
    return json.dumps({"version": VERSION, "pins": rows}, indent=2) + "\n"
