"""Kinds of a single line of Markdown; knows nothing of the lines around it. Pure.

Follows CommonMark, and the way people write for assistants where the two differ (tags such as `<rules>`, `•`).
Every pattern is linear: no repeated group can match the same text in two ways.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

TAB = 4
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$", re.DOTALL)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)$", re.DOTALL)
_ITEM = re.compile(r"([ \t]*)([-*+•]|[0-9]{1,9}[.)])(?:([ \t]+)(.*))?$", re.DOTALL)
_TASK = re.compile(r"\[[ xX]\](?=[ \t])")
_TAG = re.compile(r"[ \t]*<(/?)([A-Za-z][\w.:-]*)([^<>]*)>[ \t]*$")
_HTML_NAME = re.compile(r"[ \t]*</?([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)")
_TABLE_CELL = re.compile(r"[ \t]*:?-+:?[ \t]*")

_BLANKS = frozenset(" \t")
_RULE_MARKS = frozenset("-*_")
_VERBATIM_TAGS = {"script", "pre", "style", "textarea"}
_HTML_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    "title tr track ul br img a kbd picture source"
)
_HTML_TAGS = frozenset(_HTML_NAMES.split())


def split_lines(text: str) -> list[str]:
    r"""Cut at `\n` only; every line keeps its ending, so that joining gives the text again."""
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def bare(line: str) -> str:
    """Return the line without its ending."""
    return line.rstrip("\r\n")


def indent_of(line: str) -> int:
    """Count the columns before the first character; a tab goes to the next multiple of four."""
    if line[:1] not in _BLANKS:
        return 0
    column = 0
    for char in line:
        if char == " ":
            column += 1
        elif char == "\t":
            column += TAB - column % TAB
        else:
            break
    return column


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemMark:
    """The mark that begins a list item, and what follows it on the line."""

    indent: int
    """Columns before the mark."""
    mark: str
    """`-`, `*`, `+`, `•`, `1.` or `1)`."""
    content_indent: int
    """The column at which the item's text begins, and to which its further lines are indented."""
    task: str
    """`[ ]` or `[x]` for an entry of a checklist, otherwise empty."""
    text: str

    @property
    def number(self) -> int | None:
        return int(self.mark[:-1]) if self.mark[0].isdigit() else None


@lru_cache(maxsize=4096)
def item_of(line: str) -> ItemMark | None:
    """Read the line as the beginning of a list item."""
    found = _ITEM.match(line)
    if found is None or is_rule(line):
        return None
    spaces, mark, gap, text = found.groups()
    indent = indent_of(spaces + "x")
    content = indent_of(" " * (indent + len(mark)) + (gap or "") + "x")
    if not text or content - indent - len(mark) > TAB:
        content = indent + len(mark) + 1
    task = _TASK.match(text or "")
    words = (text or "")[task.end() :] if task else text or ""
    return ItemMark(
        indent=indent, mark=mark, content_indent=content, task=task.group() if task else "", text=words.strip()
    )


def heading_of(line: str) -> tuple[int, str] | None:
    """Read the line as an ATX heading: its level and its text without the marks."""
    found = _HEADING.match(line) if "#" in line else None
    if found is None:
        return None
    text = (found.group(2) or "").strip()
    without = text.rstrip("#")
    closed = without != text and (not without or without[-1] in " \t")
    return len(found.group(1)), without.rstrip() if closed else text


def underline_of(line: str) -> int | None:
    """Read the line as the underline of a setext heading: level 1 or 2."""
    mark = line.strip()
    if indent_of(line) >= TAB or not mark or mark.strip(mark[0]):
        return None
    return {"=": 1, "-": 2}.get(mark[0])


def is_rule(line: str) -> bool:
    """Tell whether the line is a thematic break."""
    mark = line.lstrip(" \t")[:1]
    if mark not in _RULE_MARKS:
        return False
    marks = line.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and not marks.strip(mark)


@dataclass(frozen=True, slots=True, kw_only=True)
class FenceMark:
    """A line that opens or closes fenced code."""

    mark: str
    info: str

    def is_closed_by(self, other: FenceMark) -> bool:
        return not other.info and other.mark[0] == self.mark[0] and len(other.mark) >= len(self.mark)


def fence_of(line: str) -> FenceMark | None:
    found = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if found is None:
        return None
    mark, info = found.group(1), found.group(2).strip()
    return None if mark[0] == "`" and "`" in info else FenceMark(mark=mark, info=info)


def tag_of(line: str) -> tuple[str, bool] | None:
    """Read the line as one tag that is not HTML, as in `<rules>`: its name, and whether it closes."""
    found = _TAG.match(line) if "<" in line else None
    if found is None or found.group(2).lower() in _HTML_TAGS | _VERBATIM_TAGS:
        return None
    if found.group(3) not in ("", "/") and found.group(3)[0] not in " \t":
        return None
    return found.group(2), bool(found.group(1))


def html_end(line: str) -> str | None:
    """Say what ends the HTML that this line begins: a closing text, or empty for the next blank line."""
    rest = line.lstrip(" \t")
    if not rest.startswith("<") or indent_of(line) >= TAB:
        return None
    for opening, closing in (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")):
        if rest.startswith(opening):
            return closing
    name = _HTML_NAME.match(line)
    if name is None:
        return ">" if rest[1:2] == "!" and rest[2:3].isalpha() else None
    tag = name.group(1).lower()
    if tag in _VERBATIM_TAGS:
        return f"</{tag}>"
    return "" if tag in _HTML_TAGS - {"br", "img", "a", "kbd", "picture"} else None


def is_table_rule(line: str) -> bool:
    """Tell whether the line is the row of dashes below a table's head."""
    row = line.strip()
    if "|" not in row or "-" not in row:
        return False
    return all(_TABLE_CELL.fullmatch(cell) for cell in row.removeprefix("|").removesuffix("|").split("|"))
