"""The last look at an edit before a suggestion exists: does it do only what it says? Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.blocks.sections import layout
from memsuggest.customizations.blocks.stretches import stretch_around
from memsuggest.suggestions.diff import Span, touched_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RULES = (BlockKind.ITEM, BlockKind.PARAGRAPH)


def why_unsafe(before: str, after: str, *, replaced: str | None = None) -> str | None:
    """Name what an edit breaks besides what it says; None for a safe one.

    `replaced` are the lines of the text before that may be gone; without it, nothing may. What is new must be one
    list item (or paragraph), perhaps below a heading of its own.
    """
    old, new = split_lines(before), split_lines(after)
    touched = touched_lines(old, new)
    found = layout(before)
    if touched.start < found.body:
        return "it would change the front matter"
    span = _widened(touched, old, split_lines(replaced or ""))
    if span is None:
        return "it would change other lines"
    stretch = stretch_around(
        found.blocks, found.anchors, new, start=span.start, old_end=span.old_end, shift=len(new) - len(old)
    )
    first, start, end = stretch.first, span.start - stretch.first, span.new_end - stretch.first
    if _around(stretch.old, old, span.start, span.old_end) != _around(stretch.new, new[first:], start, end):
        return "it would change how the rest of the file reads"
    inside = [block for block in stretch.new if _is_inside(block, start, end)]
    if not _is_one_rule(block.kind for block in inside):
        return "it would add more than one rule"
    if any(block.is_generated for block in inside):
        return "it would stand in a region that a program writes"
    return None


def _widened(span: Span, old: Sequence[str], replaced: Sequence[str]) -> Span | None:
    """Return the span with all the lines that may be gone, some of which came back; None where others are gone."""
    wanted = [bare(line) for line in replaced]
    for start in range(span.start, max(-1, span.start - len(wanted) - 1), -1):
        end = start + len(wanted)
        if end >= span.old_end and [bare(line) for line in old[start:end]] == wanted:
            return Span(start, end, span.new_end + end - span.old_end)
    return None


def _around(found: Iterable[Block], lines: Sequence[str], start: int, end: int) -> list[tuple[object, ...]]:
    """Return the blocks outside a stretch of lines, wherever they stand; one that reaches into it counts whole."""
    return [
        (block.kind, block.level, block.is_generated, tuple(bare(line) for line in lines[block.start : block.end]))
        for block in found
        if not _is_inside(block, start, end)
    ]


def _is_inside(block: Block, start: int, end: int) -> bool:
    return start <= block.start and block.end <= end


def _is_one_rule(kinds: Iterable[BlockKind]) -> bool:
    counts = Counter(kinds)
    return sum(counts.pop(kind, 0) for kind in _RULES) == 1 and counts.pop(BlockKind.HEADING, 0) <= 1 and not counts
