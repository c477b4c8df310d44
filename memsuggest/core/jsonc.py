"""JSON with comments and trailing commas, as editors write their settings."""

from __future__ import annotations

import json
import re

# A string is matched first, so that comment marks inside it stay. Strings and comments need no end: what has none is
# taken whole and left for the parser to refuse, since looking for the end again and again would take quadratic time.
# A lone carriage return ends a line comment too, as in VS Code.
_STRING_OR_COMMENT = r'"(?:[^"\\\n]|\\.)*+"?|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?'
_TOKENS = re.compile(_STRING_OR_COMMENT + r"|,(?=\s*+[}\]])", re.DOTALL)
_COMMENTS = re.compile(_STRING_OR_COMMENT, re.DOTALL)


def loads(text: str) -> object:
    """Parse JSON that may have comments, trailing commas and a byte order mark; raises ValueError."""
    bare = _COMMENTS.sub(_keep_strings, text.removeprefix("\ufeff"))
    try:
        parsed: object = json.loads(_TOKENS.sub(_keep_strings, bare))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return parsed


def _keep_strings(match: re.Match[str]) -> str:
    found = match.group()
    if found == "," and not _follows_a_value(match.string, match.start()):
        return found
    return found if found.startswith('"') else " "


def _follows_a_value(text: str, place: int) -> bool:
    place -= 1
    while place >= 0 and text[place] in " \t\r\n":
        place -= 1
    return place >= 0 and text[place] not in "[{,:"
