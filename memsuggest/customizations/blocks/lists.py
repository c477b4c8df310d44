"""List items that are open at a line, and the lists that items make. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.line_kinds import indent_of, item_of

if TYPE_CHECKING:
    from memsuggest.customizations.blocks.block import Block
    from memsuggest.customizations.blocks.line_kinds import ItemMark


def _is_sloppy_child(item: ItemMark, holder: Block) -> bool:
    """Tell whether an item indented less than its parent's text was still meant to stand below it."""
    is_other_sort = (item.number is None) != (holder.number is None)
    return item.indent >= holder.indent + 2 and (is_other_sort or holder.number is None)


class OpenItems:
    """The nested items that the current line stands in, innermost last; indices into the blocks found so far."""

    def __init__(self, found: list[Block]) -> None:
        self._found = found
        self._open: list[int] = []
        self._groups = 0
        self._tail: dict[int | None, int] = {}
        """Per parent: the last item of its list, which may still go on."""

    def __len__(self) -> int:
        return len(self._open)

    @property
    def parent(self) -> int | None:
        """The innermost open item."""
        return self._open[-1] if self._open else None

    @property
    def column(self) -> int:
        """The column at which the text of the innermost open item begins."""
        return self._found[self._open[-1]].content_indent if self._open else 0

    def leave(self, line: str) -> None:
        """Close the items that this line does not stand in."""
        if not self._open:
            return
        indent, item = indent_of(line), item_of(line)
        while self._open:
            holder = self._found[self._open[-1]]
            if indent >= holder.content_indent or (item and _is_sloppy_child(item, holder)):
                return
            self._open.pop()

    def enter(self, index: int) -> None:
        """Open the item at this index."""
        self._tail[self.parent] = index
        self._open.append(index)

    def end_lists(self) -> None:
        """Let no list of the outermost level go on, as after a heading."""
        if not self._open:
            self._tail.clear()

    def group_of(self, item: ItemMark) -> tuple[int, bool]:
        """Return the number of the list that the item belongs to, and whether it is not the first there."""
        tail = self._tail.get(self.parent)
        if tail is not None:
            before = self._found[tail]
            is_next_number = item.number is not None and item.number == (before.number or 0) + 1
            if item.mark[-1] == before.mark[-1] and (is_next_number or self._is_adjacent(tail)):
                return before.group, True
        self._groups += 1
        return self._groups, False

    def _is_adjacent(self, tail: int) -> bool:
        """Tell whether everything since that item is nested in it."""
        index: int | None = len(self._found) - 1
        while index is not None and index > tail:
            index = self._found[index].parent
        return index == tail
