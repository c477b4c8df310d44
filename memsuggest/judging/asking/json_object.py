"""Finding the JSON object in what anybody hands back: a program, a small model, the assistant in the chat. Pure."""

from __future__ import annotations

import json
import re

from memsuggest.judging.asking.outcomes import failure

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
_ATTEMPTS = 50
"""Braces in talk around an answer at which it may begin."""


def json_in(text: str) -> str:
    """Return the one JSON object in an answer, also with talk or a fence around it.

    Raises ModelError: nothing, prose, half an object, or several.

    >>> json_in('Here it is:\\n```json\\n{"facts": []}\\n```')
    '{"facts": []}'
    """
    plain = _THOUGHT.sub("", _ESCAPES.sub("", text.lstrip("\ufeff"))).strip()
    if not plain:
        raise failure("empty")
    found = _objects_in(plain)
    if len(found) > 1:
        raise failure("wrong-shape", f"{len(found)} JSON objects; expected one")
    if not found:
        raise failure("unreadable" if plain.lstrip("`json\n ").startswith("{") else "prose", plain)
    return found[0]


def _objects_in(text: str) -> list[str]:
    """Return the JSON objects in a text, one after the other."""
    found: list[str] = []
    position = text.find("{")
    for _ in range(_ATTEMPTS):
        if position < 0:
            break
        try:
            end = json.JSONDecoder().raw_decode(text, position)[1]
        except RecursionError:
            raise failure("unreadable", "nested too deeply") from None
        except json.JSONDecodeError as error:
            if error.pos >= len(text) or error.msg.startswith("Unterminated"):
                raise failure("unreadable", "unexpected end of input") from None
            end = position + 1
        else:
            found.append(text[position:end])
        position = text.find("{", end)
    return found
