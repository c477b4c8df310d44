"""Markdown as a sequence of blocks with their lines, good enough to edit between them safely. Pure, linear time.

Reads the way CommonMark does, and leans to what the author meant where a file for assistants is sloppy: sub-lists
indented too little or too much, code of a list item that stands at the margin, code fences of equal length nested in
one that shows Markdown, a whole file wrapped in one fence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from enum import StrEnum

from memsuggest.customizations import lines as line_of
from memsuggest.customizations.generated import generated_regions
from memsuggest.customizations.lines import FenceMark, ItemMark, bare, indent_of, split_lines


class BlockKind(StrEnum):
    """What a block is."""

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


_SETEXT_LIMIT = 120  # a longer line over `---` is a paragraph above a thematic break
_WRAPPERS = {"instructions", "prompt", "chatmode", "chatagent", "agent", "skill"}
_SHOWS_MARKDOWN = {"markdown", "md", "mdx", "text", "txt"}
_HEADER_EDGE = re.compile(r"---\s*")
_HEADER_KEY = re.compile(r"[\w-]+[ \t]*:")


def blocks(text: str) -> tuple[Block, ...]:
    """Cut a file into its blocks, in order; an item stands before what is nested in it."""
    scan = _Scan([bare(line) for line in split_lines(text)])
    position = scan.read_header()
    while position < len(scan.lines):
        position = scan.read_block(position)
    return scan.finished()


def header_end(lines: list[str]) -> int:
    """Return the index after the front matter, or 0; tolerates a BOM, blank lines and a wrapping fence before it."""
    start = _header_start(lines)
    if start is None:
        return 0
    for index in range(start + 1, len(lines)):
        if _HEADER_EDGE.fullmatch(lines[index]):
            return index + 1
    return 0


def _header_start(lines: list[str]) -> int | None:
    for index, line in enumerate(lines):
        content = line.removeprefix("\ufeff") if index == 0 else line
        fence = line_of.fence_of(content)
        if not content.strip() or (fence and fence.info.lower() in _WRAPPERS):
            continue
        is_first = index == 0 and content == line
        following = lines[index + 1] if index + 1 < len(lines) else ""
        is_header = _HEADER_EDGE.fullmatch(content) and (is_first or _HEADER_KEY.match(following))
        return index if is_header else None
    return None


def _is_sloppy_child(item: ItemMark, holder: Block) -> bool:
    """Tell whether an item indented less than its parent's text was still meant to stand below it."""
    is_other_sort = (item.number is None) != (holder.number is None)
    return item.indent >= holder.indent + 2 and (is_other_sort or holder.number is None)


def _mark_generated(found: list[Block], lines: list[str]) -> list[Block]:
    comments = [
        (block.start, block.end, " ".join(lines[block.start : block.end]))
        for block in found
        if block.kind is BlockKind.COMMENT
    ]
    regions = generated_regions(comments)
    if not regions:
        return found
    starts = [start for start, _ in regions]

    def is_inside(block: Block) -> bool:
        region = bisect_right(starts, block.start) - 1
        return region >= 0 and block.start < regions[region][1]

    return [replace(block, is_generated=True) if is_inside(block) else block for block in found]


