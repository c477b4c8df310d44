"""The parts of a customization file that may go, or be put right, by themselves: items, rows, command lines. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.blocks.scan import blocks
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHELLS = word_set("bash sh shell zsh console shell-session")
_ABOUT_EXAMPLES = re.compile(
    r"\b(?:examples?|e\.g|templates?|samples?|anti-?patterns?|don'?ts?|avoid|wrong|bad|before|migrat\w+|history|changelog"
    r"|deprecated|removed|planned|roadmap|future|todo)\b",
    re.IGNORECASE,
)
"""Words of headings under which names need not be those of the repository."""


class PassageKind(StrEnum):
    """The kind of a passage."""

    ITEM = "item"
    ROW = "row"
    COMMAND = "command"
    PARAGRAPH = "paragraph"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some lines of a file that say one thing."""

    kind: PassageKind
    start: int
    """Index of the first line in the whole file, from 0."""
    end: int
    """Index after the last one."""
    written: str
    """The lines as they stand."""
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
            headings = [one for one in headings if one.level < block.level] + [block]
        elif not block.is_generated and not any(_ABOUT_EXAMPLES.search(one.text) for one in headings):
            passed += _of_block(block, lines, last_of)
    return tuple(passed)


def _of_block(block: Block, lines: Sequence[str], last_of: dict[int, int]) -> Iterator[Passage]:
    if block.kind is BlockKind.ITEM:
        # Where it is numbered and not the last one, the steps after it would count wrong.
        is_last = block.number is None or last_of[block.group] == block.start
        yield _passage(PassageKind.ITEM, block, lines, is_whole=block.last == block.end and is_last)
    elif block.kind is BlockKind.PARAGRAPH:
        yield _passage(PassageKind.PARAGRAPH, block, lines, is_whole=False)
    elif block.kind is BlockKind.TABLE:
        yield from _rows(block, lines)
    elif block.kind is BlockKind.FENCE and block.text.partition(" ")[0].lower() in _SHELLS:
        yield from _commands(block, lines)


def _passage(kind: PassageKind, block: Block, lines: Sequence[str], *, is_whole: bool) -> Passage:
    written = "".join(lines[block.start : block.end])
    return Passage(kind=kind, start=block.start, end=block.end, written=written, text=block.text, is_whole=is_whole)


def _rows(block: Block, lines: Sequence[str]) -> Iterator[Passage]:
    first = block.start + 2  # behind the names of the columns, and the line below them
    for number in range(first, block.end):
        written = lines[number]
        words = " ".join(cell.strip() for cell in bare(written).strip().strip("|").split("|"))
        is_whole = block.end - first > 1
        yield Passage(
            kind=PassageKind.ROW, start=number, end=number + 1, written=written, text=words, is_whole=is_whole
        )


def _commands(block: Block, lines: Sequence[str]) -> Iterator[Passage]:
    """Yield the command lines of a fence; one that goes takes with it the comment that stands over it alone."""
    inside = range(block.start + 1, block.end - 1)
    plain = [bare(lines[number]).strip() for number in inside]
    commands = [place for place, line in enumerate(plain) if line and not line.startswith("#")]
    if any(plain[place].endswith(("\\", "<<EOF", "{", "(")) for place in commands):
        return  # a command of several lines, or a script
    for place in commands:
        first = place
        is_alone = place + 1 == len(plain) or not plain[place + 1] or plain[place + 1].startswith("#")
        while is_alone and first and plain[first - 1].startswith("#"):
            first -= 1
        yield Passage(
            kind=PassageKind.COMMAND,
            start=inside[first],
            end=inside[place] + 1,
            written="".join(lines[inside[first] : inside[place] + 1]),
            text=plain[place].removeprefix("$ "),
            is_whole=len(commands) > 1,
        )
