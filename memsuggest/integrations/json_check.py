"""A second reading of JSON with comments, sign by sign: held against an edit before it is written. Pure.

Shares nothing with `jsonc` and `json_edit`, so that a mistake there cannot hide here.
"""

from __future__ import annotations

from typing import NamedTuple

import orjson


class Reading(NamedTuple):
    """A text's value, and its comments in their order."""

    value: object
    comments: tuple[str, ...]


def reading_of(text: str) -> Reading:
    """Return what a text says; raises ValueError for what is no JSON with comments."""
    kept: list[str] = []
    comments: list[str] = []
    place, text = 0, text.removeprefix("\ufeff")
    while place < len(text):
        end = _end_of(text, place)
        piece = text[place:end]
        if piece.startswith(("//", "/*")):
            comments.append(piece)
            kept.append(" ")
        else:
            kept.append(piece)
        place = end
    return Reading(orjson.loads("".join(_without_trailing_commas(kept))), tuple(comments))


def _end_of(text: str, place: int) -> int:
    """Return where the string, the comment or the single sign at a place ends."""
    if text.startswith("//", place):
        ends = [found for found in (text.find("\n", place), text.find("\r", place)) if found >= 0]
        return min(ends, default=len(text))
    if text.startswith("/*", place):
        end = text.find("*/", place + 2)
        if end < 0:
            raise ValueError("a comment has no end")
        return end + 2
    if text[place] != '"':
        return place + 1
    place += 1
    while place < len(text) and text[place] != '"':
        place += 2 if text[place] == "\\" else 1
    return place + 1


def _without_trailing_commas(pieces: list[str]) -> list[str]:
    """Take out each comma between a value and the bracket that closes it."""
    last = before = -1  # the last two pieces that are no white space
    for number, piece in enumerate(pieces):
        if piece.isspace():
            continue
        is_closing = piece in ("}", "]")
        if (
            is_closing
            and last >= 0
            and pieces[last] == ","
            and before >= 0
            and pieces[before] not in ("[", "{", ",", ":")
        ):
            pieces[last] = " "
        before, last = last, number
    return pieces
