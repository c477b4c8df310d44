"""Compressed transcripts, opened as what they hold: gzip, and zstd where this Python or an extra can."""

from __future__ import annotations

import gzip
import importlib
import sys
import zlib
from typing import IO, TYPE_CHECKING, cast

from memsuggest.errors import TranscriptError

if TYPE_CHECKING:
    from types import ModuleType

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ZSTD_MODULES = ("compression.zstd", "backports.zstd")
"""Python's own from 3.14 on, and the same for older ones (the extra `zstd`)."""


def decompressed(raw: IO[bytes], name: str) -> IO[bytes]:
    """Return a stream of what a stream holds, compressed or not; TranscriptError where nobody can decompress it."""
    magic = raw.read(4)
    raw.seek(0)
    if magic.startswith(_GZIP):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if magic != _ZSTD:
        return raw
    module = zstd_module()
    if module is None:
        hint = f"`pip install '.[zstd]'` in the clone opens it, or run `zstd -d {name}` first"
        raise TranscriptError(f"{name} is compressed with zstd", hint=hint)
    return cast("IO[bytes]", module.ZstdFile(raw))


def zstd_module() -> ModuleType | None:
    """Import what decompresses zstd; None where nothing does."""
    for name in _ZSTD_MODULES:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def reading_errors() -> tuple[type[Exception], ...]:
    """Name what may be raised while a file is read, compressed or not."""
    loaded = filter(None, map(sys.modules.get, _ZSTD_MODULES))
    return (OSError, EOFError, zlib.error, *(module.ZstdError for module in loaded))
