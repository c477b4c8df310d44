"""Finding the JSON object in what a program or a small model prints around it. Pure."""

from __future__ import annotations

import json
import re

from memsuggest.haiku.outcomes import failure

_ESCAPES = re.compile(
    r"""
    \x1b \[ [0-?]* [ -/]* [@-~]             # colours and cursor movements
    | \x1b \] [^\x07\x1b]* (?: \x07 | \x1b\\ )  # titles and links
    | \x1b [@-Z\\^_]                         # two-character sequences
    """,
    re.VERBOSE,
)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
"""What some local models say to themselves first."""
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)


def json_in(text: str) -> str:
    """Return the one JSON object in an answer; ModelError for prose, and for JSON that breaks off or is damaged.

    >>> json_in('Sure! {"facts": []}')
    '{"facts": []}'
    """
    plain = _THOUGHT.sub("", _ESCAPES.sub("", text)).strip()
    if not plain:
        raise failure("empty")
    start, end = plain.find("{"), plain.rfind("}")
    if start < 0:
        raise failure("prose", plain)
    for part in (plain, *_FENCED.findall(plain), plain[start : end + 1]):
        if _is_object(part):
            return str(part)
    raise failure("unreadable" if plain.lstrip("`json\n ").startswith("{") else "prose", plain)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
