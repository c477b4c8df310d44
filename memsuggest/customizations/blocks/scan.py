"""Markdown as a sequence of blocks with their lines, good enough to edit between them safely. Pure, linear time.

Reads the way CommonMark does, and leans to what the author meant where a file for assistants is sloppy: sub-lists
indented too little or too much, code of a list item that stands at the margin, code fences of equal length nested in
one that shows Markdown, a whole file wrapped in one fence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.line_kinds import (
    TAB,
    FenceMark,
    ItemMark,
    bare,
    fence_of,
    heading_of,
    html_end,
    indent_of,
    is_rule,
    is_table_rule,
    item_of,
    split_lines,
    tag_of,
    underline_of,
)
from memsuggest.customizations.frontmatter import header_end, header_start


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
_DEFINITION = re.compile(r" {0,3}\[[^\]\[]{1,999}\]:[ \t]*\S")
_SHOWS_MARKDOWN = {"markdown", "md", "mdx", "text", "txt"}


def blocks(text: str) -> tuple[Block, ...]:
    """Cut a file into its blocks, in order; an item stands before what is nested in it."""
    scan = _Scan([bare(line) for line in split_lines(text)])
    if position := header_end(scan.lines):
        start = header_start(scan.lines) or 0
        for index in range(start):
            if scan.lines[index].strip("\ufeff \t"):
                scan.add(BlockKind.WRAPPER, index, index + 1, indent=0)
        scan.add(BlockKind.FRONT_MATTER, start, position, indent=0)
    while position < len(scan.lines):
        position = scan.read_block(position)
    last = [block.end for block in scan.found]
    for index in range(len(last) - 1, -1, -1):
        parent = scan.found[index].parent
        if parent is not None:
            last[parent] = max(last[parent], last[index])
    made = _generated_lines(scan)
    return tuple(
        replace(block, last=end, is_generated=block.start in made)
        if block.last != end or block.start in made
        else block
        for block, end in zip(scan.found, last, strict=True)
    )


def _is_plain(line: str) -> bool:
    return line.lstrip(" \t")[:1].isalpha() and "|" not in line


class _Scan:
    """The state of one pass over the lines: the blocks so far, and which items are open."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Block] = []
        self.may_nest_fences = True
        self.open: list[int] = []
        """The nested items that the current line stands in, innermost last, as indices into the blocks."""
        self.groups = 0
        self.tail: dict[int | None, int] = {}
        """Per parent: the last item of its list, which may still go on."""

    @property
    def parent(self) -> int | None:
        return self.open[-1] if self.open else None

    @property
    def column(self) -> int:
        """The column at which the text of the innermost open item begins."""
        return self.found[self.open[-1]].content_indent if self.open else 0

    def add(self, kind: BlockKind, start: int, end: int, **fields: object) -> None:
        fields.setdefault("indent", indent_of(self.lines[start]))
        block = Block(kind=kind, start=start, end=end, last=end, parent=self.parent, **fields)  # type: ignore[arg-type]
        self.found.append(block)
        if kind is BlockKind.HEADING and not self.open:
            self.tail.clear()  # no list goes on behind a heading

    def read_block(self, position: int) -> int:
        """Read the block that begins on a line; return the index after it."""
        line = self.lines[position]
        if not line.strip("\ufeff \t"):
            return position + 1
        indent, item = indent_of(line), item_of(line) if self.open else None
        while self.open:  # items end that the line does not stand in; a sub-list may be indented too little
            holder = self.found[self.open[-1]]
            is_child = item is not None and item.indent >= holder.indent + 2
            is_other_sort = item is not None and (item.number is None) != (holder.number is None)
            if indent >= holder.content_indent or (is_child and (is_other_sort or holder.number is None)):
                break
            self.open.pop()
        is_text = _is_plain(line) and indent - self.column < TAB
        return (None if is_text else self._read_marked(position)) or self._read_paragraph(position)

    def _read_marked(self, position: int) -> int | None:  # noqa: PLR0912  (a branch for each mark)
        """Read the block that a line's mark begins; None where the line is text."""
        line, inner, end = self.lines[position], self._inner(position), position + 1
        is_deep = indent_of(line) - self.column >= TAB
        if not is_deep and (fence := fence_of(line)):
            end = self._fence_end(position, fence)
            self.add(BlockKind.FENCE, position, end, text=fence.info, mark=fence.mark)
        elif self._is_code(position):
            while end < len(self.lines) and self._is_code(end):
                end += 1
            self.add(BlockKind.INDENTED_CODE, position, end)
        elif heading := heading_of(inner):
            self.add(BlockKind.HEADING, position, end, text=heading[1], level=heading[0], mark="#" * heading[0])
        elif is_rule(line):
            self.add(BlockKind.RULE, position, end)
        elif (item := item_of(line)) and (self.open or item.indent < TAB):
            end = self._read_item(position, item)
        elif line.lstrip(" \t").startswith(">"):
            while end < len(self.lines) and (self.lines[end].lstrip(" \t").startswith(">") or self._goes_on(end)):
                end += 1
            self.add(BlockKind.QUOTE, position, end)
        elif tag := tag_of(line):
            self.add(BlockKind.TAG, position, end, text=tag[0], level=0 if tag[1] else 1)
        elif (closing := html_end(inner)) is not None:
            seen = line.lstrip(" \t")[4 if closing == "-->" else 1 :].lower()
            while end < len(self.lines) and (closing.lower() not in seen if closing else self.lines[end].strip()):
                seen, end = self.lines[end].lower(), end + 1
            self.add(BlockKind.COMMENT if closing == "-->" else BlockKind.HTML, position, end)
        elif self._is_table(position):
            end = self._text_end(position + 2)
            self.add(BlockKind.TABLE, position, end)
        elif "]:" in line and _DEFINITION.match(line):
            self.add(BlockKind.DEFINITION, position, end)
        else:
            return None
        return end

    def _read_item(self, position: int, item: ItemMark) -> int:
        end = self._text_end(position + 1, in_list=True) if item.text else position + 1
        goes_on, tail = False, self.tail.get(self.parent)
        if tail is not None and item.mark[-1] == self.found[tail].mark[-1]:
            index: int | None = len(self.found) - 1
            while index is not None and index > tail:
                index = self.found[index].parent
            # Next to the item before it, or else counting on from it, it belongs to the same list.
            goes_on = index == tail or (item.number is not None and item.number == (self.found[tail].number or 0) + 1)
        self.groups += not goes_on
        self.add(
            BlockKind.ITEM,
            position,
            end,
            indent=item.indent,
            text=" ".join([item.text, *(line.strip() for line in self.lines[position + 1 : end])]),
            level=len(self.open),
            mark=item.mark,
            number=item.number,
            task=item.task,
            content_indent=item.content_indent,
            group=self.found[tail].group if goes_on and tail is not None else self.groups,
            is_loose=goes_on and not self.lines[position - 1].strip(),
        )
        self.tail[self.parent] = len(self.found) - 1
        self.open.append(len(self.found) - 1)
        return end

    def _fence_end(self, position: int, fence: FenceMark) -> int:
        """Find the end of fenced code; of Markdown that holds fences of the same length, if all of them are closed."""
        marks = ((number, fence_of(self.lines[number])) for number in range(position + 1, len(self.lines)))
        if self.may_nest_fences and fence.info.partition(" ")[0].lower() in _SHOWS_MARKDOWN:
            depth = 1
            for number, other in marks:
                if other and other.mark == fence.mark:
                    depth += 1 if other.info else -1
                    if not depth:
                        return number + 1
            self.may_nest_fences = False
            marks = ((number, fence_of(self.lines[number])) for number in range(position + 1, len(self.lines)))
        return next((number + 1 for number, other in marks if other and fence.is_closed_by(other)), len(self.lines))

    def _is_code(self, position: int) -> bool:
        line = self.lines[position]
        if not line.strip() or indent_of(line) - self.column < TAB:
            return False
        is_after_text = position > 0 and bool(self.lines[position - 1].strip())
        return not (self.open and is_after_text and item_of(line))  # else an item that is nested too deep

    def _read_paragraph(self, position: int) -> int:
        end = self._text_end(position + 1)
        text = " ".join(line.strip("\ufeff \t") for line in self.lines[position:end])
        level = underline_of(self.lines[end]) if end < len(self.lines) and not self.open else None
        if level == 1 or (level == 2 and end == position + 1 and len(text) <= _SETEXT_LIMIT):
            self.add(BlockKind.HEADING, position, end + 1, text=text, level=level, mark="=-"[level - 1])
            return end + 1
        self.add(BlockKind.PARAGRAPH, position, end, text=text)
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
        if not line.strip() or fence_of(line) or is_rule(line) or heading_of(inner):
            return False
        if line.lstrip(" \t").startswith(">") or tag_of(line) or html_end(inner) is not None:
            return False
        if self._is_table(position) or (not self.open and underline_of(line)):
            return False
        item = item_of(line)
        return item is None or not (in_list or self.open or (item.text and item.number in (None, 1)))

    def _is_table(self, position: int) -> bool:
        rows = self.lines[position : position + 2]
        return len(rows) > 1 and "|" in rows[0] and is_table_rule(rows[1])

    def _inner(self, position: int) -> str:
        line = self.lines[position]
        surplus = indent_of(line) - self.column
        return " " * surplus + line.lstrip(" \t") if self.open and surplus >= 0 else line.removeprefix("\ufeff")


