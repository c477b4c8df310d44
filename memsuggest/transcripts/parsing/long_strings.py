"""Lines of many megabytes: their longest strings are cut short before anything is decoded. Pure.

What makes a line that long is a picture, a file or a tool's output; nobody types so much. So what the person typed is
kept, and memory stays within the size of the line.
"""

from __future__ import annotations

import re

LONG_LINE = 1024 * 1024
"""Bytes of a line from which on its strings are looked at."""
KEPT = 256 * 1024
"""Bytes of a string that are kept at most."""
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def shortened(line: bytes, *, kept: int = KEPT) -> tuple[bytes, int]:
    """Cut the strings of a JSON line that are longer than `kept` bytes, between words; count the bytes cut off texts.

    A string without a blank in its beginning, such as a picture, is emptied and not counted.

    >>> shortened(b'{"a": "one two three", "b": "c2lnbmF0dXJl"}', kept=8)
    (b'{"a": "one two", "b": ""}', 6)
    """
    pieces: list[bytes] = []
    position = lost = 0
    for found in _STRING.finditer(line):
        start, end = found.span()
        if end - start - 2 <= kept:
            continue
        cut = line.rfind(b" ", start + 1, start + 1 + kept)
        if cut >= 0:
            lost += end - 1 - cut
        pieces += (line[position : cut if cut >= 0 else start + 1], b'"')
        position = end
    return (b"".join((*pieces, line[position:])), lost) if pieces else (line, 0)
