r"""Tell from a line's first bytes that it is of a kind nobody needs, without decoding it.

Sound, because a quote inside a JSON string is written `\"`: the bytes `"type":"x"` never stand in one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = 256  # bytes of a line that its kind is looked for in


def is_other_than(*kinds: str) -> Callable[[bytes], bool]:
    """Make a test of raw JSON lines that only fails for those that begin with one of these `type`s.

    >>> is_other_than("reasoning")(b'{"type": "reasoning", "text": "…"}')
    False
    """
    names = "|".join(map(re.escape, kinds)).encode()
    unwanted = re.compile(rb'"type": ?"(?:' + names + rb')"')

    def is_wanted(line: bytes) -> bool:
        return not unwanted.search(line, 0, HEAD)

    return is_wanted