_TOKEN = re.compile(r"/?[a-z0-9]+")
_BEGINS, _ENDS = {"begin", "start"}, {"end", "stop", "finish"}
_SHORT = {"toc": ["begin", "toc"], "tocstop": ["end", "toc"]}
"""Markers of one word, and what they mean."""
_LINTERS = {"prettier", "markdownlint", "eslint", "textlint", "cspell", "vale", "remark", "lint"}
_NAMED_SECTION = re.compile(r"<!--\s*</?[\w.-]+>\s*-->")
"""`<!-- <build-rules> -->`: people name their sections so, to point to them; tools do not."""
_COLLECTING = word_set("rules conventions learnings learned lessons memories preferences guidelines notes gotchas")
_OWN = word_set("team project our own custom local user your repo shared add new more here here's for the the of and")


def _generated_lines(scan: _Scan) -> set[int]:
    """Return the lines between comments that mark where a tool's text begins and ends; not those of people."""
    openers: dict[str, list[int]] = {}
    regions: list[tuple[int, int]] = []
    for block in scan.found:
        if block.kind is not BlockKind.COMMENT:
            continue
        text = " ".join(scan.lines[block.start : block.end])
        tokens = _TOKEN.findall(text.lower())
        tokens = _SHORT.get(" ".join(tokens), tokens)
        names = [token for token in tokens if token not in _BEGINS | _ENDS]
        if _LINTERS.intersection(names) or _NAMED_SECTION.fullmatch(text.strip()):
            continue
        closes_tag = bool(tokens) and tokens[0].startswith("/")
        name = names[0].removeprefix("/") if names else ""
        begins = bool(_BEGINS.intersection(tokens))
        if closes_tag or (_ENDS.intersection(tokens) and not begins):
            begun = openers.pop(("/" if closes_tag else "") + name, None)
            plain = {word.removeprefix("/") for word in names}
            if begun and not (plain & _COLLECTING and plain <= _COLLECTING | _OWN):
                regions.append((begun[0], block.end))
        else:
            openers.setdefault(("" if begins else "/") + name, []).append(block.start)
    made: set[int] = set()
    for start, end in sorted(regions, key=lambda region: (region[0], -region[1])):
        if start not in made:  # of regions that overlap, the outermost
            made.update(range(start, end))
    return made


_WHOLE_FILE = re.compile(
    r"auto-?generated|automatically generated|generated (?:by|from|with)\b|do not (?:edit|modify|change)(?: this file)?"
    r"(?: (?:by hand|manually|directly))?(?=[\s.!,;:*>)-]|$)",
    re.IGNORECASE,
)
_HEAD = 12  # lines of a file in which it says that it is generated


def is_generated_file(text: str) -> bool:
    """Tell whether the file says at its top that a tool writes it."""
    notes = ("<!--", "#", ">", "_", "*Auto", "*This", "**This", "//", "[//]")
    head = text[:4000].split("\n")[:_HEAD]
    return any(_WHOLE_FILE.search(line) for line in head if line.lstrip("\ufeff \t").startswith(notes))
