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

from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks import line_kinds as line_of
from memsuggest.customizations.blocks.line_kinds import FenceMark, ItemMark, bare, indent_of, item_of, split_lines
from memsuggest.customizations.frontmatter.header_place import header_end, header_start


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


_SETEXT_LIMIT = 120  # a longer line over `---` is a paragraph above a thematic break
_SHOWS_MARKDOWN = {"markdown", "md", "mdx", "text", "txt"}


def blocks(text: str) -> tuple[Block, ...]:
    """Cut a file into its blocks, in order; an item stands before what is nested in it."""
    scan = _Scan([bare(line) for line in split_lines(text)])
    position = scan.read_header()
    while position < len(scan.lines):
        position = scan.read_block(position)
    return scan.finished()


def shows_markdown(info: str) -> bool:
    return info.partition(" ")[0].lower() in _SHOWS_MARKDOWN


def _is_plain(line: str) -> bool:
    return line.lstrip(" \t")[:1].isalpha() and "|" not in line


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
        self.items = OpenItems(self.found)
        self.may_nest_fences = True

    def read_header(self) -> int:
        end = header_end(self.lines)
        if not end:
            return 0
        start = header_start(self.lines) or 0
        for index in range(start):
            if self.lines[index].strip("\ufeff \t"):
                self.found.append(Block(kind=BlockKind.WRAPPER, start=index, end=index + 1, last=index + 1))
        self.found.append(Block(kind=BlockKind.FRONT_MATTER, start=start, end=end, last=end))
        return end

    def read_block(self, position: int) -> int:
        line = self.lines[position]
        if not line.strip("\ufeff \t"):
            return position + 1
        self.items.leave(line)
        if _is_plain(line) and indent_of(line) - self.items.column < line_of.TAB:
            return self._read_paragraph(position)
        for read in _READERS:
            end = read(self, position)
            if end is not None:
                return end
        return self._read_paragraph(position)

    def finished(self) -> tuple[Block, ...]:
        last = [block.end for block in self.found]
        for index in range(len(self.found) - 1, -1, -1):
            parent = self.found[index].parent
            if parent is not None:
                last[parent] = max(last[parent], last[index])
        pairs = zip(self.found, last, strict=True)
        done = [block if block.last == end else replace(block, last=end) for block, end in pairs]
        return tuple(_mark_generated(done, self.lines))

    def _read_item(self, position: int) -> int | None:
        item = line_of.item_of(self.lines[position])
        if item is None or (not self.items and item.indent >= line_of.TAB):
            return None
        end = self._text_end(position + 1, in_list=True) if item.text else position + 1
        words = [item.text, *(line.strip() for line in self.lines[position + 1 : end])]
        group, goes_on = self.items.group_of(item)
        self._add(
            BlockKind.ITEM,
            position,
            end,
            indent=item.indent,
            text=" ".join(words),
            level=len(self.items),
            mark=item.mark,
            number=item.number,
            task=item.task,
            content_indent=item.content_indent,
            group=group,
            is_loose=goes_on and not self.lines[position - 1].strip(),
        )
        self.items.enter(len(self.found) - 1)
        return end

    def _read_heading(self, position: int) -> int | None:
        heading = line_of.heading_of(self._inner(position))
        if heading is None:
            return None
        level, text = heading
        self._add(BlockKind.HEADING, position, position + 1, text=text, level=level, mark="#" * level)
        self.items.end_lists()
        return position + 1

    def _read_rule(self, position: int) -> int | None:
        if not line_of.is_rule(self.lines[position]):
            return None
        self._add(BlockKind.RULE, position, position + 1)
        return position + 1

    def _read_fence(self, position: int) -> int | None:
        fence = line_of.fence_of(self.lines[position])
        if fence is None or indent_of(self.lines[position]) - self.items.column >= line_of.TAB:
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
        if not self.may_nest_fences or not shows_markdown(fence.info):
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
        is_deep = bool(line.strip()) and indent_of(line) - self.items.column >= line_of.TAB
        return is_deep and not self._is_deep_item(position)

    def _is_deep_item(self, position: int) -> bool:
        is_after_text = position > 0 and bool(self.lines[position - 1].strip())
        return bool(self.items) and is_after_text and line_of.item_of(self.lines[position]) is not None

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
        level = line_of.underline_of(self.lines[end]) if end < len(self.lines) and not self.items else None
        is_title = level == 1 or (level == 2 and end == position + 1 and len(text) <= _SETEXT_LIMIT)
        if level and is_title:
            self._add(BlockKind.HEADING, position, end + 1, text=text, level=level, mark="=-"[level - 1])
            self.items.end_lists()
            return end + 1
        self._add(BlockKind.PARAGRAPH, position, end, text=text)
        return end

    def _text_end(self, position: int, *, in_list: bool = False) -> int:
        while position < len(self.lines) and self._goes_on(position, in_list=in_list):
            position += 1
        return position

    def _goes_on(self, position: int, *, in_list: bool = False) -> bool:
        """Tell whether the line only carries on the text before it."""
        line = self.lines[position]
        if _is_plain(line):
            return True
        inner = self._inner(position)
        if not line.strip() or line_of.fence_of(line) or line_of.is_rule(line) or line_of.heading_of(inner):
            return False
        if line.lstrip(" \t").startswith(">") or line_of.tag_of(line) or line_of.html_end(inner) is not None:
            return False
        if self._is_table(position) or (not self.items and line_of.underline_of(line)):
            return False
        item = line_of.item_of(line)
        return item is None or not (in_list or self.items or (item.text and item.number in (None, 1)))

    def _is_table(self, position: int) -> bool:
        if "|" not in self.lines[position] or position + 1 >= len(self.lines):
            return False
        return line_of.is_table_rule(self.lines[position + 1])

    def _inner(self, position: int) -> str:
        line = self.lines[position]
        surplus = indent_of(line) - self.items.column
        return " " * surplus + line.lstrip(" \t") if self.items and surplus >= 0 else line.removeprefix("\ufeff")

    def _add(self, kind: BlockKind, start: int, end: int, **fields: object) -> None:
        fields.setdefault("indent", indent_of(self.lines[start]))
        block = Block(kind=kind, start=start, end=end, last=end, parent=self.items.parent, **fields)  # type: ignore[arg-type]
        self.found.append(block)


