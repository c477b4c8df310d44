"""Salvage of a shared file that cannot be parsed: the sides of a conflict, and every whole entry. Pure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from memsuggest.errors import StoreError
from memsuggest.memory import codec, entries
from memsuggest.memory.branch_merge import merge
from memsuggest.memory.entry_fields import PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.memory.codec import Document

_MARK = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: [^\n]*|\r)?")
_SIDES = {"<": "ours", "|": "base", "=": "theirs", ">": "both"}
_ENTRY = re.compile(r'\{\s*"')


def sides_of(text: str) -> tuple[str, str, str] | None:
    """Return the base, ours and theirs of a text with conflict markers; an empty base where git wrote none."""
    kept: dict[str, list[str]] = {"base": [], "ours": [], "theirs": []}
    here, seen = "both", set()
    for line in text.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark:
            here = _SIDES[mark[1][0]]
            seen.add(here)
            continue
        for side in kept if here == "both" else (here,):
            kept[side].append(line)
    if not seen:
        return None
    base, ours, theirs = ("\n".join(kept[side]) for side in ("base", "ours", "theirs"))
    return ("" if "base" not in seen else base, ours, theirs)


def saved(text: str, *, name: str) -> Document:
    """Return all that a text holds, however damaged; of its sides in a conflict, all that either has."""
    sides = sides_of(text)
    if sides is None:
        return _whole_or_pieces(text, name)
    base, ours, theirs = (_whole_or_pieces(side, name) if side.strip() else codec.Document() for side in sides)
    # Without a base nobody knows what a side took out: what is there on one side stays.
    return merge(base, ours, theirs).document


def _whole_or_pieces(text: str, name: str) -> Document:
    try:
        return codec.parse(text.removeprefix("\ufeff"), name=name)
    except StoreError as error:
        if "newer" in error.message:
            raise
    parts: dict[str, list[object]] = {part: [] for part in PARTS}
    for entry in _pieces(text):
        for part in PARTS:
            if _is_of(part, entry):
                parts[part].append(entry)
                break
    return codec.parse(json.dumps({"version": codec.VERSION, **parts}), name=name)


def _is_of(part: str, entry: dict[str, object]) -> bool:
    is_decision = "factId" in entry
    is_fact = "content" in entry
    if part != ("decisions" if is_decision else "facts" if is_fact else "tombstones"):
        return False
    return not any(entries.problems(part, entry))


def _pieces(text: str) -> Iterator[dict[str, object]]:
    """Yield every object in a text that is whole by itself; those inside another one belong to it."""
    decoder, place = json.JSONDecoder(), 0
    while found := _ENTRY.search(text, place):
        place = found.end()
        try:
            entry, place = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and ("id" in entry or "factId" in entry):
            yield entry
        else:
            place = found.end()
