r"""Tell from a line's first bytes that it is of a kind nobody needs, without decoding it.

Sound, because a quote inside a JSON string is written `\"`: the bytes `"type":"x"` never stand in one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memsuggest.transcripts.json_records import decoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memsuggest.model import Skipped
    from memsuggest.transcripts.source import LineTest, Source

HEAD = 256  # bytes of a line that its kind is looked for in


def is_other_than(
    *kinds: str, unless: Callable[[bytes, bytes, int, int], bool] = lambda _kind, _data, _start, _end: False
) -> LineTest:
    """Make a test of raw JSON lines that only fails for those that begin with one of these `type`s.

    `unless` may let one of them pass, by its kind and where it lies.

    >>> line = b'{"type": "reasoning", "text": "hm"}'
    >>> is_other_than("reasoning")(line, 0, len(line))
    False
    """
    names = "|".join(map(re.escape, kinds)).encode()
    search = re.compile(rb'"type": ?"(' + names + rb')"').search

    def is_wanted(data: bytes, start: int, end: int) -> bool:
        found = search(data, start, min(start + HEAD, end))
        return not found or unless(found[1], data, start, end)

    return is_wanted


def objects(source: Source, skipped: list[Skipped], *, is_wanted: LineTest) -> Iterator[dict[str, Any]]:
    """Yield the objects of the wanted lines; what cannot be decoded is said in `skipped`."""
    for line in source.lines(skipped, is_wanted=is_wanted):
        if fields := decoded(line, source, skipped):
            yield fields
