"""The sections of a Markdown file, and where lines may be put without breaking anything. Pure, linear time."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from memsuggest.customizations.blocks.block import UNBREAKABLE, Block, BlockKind
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.blocks.scan import blocks
from memsuggest.customizations.blocks.stretches import anchors_of
from memsuggest.customizations.frontmatter.header_place import header_end
from memsuggest.model import Section

__all__ = ["Block", "BlockKind", "Layout", "blocks", "layout", "sections"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A file cut up for editing: its lines with their endings, its blocks, its sections."""

    lines: tuple[str, ...]
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    gaps: tuple[bool, ...]
    """For each line index and the end: may a line be put before it without breaking a block or generated region?"""
    body: int
    """Index of the line after the front matter."""
    anchors: tuple[int, ...]
    """The lines at which reading can begin anew (`stretches`)."""

    def may_insert(self, position: int) -> bool:
        """Tell whether a line put before the line of this index breaks into nothing."""
        return self.gaps[position]

    def within(self, section: Section) -> tuple[Block, ...]:
        """Return the blocks of one section, its heading left out."""
        first = bisect_left(self.blocks, section.start, key=_start)
        found = self.blocks[first : bisect_left(self.blocks, section.end, key=_start)]
        return tuple(
            block
            for block in found
            if not (block.kind is BlockKind.HEADING and block.start == section.start)
            and block.kind is not BlockKind.FRONT_MATTER
        )


def _start(block: Block) -> int:
    return block.start


@lru_cache(maxsize=512)
def layout(text: str) -> Layout:
    """Cut a file up for editing."""
    lines = tuple(split_lines(text))
    found = blocks(text)
    return Layout(
        lines=lines,
        blocks=found,
        sections=_sections(found, lines),
        gaps=_gaps(found, len(lines)),
        body=next((block.end for block in found if block.kind is BlockKind.FRONT_MATTER), 0),
        anchors=anchors_of(found),
    )


def sections(text: str) -> tuple[Section, ...]:
    """Cut a Markdown file (front matter or not) into its sections; there is always at least one."""
    return _sections(blocks(text), tuple(split_lines(text)))


def _sections(found: tuple[Block, ...], lines: tuple[str, ...]) -> tuple[Section, ...]:
    headings = [block for block in found if block.kind is BlockKind.HEADING and block.parent is None]
    first = headings[0].start if headings else len(lines)
    body = header_end([bare(line) for line in lines])
    result: list[Section] = []
    if not headings or any(line.strip("\ufeff \t\r\n") for line in lines[body:first]):
        result.append(Section(heading="", level=0, path=(), start=body, end=first))
    above: list[tuple[int, str]] = []
    for number, block in enumerate(headings):
        above = [outer for outer in above if outer[0] < block.level]
        above.append((block.level, block.text))
        end = headings[number + 1].start if number + 1 < len(headings) else len(lines)
        path = tuple(heading for _, heading in above)
        result.append(Section(heading=block.text, level=block.level, path=path, start=block.start, end=end))
    return tuple(result)


def _gaps(found: tuple[Block, ...], count: int) -> tuple[bool, ...]:
    gaps = [True] * (count + 1)
    for index, block in enumerate(found):
        if block.kind in UNBREAKABLE or block.kind is BlockKind.PARAGRAPH or block.kind is BlockKind.ITEM:
            gaps[block.start + 1 : block.end] = [False] * (block.end - block.start - 1)
        if block.is_generated and index and found[index - 1].is_generated:
            gaps[found[index - 1].end : block.start + 1] = [False] * (block.start + 1 - found[index - 1].end)
            gaps[block.start + 1 : block.end] = [False] * (block.end - block.start - 1)
    if found and found[0].kind in (BlockKind.FRONT_MATTER, BlockKind.WRAPPER):
        header = next((block.end for block in found if block.kind is BlockKind.FRONT_MATTER), 0)
        gaps[:header] = [False] * header
    return tuple(gaps)