class _Scan:
    """The state of one pass over the lines: which items are open, and the blocks so far."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Block] = []
        self.open: list[int] = []
        self.groups = 0
        self.group_tail: dict[int | None, int] = {}
        """Per parent: the last item of its list that may still go on."""
        self.may_nest_fences = True

    def read_header(self) -> int:
        end = header_end(self.lines)
        if not end:
            return 0
        start = _header_start(self.lines) or 0
        for index in range(start):
            if self.lines[index].strip("\ufeff \t"):
                self.found.append(Block(kind=BlockKind.WRAPPER, start=index, end=index + 1))
        self.found.append(Block(kind=BlockKind.FRONT_MATTER, start=start, end=end))
        return end

    def read_block(self, position: int) -> int:
        line = self.lines[position]
        if not line.strip("\ufeff \t"):
            return position + 1
        self._leave_items(position)
        for read in (
            self._read_fence,
            self._read_code,
            self._read_heading,
            self._read_rule,
            self._read_item,
            self._read_quote,
            self._read_tag,
            self._read_html,
            self._read_table,
            self._read_definition,
        ):
            end = read(position)
            if end is not None:
                return end
        return self._read_paragraph(position)

    def finished(self) -> tuple[Block, ...]:
        last = [block.end for block in self.found]
        for index in range(len(self.found) - 1, -1, -1):
            parent = self.found[index].parent
            if parent is not None:
                last[parent] = max(last[parent], last[index])
        done = [replace(block, last=end) for block, end in zip(self.found, last, strict=True)]
        return tuple(_mark_generated(done, self.lines))

    # ---- lists ----

    @property
    def container(self) -> int:
        """The column at which the text of the innermost open item begins."""
        return self.found[self.open[-1]].content_indent if self.open else 0

    def _leave_items(self, position: int) -> None:
        indent = indent_of(self.lines[position])
        item = line_of.item_of(self.lines[position])
        while self.open:
            holder = self.found[self.open[-1]]
            if indent >= holder.content_indent or (item and _is_sloppy_child(item, holder)):
                return
            self.open.pop()

    def _read_item(self, position: int) -> int | None:
        item = line_of.item_of(self.lines[position])
        if item is None or (not self.open and item.indent >= line_of.TAB):
            return None
        parent = self.open[-1] if self.open else None
        end = self._text_end(position + 1, in_list=True) if item.text else position + 1
        words = [item.text, *(line.strip() for line in self.lines[position + 1 : end])]
        group, is_loose = self._group_of(item, parent, position)
        index = self._add(
            BlockKind.ITEM,
            position,
            end,
            indent=item.indent,
            text=" ".join(words),
            level=len(self.open),
            mark=item.mark,
            number=item.number,
            task=item.task,
            content_indent=item.content_indent,
            group=group,
            is_loose=is_loose,
        )
        self.group_tail[parent] = index
        self.open.append(index)
        return end

    def _group_of(self, item: ItemMark, parent: int | None, position: int) -> tuple[int, bool]:
        tail = self.group_tail.get(parent)
        if tail is not None:
            before = self.found[tail]
            is_same_mark = item.mark[-1] == before.mark[-1]
            goes_on = self._is_adjacent(tail) or (item.number is not None and item.number == (before.number or 0) + 1)
            if is_same_mark and goes_on:
                return before.group, not self.lines[position - 1].strip()
        self.groups += 1
        return self.groups, False

    def _is_adjacent(self, tail: int) -> bool:
        """Tell whether everything since that item is nested in it."""
        parent = self.found[-1].parent
        index = len(self.found) - 1
        while parent is not None and index > tail:
            index, parent = parent, self.found[parent].parent
        return index == tail

    # ---- other blocks, each: the index after it, or None when there is none here ----

    def _read_heading(self, position: int) -> int | None:
        heading = line_of.heading_of(self._inner(position))
        if heading is None:
            return None
        level, text = heading
        self._add(BlockKind.HEADING, position, position + 1, text=text, level=level, mark="#" * level)
        if not self.open:
            self.group_tail.clear()
        return position + 1

    def _read_rule(self, position: int) -> int | None:
        if not line_of.is_rule(self.lines[position]):
            return None
        self._add(BlockKind.RULE, position, position + 1)
        return position + 1

    def _read_fence(self, position: int) -> int | None:
        fence = line_of.fence_of(self.lines[position])
        if fence is None or indent_of(self.lines[position]) - self.container >= line_of.TAB:
            return None
        end = self._nested_fence_end(position, fence) or self._fence_end(position, fence)
        self._add(BlockKind.FENCE, position, end, text=fence.info, mark=fence.mark)
        return end

    def _fence_end(self, position: int, fence: FenceMark) -> int:
        for index in range(position + 1, len(self.lines)):
            other = line_of.fence_of(self.lines[index])
            if other and fence.is_closed_by(other):
                return index + 1
        return len(self.lines)

    def _nested_fence_end(self, position: int, fence: FenceMark) -> int | None:
        """Find the end of fenced Markdown that holds fences of the same length, if all of them are closed."""
        if not self.may_nest_fences or fence.info.split(" ")[0].lower() not in _SHOWS_MARKDOWN:
            return None
        depth = 1
        for index in range(position + 1, len(self.lines)):
            other = line_of.fence_of(self.lines[index])
            if other is None or other.mark != fence.mark:
                continue
            depth += 1 if other.info else -1
            if depth == 0:
                return index + 1
        self.may_nest_fences = False
        return None

    def _read_code(self, position: int) -> int | None:
        if not self._is_code(position):
            return None
        end = position + 1
        while end < len(self.lines) and self._is_code(end):
            end += 1
        self._add(BlockKind.INDENTED_CODE, position, end)
        return end

    def _is_code(self, position: int) -> bool:
        line = self.lines[position]
        return (
            bool(line.strip()) and indent_of(line) - self.container >= line_of.TAB and not self._is_deep_item(position)
        )

    def _is_deep_item(self, position: int) -> bool:
        is_after_text = position > 0 and bool(self.lines[position - 1].strip())
        return bool(self.open) and is_after_text and line_of.item_of(self.lines[position]) is not None

    def _read_quote(self, position: int) -> int | None:
        if not self.lines[position].lstrip(" \t").startswith(">"):
            return None
        end = position + 1
        while end < len(self.lines) and (self.lines[end].lstrip(" \t").startswith(">") or self._goes_on(end)):
            end += 1
        self._add(BlockKind.QUOTE, position, end)
        return end

    def _read_tag(self, position: int) -> int | None:
        tag = line_of.tag_of(self.lines[position])
        if tag is None:
            return None
        name, is_closing = tag
        self._add(BlockKind.TAG, position, position + 1, text=name, level=0 if is_closing else 1)
        return position + 1

    def _read_html(self, position: int) -> int | None:
        closing = line_of.html_end(self._inner(position))
        if closing is None:
            return None
        end = position + 1
        if closing:
            seen = self.lines[position].lstrip(" \t")[4 if closing == "-->" else 1 :].lower()
            while closing.lower() not in seen and end < len(self.lines):
                seen = self.lines[end].lower()
                end += 1
        else:
            while end < len(self.lines) and self.lines[end].strip():
                end += 1
        self._add(BlockKind.COMMENT if closing == "-->" else BlockKind.HTML, position, end)
        return end

    def _read_table(self, position: int) -> int | None:
        if not self._is_table(position):
            return None
        end = position + 2
        while end < len(self.lines) and self._goes_on(end):
            end += 1
        self._add(BlockKind.TABLE, position, end)
        return end

    def _read_definition(self, position: int) -> int | None:
        if not line_of.is_definition(self.lines[position]):
            return None
        self._add(BlockKind.DEFINITION, position, position + 1)
        return position + 1

    def _read_paragraph(self, position: int) -> int:
        end = self._text_end(position + 1)
        text = " ".join(line.strip("\ufeff \t") for line in self.lines[position:end])
        level = line_of.underline_of(self.lines[end]) if end < len(self.lines) and not self.open else None
        is_title = level == 1 or (level == 2 and end == position + 1 and len(text) <= _SETEXT_LIMIT)
        if level and is_title:
            self._add(BlockKind.HEADING, position, end + 1, text=text, level=level, mark="=-"[level - 1])
            self.group_tail.clear()
            return end + 1
        self._add(BlockKind.PARAGRAPH, position, end, text=text)
        return end

    # ---- lines that go on ----

    def _text_end(self, position: int, *, in_list: bool = False) -> int:
        while position < len(self.lines) and self._goes_on(position, in_list=in_list):
            position += 1
        return position

    def _goes_on(self, position: int, *, in_list: bool = False) -> bool:
        """Tell whether the line only carries on the text before it."""
        line = self.lines[position]
        inner = self._inner(position)
        if not line.strip() or line_of.fence_of(line) or line_of.is_rule(line) or line_of.heading_of(inner):
            return False
        if line.lstrip(" \t").startswith(">") or line_of.tag_of(line) or line_of.html_end(inner) is not None:
            return False
        if self._is_table(position) or (not self.open and line_of.underline_of(line)):
            return False
        item = line_of.item_of(line)
        return item is None or not (in_list or self.open or (item.text and item.number in (None, 1)))

    def _is_table(self, position: int) -> bool:
        if "|" not in self.lines[position] or position + 1 >= len(self.lines):
            return False
        return line_of.is_table_rule(self.lines[position + 1])

    def _inner(self, position: int) -> str:
        """Return the line without the indent of the item it stands in."""
        line = self.lines[position]
        surplus = indent_of(line) - self.container
        return " " * surplus + line.lstrip(" \t") if self.open and surplus >= 0 else line.removeprefix("\ufeff")

    def _add(self, kind: BlockKind, start: int, end: int, **fields: object) -> int:
        parent = self.open[-1] if self.open else None
        fields.setdefault("indent", indent_of(self.lines[start]))
        self.found.append(Block(kind=kind, start=start, end=end, parent=parent, **fields))  # type: ignore[arg-type]
        return len(self.found) - 1
