"""Reading what an assistant hands over, from a pipe that it may forget to close, or from a terminal."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds that an assistant may take to hand over its payload."""
LIMIT = 1 << 24
"""Bytes of a payload that are read."""
_PIECE = 1 << 16
_ENDS = (b"\x04", b"\0")
"""Ctrl-D where keys are read one by one; the other one is what Linux keeps of one that was pressed before."""


def handed(descriptor: int, *, patience: float = PATIENCE, limit: int = LIMIT) -> bytes:
    """Return what is handed over: all there is, or a whole JSON value of a pipe that stays open."""
    found, end = b"", time.monotonic() + patience
    while len(found) < limit:
        left, is_askable = max(0.0, end - time.monotonic()), sys.platform != "win32"  # there, only sockets can be asked
        if is_askable and not select.select([descriptor], [], [], left)[0]:
            break
        piece = os.read(descriptor, _PIECE)
        if not piece:
            break
        found += piece
        if len(piece) < _PIECE and _is_whole(found):
            break
    return found


def pasted(descriptor: int, *, invite: Callable[[], None], limit: int) -> bytes:
    """Return what is typed or pasted into a terminal: up to Ctrl-D, or a whole JSON value.

    `invite` tells that it may begin; before that, the terminal is not ready.
    """
    found = b""
    with keys_one_by_one(descriptor):
        invite()
        while len(found) < limit:
            piece = os.read(descriptor, _PIECE)
            ends = [place for mark in _ENDS if (place := piece.find(mark)) >= 0]
            found += piece[: min(ends)] if ends else piece
            if ends or not piece or _is_whole(found):
                break
    return found


@contextmanager
def keys_one_by_one(descriptor: int) -> Iterator[None]:
    """Let a terminal hand over every key at once, and echo none; Ctrl-C still interrupts.

    One that gathers lines drops all behind 4,096 characters of them (1,024 on a Mac), and with an echo a script that
    pastes much before it reads would wait for us, and we for it.
    """
    if sys.platform == "win32":
        yield
        return
    import termios

    before, changed = termios.tcgetattr(descriptor), termios.tcgetattr(descriptor)
    changed[3] &= ~(termios.ICANON | termios.ECHO)
    changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
    termios.tcsetattr(descriptor, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)


def _is_whole(found: bytes) -> bool:
    if not found.rstrip().endswith(b"}"):
        return False
    try:
        json.loads(found)
    except (ValueError, RecursionError):
        return False
    return True
