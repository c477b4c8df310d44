"""Lines that close a file or section: nothing goes below them. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.generated import collecting_regions

if TYPE_CHECKING:
    from memsuggest.customizations.blocks.generated import Region
    from memsuggest.customizations.blocks.sections import Layout

_CLOSING = re.compile(
    r"""
    [\W_]*
    (?: last \s (?:updated|reviewed|changed|modified) | updated \s (?:on|at) | version \s? [:\d]
      | (?:that(?:'s|\sis)) \s (?:all|it) | the \s end \b | end \s of \s (?:file|document)
      | thank(?:s|\syou) | happy \s \w+ing | have \s fun | good \s luck | welcome \s aboard
      | questions\? | (?:if|when) \s in \s doubt | for \s (?:more|further) \s (?:information|details|help)
      | (?:crafted|made|built|created|generated|powered|brought \s to \s you) \s (?:[\w-]+ \s){0,3}? (?:by|with) \b
      | proceed \s (?:now|with|by|to) \b | \$ARGUMENTS
      | see \s also | maintained \s by | written \s by | copyright | © | licen[cs]ed
      | this \s (?:file|document) \s (?:is|was)
      | zuletzt \s (?:aktualisiert|geändert) | viel \s (?:erfolg|spaß) | bei \s fragen
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How a line begins that ends a document: a date, thanks, where to ask."""
_LONGEST = 200  # characters; a longer paragraph says more than goodbye


def is_closing(block: Block, before: Block | None) -> bool:
    """Tell if the last paragraph only closes what stands above: it says goodbye, or stands below a line of its own."""
    if block.kind is not BlockKind.PARAGRAPH or len(block.text) > _LONGEST:
        return False
    if before is None or before.kind is BlockKind.HEADING:
        return False  # all that its section says
    return before.kind is BlockKind.RULE or _CLOSING.match(block.text) is not None


def region_for_rules(found: Layout) -> Region | None:
    """Return the lines `[start, end)` between comments that mark where rules are collected; None for no such place."""
    comments = [
        (block.start, block.end, " ".join(found.lines[block.start : block.end]))
        for block in found.blocks
        if block.kind is BlockKind.COMMENT
    ]
    return next(iter(collecting_regions(comments)), None)


def is_within(block: Block, region: Region) -> bool:
    """Tell whether a block stands between the marks."""
    return region[0] < block.start and block.end < region[1]