_READERS = (
    _Scan._read_fence,
    _Scan._read_code,
    _Scan._read_heading,
    _Scan._read_rule,
    _Scan._read_item,
    _Scan._read_quote,
    _Scan._read_tag,
    _Scan._read_html,
    _Scan._read_table,
    _Scan._read_definition,
)
"""Tried in this order on a line: each returns the index after its block, or None."""


def _is_sloppy_child(item: ItemMark, holder: Block) -> bool:
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
        index: int | None = len(self._found) - 1
        while index is not None and index > tail:
            index = self._found[index].parent
        return index == tail


_TOKEN = re.compile(r"/?[a-z0-9]+")
_BEGINS = {"begin", "start"}
_ENDS = {"end", "stop", "finish"}
_SHORT = {"toc": ["begin", "toc"], "tocstop": ["end", "toc"]}
"""Markers of one word, and what they mean."""
_LINTERS = {"prettier", "markdownlint", "eslint", "textlint", "cspell", "vale", "remark", "lint"}
_NAMED_SECTION = re.compile(r"<!--\s*</?[\w.-]+>\s*-->")
"""`<!-- <build-rules> -->`: people name their sections so, to point to them; tools do not."""
_WHOLE_FILE = re.compile(
    r"auto-?generated|automatically generated|generated (?:by|from|with)\b|do not (?:edit|modify|change)(?: this file)?"
    r"(?: (?:by hand|manually|directly))?(?=[\s.!,;:*>)-]|$)",
    re.IGNORECASE,
)
_HEAD = 12  # lines of a file in which it says that it is generated

Region = tuple[int, int]
"""Line indices `[start, end)`, markers included."""


_COLLECTING = word_set("rules conventions learnings learned lessons memories preferences guidelines notes gotchas")
_OWN = word_set("team project our own custom local user your repo shared add new more here here's for the the of and")


def generated_regions(comments: list[tuple[int, int, str]]) -> list[Region]:
    """Pair the comments `(start, end, text)` that mark where a tool's text begins and ends; outermost regions only."""
    return _outermost([region for region, names in _marked_regions(comments) if not _is_collecting(names)])


def _is_collecting(names: frozenset[str]) -> bool:
    return bool(names & _COLLECTING) and names <= _COLLECTING | _OWN


def _marked_regions(comments: list[tuple[int, int, str]]) -> list[tuple[Region, frozenset[str]]]:
    openers: dict[str, list[int]] = {}
    regions: list[tuple[Region, frozenset[str]]] = []
    for start, end, text in comments:
        tokens = _TOKEN.findall(text.lower())
        tokens = _SHORT.get(" ".join(tokens), tokens)
        names = [token for token in tokens if token not in _BEGINS | _ENDS]
        if _LINTERS.intersection(names) or _NAMED_SECTION.fullmatch(text.strip()):
            continue
        closes_tag = bool(tokens) and tokens[0].startswith("/")
        name = names[0].removeprefix("/") if names else ""
        if closes_tag or (_ENDS.intersection(tokens) and not _BEGINS.intersection(tokens)):
            begun = openers.pop(("/" if closes_tag else "") + name, None)
            if begun:
                regions.append(((begun[0], end), frozenset(one.removeprefix("/") for one in names)))
        else:
            key = "" if _BEGINS.intersection(tokens) else "/"
            openers.setdefault(key + name, []).append(start)
    return regions


def _outermost(regions: list[Region]) -> list[Region]:
    kept: list[Region] = []
    for start, end in sorted(regions, key=lambda region: (region[0], -region[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def is_generated_file(text: str) -> bool:
    """Tell whether the file says at its top that a tool writes it."""
    head = text[:4000].split("\n")[:_HEAD]
    return any(_WHOLE_FILE.search(line) for line in head if _is_note(line))


def _is_note(line: str) -> bool:
    return line.lstrip("\ufeff \t").startswith(("<!--", "#", ">", "_", "*Auto", "*This", "**This", "//", "[//]"))
