"""JSON with comments and trailing commas, as editors write their settings."""

from __future__ import annotations

import json
import re

# A string is matched first, so that comment marks inside it stay; all alternatives are disjoint in their first
# character or two, which keeps the scan linear.
_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
_COMMENTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def loads(text: str) -> object:
    """Parse JSON that may have comments, trailing commas and a byte order mark; raises ValueError."""
    bare = _COMMENTS.sub(_keep_strings, text.removeprefix("\ufeff"))
    try:
        parsed: object = json.loads(_TOKENS.sub(_keep_strings, bare))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return parsed


def _keep_strings(match: re.Match[str]) -> str:
    found = match.group()
    return found if found.startswith('"') else ""
