"""The part of a file that an edit may change the reading of, so that only that is read again. Pure.

A heading of the outermost level ends all that is open, so what stands before one and after the next reads as it did.
Files in which something reaches further (a comment that may mark a generated region, a fence that shows Markdown, half
a header) have no such places, and are read again whole.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.scan import blocks, shows_markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

_OPENINGS = (BlockKind.FRONT_MATTER, BlockKind.HEADING)


def anchors_of(found: Sequence[Block]) -> tuple[int, ...]:
    """Return the lines at which reading can begin anew, ascending; none for a file in which something reaches far."""
    if not found or found[0].kind not in _OPENINGS or any(map(_reaches_far, found)):
        return ()
    return tuple(block.start for block in found if _is_anchor(block))


def _is_anchor(block: Block) -> bool:
    return block.kind is BlockKind.HEADING and block.parent is None and block.mark[:1] == "#"


def _reaches_far(block: Block) -> bool:
    if block.kind is BlockKind.FENCE:
        return shows_markdown(block.text)
    return block.is_generated or block.kind in (BlockKind.COMMENT, BlockKind.WRAPPER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The same part of a file before and after an edit."""

    first: int
    """Index of its first line, in both."""
    old: tuple[Block, ...]
    """The blocks that were there, with their places in the file."""
    new: tuple[Block, ...]
    """The blocks that are there now, with their places counted from `first`."""


def stretch_around(
    known: Sequence[Block], anchors: Sequence[int], new: Sequence[str], *, start: int, old_end: int, shift: int
) -> Stretch:
    """Read again what the lines `[start, old_end)` stand in; `new` are all lines now, `shift` how many were added."""
    above, below = bisect_left(anchors, start) - 1, bisect_left(anchors, old_end)
    if above >= 0:
        first, last = anchors[above], anchors[below] if below < len(anchors) else None
        heading = None if last is None else last + shift
        found = blocks("".join(new[first : None if heading is None else heading + 1]))
        if not any(map(_reaches_far, found)) and (heading is None or _ends_with(found, heading - first)):
            kept = found if heading is None else found[:-1]
            return Stretch(first=first, old=_between(known, first, last), new=kept)
    return Stretch(first=0, old=tuple(known), new=blocks("".join(new)))


def _ends_with(found: Sequence[Block], heading: int) -> bool:
    """Tell whether the heading that follows is still one."""
    return bool(found) and _is_anchor(found[-1]) and found[-1].start == heading


def _between(known: Sequence[Block], first: int, last: int | None) -> tuple[Block, ...]:
    begin = bisect_left(known, first, key=_start)
    return tuple(known[begin:] if last is None else known[begin : bisect_left(known, last, key=_start)])


def _start(block: Block) -> int:
    return block.start
