"""A block of Markdown: its kind, its lines, its place. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """The kind of a block."""

    FRONT_MATTER = "front matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    TABLE = "table"
    FENCE = "fence"
    INDENTED_CODE = "indented code"
    QUOTE = "quote"
    COMMENT = "comment"
    HTML = "html"
    TAG = "tag"
    """One line that is a tag such as `<rules>`; what it encloses is read as Markdown."""
    RULE = "rule"
    DEFINITION = "definition"
    WRAPPER = "wrapper"
    """The fence around a whole file, as some editors once wrote it."""


UNBREAKABLE = frozenset(
    {
        BlockKind.FRONT_MATTER,
        BlockKind.TABLE,
        BlockKind.FENCE,
        BlockKind.INDENTED_CODE,
        BlockKind.QUOTE,
        BlockKind.COMMENT,
        BlockKind.HTML,
        BlockKind.HEADING,
    }
)
"""Kinds that nothing may be put inside of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Some lines that belong together."""

    kind: BlockKind
    start: int
    """Index of the first line in the whole file, from 0."""
    end: int
    """Index after its own last line; of an item: after its own text, before what is nested in it."""
    last: int = 0
    """Index after everything nested in it, without trailing blank lines; `end` for all but items."""
    indent: int = 0
    """Columns before its mark or text."""
    text: str = ""
    """Heading, paragraph, item: its words on one line, without marks. Tag: its name. Fence: its info string."""
    level: int = 0
    """Heading: 1 to 6. Item: depth in nested lists, from 0. Tag: 1 opens, 0 closes."""
    mark: str = ""
    """Item: `-`, `*`, `+`, `•`, `1.`, `1)`. Heading: `#`s, or the underline's sign. Fence: its sign."""
    number: int | None = None
    """A numbered item's number."""
    task: str = ""
    """A checklist entry's `[ ]` or `[x]`."""
    content_indent: int = 0
    """Item: the column to which its further lines are indented."""
    parent: int | None = None
    """Index, among the blocks, of the item that it stands in."""
    group: int = -1
    """Items of the same list have the same number."""
    is_loose: bool = False
    """Item: a blank line stands before it and the item before it in its list."""
    is_generated: bool = False
    """Stands between `<!-- BEGIN … -->` and `<!-- END … -->` markers or their like."""
