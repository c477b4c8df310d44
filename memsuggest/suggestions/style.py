"""A rule as one logical line that a file can hold: folded, inert, in the manner of its neighbours. Pure."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from memsuggest.customizations.block import Block, BlockKind
from memsuggest.customizations.lines import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.customizations.sections import Layout

_BREAKS = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]+")
"""Everything that some reader takes for the end of a line (Unicode's and Python's eleven)."""

_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_OPENING = re.compile(r"(?:#{1,6}(?=\s|$)|[-*+>|=~`](?=[\s|=~`>*+-]|$)|\d{1,9}[.)](?=\s|$)|\[[^\]\n]*\]:)")

FORBIDDEN = {
    "an HTML comment": re.compile(r"<!--|--!?>"),
    "an image": re.compile(r"!\[[^\]\n]*\]\s?[(\[]"),
    "a link that runs something": re.compile(
        r"\]\s?\(\s*<?\s*(?:command|javascript|vbscript|data|file|vscode[\w-]*):", re.IGNORECASE
    ),
    "an include of a file": re.compile(
        r"(?<![\w`])(?:#(?:file|folder|tool|codebase|fetch|selection)\b:?|@(?:~|\.{0,2}/))", re.IGNORECASE
    ),
    "a variable of prompts": re.compile(
        r"\$\{(?:input|env|selection|command|config|file|workspace)\w*\b|\$ARGUMENTS\b", re.IGNORECASE
    ),
    "a shell include": re.compile(r"!`|^\s*!(?=\w)"),
    "raw HTML": re.compile(
        r"<\s*/?\s*(?:script|iframe|object|embed|img|svg|link|meta|style|form|details|summary|a|base)\b", re.IGNORECASE
    ),
    "a code fence": re.compile(r"`{3,}|~{3,}"),
    "a front matter fence": re.compile(r"^\s*-{3,}\s*$"),
    "a heading after a line break": re.compile(
        "[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]\\s*(?:#{1,6}\\s|[-=]{3,}\\s*(?:[\n\r]|$))"
    ),
}
"""What a fact may never bring into a file that assistants read (SECURITY.md T9)."""


def why_forbidden(content: str) -> str | None:
    """Name what makes a text unfit to stand in a customization file; None for a fit one."""
    return next((what for what, form in FORBIDDEN.items() if form.search(content)), None)


def one_line(content: str) -> str:
    """Return the words on one line, inert: no tag, and nothing that would open a block where a line begins."""
    folded = " ".join(_BREAKS.sub(" ", content).split())
    pieces, place = [], 0
    for code in _CODE.finditer(folded):
        pieces += [_TAG.sub(r"\\<", folded[place : code.start()]), code.group()]
        place = code.end()
    inert = "".join([*pieces, _TAG.sub(r"\\<", folded[place:])])
    return f"\\{inert}" if _OPENING.match(inert) else inert


def end_like(content: str, neighbours: Sequence[str]) -> str:
    """Return the words with or without a final period, as most neighbours have it."""
    if (
        not neighbours
        or content[-1:] not in {".", *"abcdefghijklmnopqrstuvwxyz`)"}
        or content.endswith(("...", "etc."))
    ):
        return content
    with_period = sum(text.rstrip().endswith(".") for text in neighbours)
    if 2 * with_period > len(neighbours):
        return content if content.endswith(".") else f"{content}."
    return content.removesuffix(".") if ". " not in content else content


def line_end(lines: Sequence[str]) -> str:
    """Return the end that most lines of a file have."""
    ends = Counter("\r\n" if line.endswith("\r\n") else "\n" for line in lines if line.endswith("\n"))
    return ends.most_common(1)[0][0] if ends else "\n"


def wrap_width(found: Layout) -> int | None:
    """Return the column at which a file's list items are wrapped; None for a file that lets them run."""
    items = [block for block in found.blocks if block.kind is BlockKind.ITEM]
    wrapped = [item for item in items if item.end - item.start > 1]
    if len(wrapped) < 2:
        return None
    longest = max(len(bare(found.lines[index])) for item in wrapped for index in range(item.start, item.end))
    runs = any(len(bare(found.lines[item.start])) > 120 for item in items)
    return None if runs or longest > 120 else max(longest, 60)


def as_item(content: str, *, lead: str, hang: int, width: int | None) -> list[str]:
    """Return the lines of a list item, without ends: `lead` before the first, `hang` columns before the others."""
    line = lead + content
    if width is None or len(line) <= width:
        return [line]
    wrapped = textwrap.wrap(
        content,
        width=width,
        initial_indent=lead,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    # A further line that looks like the beginning of a block would be one.
    return [line] if any(_OPENING.match(part.strip()) for part in wrapped[1:]) else wrapped


def lead_of(item: Block, first_line: str, *, step: int = 1) -> tuple[str, int]:
    """Return what stands before the words of the item after this one, and the column that its words begin at."""
    indent = first_line[: len(first_line) - len(first_line.lstrip(" \t"))].lstrip("\ufeff")
    mark = item.mark
    if item.number is not None:
        number = item.number if item.number == 1 and step == 0 else item.number + step
        mark = f"{number}{item.mark[-1]}"
    after = first_line.lstrip("\ufeff \t")[len(item.mark) :]
    gap = after[: len(after) - len(after.lstrip(" \t"))] or " "
    if len(mark) > len(item.mark) and len(gap) > 1:
        gap = gap[len(mark) - len(item.mark) :] or " "
    lead = f"{indent}{mark}{gap}"
    return (f"{lead}[ ] " if item.task else lead), len(lead.expandtabs(4))
