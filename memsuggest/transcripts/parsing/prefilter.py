r"""Tell from a line's first bytes that it is of a kind nobody needs, without decoding it.

Sound, because a quote inside a JSON string is written `\"`: the bytes `"type":"x"` never stand in one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from memsuggest.transcripts.storage.source import LineTest, RawLine, Source, decoded

if TYPE_CHECKING:
    from memsuggest.core.model import Skipped

HEAD = 256  # bytes of a line that its kind is looked for in
_KIND_LIMIT = 60  # bytes of the longest name of a kind


def is_other_than(
    *kinds: str, unless: Callable[[bytes, bytes, int, int], bool] = lambda _kind, _data, _start, _end: False
) -> LineTest:
    """Make a test of raw JSON lines that only fails for those that begin with one of these `type`s.

    `unless` may let one of them pass, by its kind and where it lies.

    >>> line = b'{"type": "reasoning", "text": "hm"}'
    >>> is_other_than("reasoning")(line, 0, len(line))
    False
    """
    names = {kind.encode() for kind in kinds}
    search = re.compile(b'"type": ?"(' + b"|".join(map(re.escape, names)) + b')"').search

    def is_wanted(data: bytes, start: int, end: int) -> bool:
        kind = payload_kind(data, start, end)
        if not kind:  # an envelope of another form, or none
            found = search(data, start, min(start + HEAD, end))
            return not found or unless(found[1], data, start, end)
        return kind not in names or unless(kind, data, start, end)

    return is_wanted


def payload_kind(data: bytes, start: int, end: int) -> bytes:
    """Return the kind of the payload in a raw line, where it is the first thing the payload says; else nothing."""
    payload = data.find(_PAYLOAD, start, start + HEAD)
    kind = payload + len(_PAYLOAD)
    stop = data.find(b'"', kind, kind + _KIND_LIMIT)
    return data[kind:stop] if payload >= 0 and kind < stop <= end else b""


_PAYLOAD = b'"payload":{"type":"'


def objects(
    source: Source,
    skipped: list[Skipped],
    *,
    is_wanted: LineTest | None = None,
    stand: Callable[[RawLine], None] = lambda _line: None,
) -> Iterator[dict[str, Any]]:
    """Yield the objects of the wanted lines, each when `stand` was told its line; what is none is said in `skipped`."""
    for line in source.lines(skipped, is_wanted=is_wanted):
        stand(line)
        if fields := decoded(line, source, skipped):
            yield fields
