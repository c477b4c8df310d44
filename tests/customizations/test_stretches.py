"""After an edit only what it may have changed is read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.blocks.scan import Block, blocks
from memsuggest.customizations.blocks.sections import layout, stretch_around

if TYPE_CHECKING:
    from collections.abc import Sequence

PIECES = st.sampled_from(
    [
        *("# A", "## B", "   ## C", "- a", "  - b", "  c", "1. d", "text", "more: text", "", "", "---", "===", "> q"),
        *("```", "```md", "~~~", "    code", "  # in an item", "<x>", "</x>", "<!-- begin y -->", "<!-- end y -->"),
        *("<div>", "| a | b |", "|---|---|", "[l]: x", "name: n", "<!--", "-->"),
    ]
)


def as_read(found: Sequence[Block], lines: Sequence[str]) -> list[tuple[object, ...]]:
    return [
        (
            block.kind,
            block.level,
            block.is_generated,
            block.text,
            [bare(line) for line in lines[block.start : block.end]],
        )
        for block in found
    ]


@given(st.lists(PIECES, max_size=14), st.integers(0, 14), st.integers(0, 2), st.lists(PIECES, max_size=3))
def test_the_rest_reads_as_before(lines: list[str], place: int, gone: int, added: list[str]) -> None:
    """What stands outside the stretch is read as it was, wherever an edit is and whatever it adds."""
    lines = ["# A", *lines]
    start = min(place, len(lines))
    end = min(start + gone, len(lines))
    before = "".join(f"{line}\n" for line in lines)
    after = "".join(f"{line}\n" for line in [*lines[:start], *added, *lines[end:]])
    found, new = layout(before), split_lines(after)
    stretch = stretch_around(
        found.blocks, found.anchors, new, start=start, old_end=end, shift=len(added) - (end - start)
    )
    above = [block for block in found.blocks if block.start < stretch.first]
    below = found.blocks[len(above) + len(stretch.old) :]
    read = as_read(above, found.lines) + as_read(stretch.new, new[stretch.first :]) + as_read(below, found.lines)
    assert read == as_read(blocks(after), new)
