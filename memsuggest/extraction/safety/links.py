"""Links of the web that a message asks to look at."""

from __future__ import annotations

import re
from functools import cache

_LINK = r"https?://(?!localhost\b|127\.|0\.0\.0\.0)[^\s<>]+"
_ORDERS = r"""
    \b(?:
        # English
        summar(?:y|i[sz]e)\w* | analy[sz]e | explain | read | visit | open | browse | review | look[ ](?:at|into)
      | check[ ]out | go[ ]to | fetch | digest | evaluate | what[ ](?:does|is|do) | tl;?dr
      | key[ ](?:points|insights|takeaways) | tell[ ]me[ ]about
        # German
      | fasse? | zusammenfass\w* | lies | öffne
        # French
      | résume[rz]? | lis(?:ez)? | ouvr\w+
        # Spanish and Portuguese
      | resum\w+ | lee | abre | leia
    )\b
    # Japanese and Chinese
    | 要約 | 読んで | 总结 | 概括 | 阅读
"""
_NEAR = 160
"""Characters around a link in which the order stands that it belongs to."""


def has_read_order(text: str) -> bool:
    """Tell whether a text asks to look at a page of the web, as the prompts do that links open a chat with.

    Anybody can write such a link, and what it asks to be remembered besides was typed by nobody.
    """
    link, order = _compiled()
    return any(
        order.search(text, max(0, found.start() - _NEAR), found.start())
        or order.search(text, found.end(), found.end() + _NEAR)
        for found in link.finditer(text)
    )


@cache
def _compiled() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile the expressions when a text is first judged, so that importing stays cheap."""
    return re.compile(_LINK), re.compile(_ORDERS, re.IGNORECASE | re.VERBOSE)
