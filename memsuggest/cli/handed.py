"""Reading what an assistant hands over, from a pipe that it may forget to close."""

from __future__ import annotations

import json
import os
import select
import sys
import time

PATIENCE = 2.0
"""Seconds that an assistant may take to hand over its payload."""
LIMIT = 1 << 24
"""Bytes of a payload that are read."""
_PIECE = 1 << 16


def handed(descriptor: int) -> bytes:
    """Return what is handed over: all there is, or a whole JSON value of a pipe that stays open."""
    found, end = b"", time.monotonic() + PATIENCE
    while len(found) < LIMIT and _is_ready(descriptor, end - time.monotonic()):
        piece = os.read(descriptor, _PIECE)
        if not piece:
            break
        found += piece
        if len(piece) < _PIECE and _is_whole(found):
            break
    return found


def _is_ready(descriptor: int, seconds: float) -> bool:
    if sys.platform == "win32":  # where only sockets can be asked
        return True
    return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])


def _is_whole(found: bytes) -> bool:
    if not found.rstrip().endswith(b"}"):
        return False
    try:
        json.loads(found)
    except (ValueError, RecursionError):
        return False
    return True
