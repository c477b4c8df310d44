r"""Tell from a line's first bytes that it is of a kind nobody needs, without decoding it.

Sound, because a quote inside a JSON string is written `\"`: the bytes `"type":"x"` never stand in one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = 256  # bytes of a line that its kind is looked for in


def is_other_than(
    *kinds: str, unless: Callable[[bytes, bytes], bool] = lambda _kind, _line: False
) -> Callable[[bytes], bool]:
    """Make a test of raw JSON lines that only fails for those that begin with one of these `type`s.

    `unless` may let one of them pass, by its kind and its bytes.

    >>> is_other_than("reasoning")(b'{"type": "reasoning", "text": "hm"}')
    False
    """
    names = "|".join(map(re.escape, kinds)).encode()
    search = re.compile(rb'"type": ?"(' + names + rb')"').search

    def is_wanted(line: bytes) -> bool:
        found = search(line, 0, HEAD)
        return not found or unless(found[1], line)

    return is_wanted
