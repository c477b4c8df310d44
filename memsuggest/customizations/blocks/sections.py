"""Parts of a Markdown file: sections, where lines may be put, what an edit changes, what may go by itself. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memsuggest.core.model import Section
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.blocks.scan import UNBREAKABLE, Block, BlockKind, blocks
from memsuggest.customizations.frontmatter import header_end


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

    def may_insert(self, position: int) -> bool:
        """Tell whether a line put before the line of this index breaks into nothing."""
        return self.gaps[position]

    def within(self, section: Section) -> tuple[Block, ...]:
        """Return the blocks of one section, its heading left out."""
        first, last = (
            bisect_left(self.blocks, at, key=lambda block: block.start) for at in (section.start, section.end)
        )
        return tuple(
            block
            for block in self.blocks[first:last]
            if not (block.kind is BlockKind.HEADING and block.start == section.start)
            and block.kind is not BlockKind.FRONT_MATTER
        )


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
    )


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


_SHELLS = word_set("bash sh shell zsh console shell-session")
_ABOUT_EXAMPLES = re.compile(
    r"\b(?:examples?|e\.g|templates?|samples?|anti-?patterns?|don'?ts?|avoid|wrong|bad|before|migrat\w+|history|changelog"
    r"|deprecated|removed|planned|roadmap|future|todo)\b",
    re.IGNORECASE,
)
"""Words of headings under which names need not be those of the repository."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some lines of a file that say one thing: an item, a paragraph, the row of a table, a command of a fence."""

    kind: BlockKind
    """Of the block that it is, or stands in."""
    start: int
    """Index of the first line in the whole file, from 0."""
    end: int
    written: str
    text: str
    """Their words on one line, without marks."""
    is_whole: bool = True
    """Whether it can be taken out without leaving something behind that makes no sense."""


@lru_cache(maxsize=256)
def passages(text: str) -> tuple[Passage, ...]:
    """Cut a file into its passages, but for what stands under a heading of examples or is written by a program."""
    lines = split_lines(text)
    found = blocks(text)
    last_of = {block.group: block.start for block in found if block.kind is BlockKind.ITEM}
    passed: list[Passage] = []
    headings: list[Block] = []
    for block in found:
        if block.kind is BlockKind.HEADING:
            headings = [heading for heading in headings if heading.level < block.level] + [block]
        elif not block.is_generated and not any(_ABOUT_EXAMPLES.search(heading.text) for heading in headings):
            passed += _of_block(block, lines, last_of)
    return tuple(passed)


def _of_block(block: Block, lines: Sequence[str], last_of: dict[int, int]) -> Iterator[Passage]:
    def passage(start: int, end: int, text: str, *, is_whole: bool) -> Passage:
        written = "".join(lines[start:end])
        return Passage(kind=block.kind, start=start, end=end, written=written, text=text, is_whole=is_whole)

    if block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH):
        # Where it is numbered and not the last one, the steps after it would count wrong.
        is_last = block.kind is BlockKind.ITEM and (block.number is None or last_of[block.group] == block.start)
        yield passage(block.start, block.end, block.text, is_whole=block.last == block.end and is_last)
    elif block.kind is BlockKind.TABLE:
        first = block.start + 2  # behind the names of the columns, and the line below them
        for number in range(first, block.end):
            words = " ".join(cell.strip() for cell in bare(lines[number]).strip().strip("|").split("|"))
            yield passage(number, number + 1, words, is_whole=block.end - first > 1)
    elif block.kind is BlockKind.FENCE and block.text.partition(" ")[0].lower() in _SHELLS:
        inside = range(block.start + 1, block.end - 1)
        plain = [bare(lines[number]).strip() for number in inside]
        commands = [place for place, line in enumerate(plain) if line and not line.startswith("#")]
        if any(plain[place].endswith(("\\", "<<EOF", "{", "(")) for place in commands):
            return  # a command of several lines, or a script
        for place in commands:
            first = place  # one that goes takes with it the comment that stands over it alone
            is_alone = place + 1 == len(plain) or not plain[place + 1] or plain[place + 1].startswith("#")
            while is_alone and first and plain[first - 1].startswith("#"):
                first -= 1
            text = plain[place].removeprefix("$ ")
            yield passage(inside[first], inside[place] + 1, text, is_whole=len(commands) > 1)
