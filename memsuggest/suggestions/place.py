"""Where in a file a rule goes, and the file with it there. Pure.

After the last sibling in the list of the fitting section, in that list's own manner; as a new list where the section
has none; in a section of its own where none fits. Never into a table, a fence, a comment, a generated region.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.block import Block, BlockKind
from memsuggest.customizations.sections import Layout, layout
from memsuggest.model import Kind, Section, Target, TargetType
from memsuggest.suggestions.style import as_item, end_like, lead_of, line_end, one_line, wrap_width

if TYPE_CHECKING:
    from collections.abc import Sequence

CONVENTIONS = "Conventions"
_LIKE_CONVENTIONS = re.compile(
    r"(?:(?:coding|code|general|project|team|important|style|working)\s+)?"
    r"(?:conventions?|rules?|guidelines?|standards?|practices|instructions|requirements|principles"
    r"|konventionen|regeln|richtlinien|règles|conventions|reglas|normas|convenciones|regras|convenções|規約|ルール|规范|约定)",
    re.IGNORECASE,
)
_RULES_OF_AGENTS = re.compile(
    r".*\b(?:rules?|guidelines?|behaviou?r|constraints?|principles|do(?:s| not|n'?t)|always|never|checklist|focus)\b.*",
    re.IGNORECASE,
)
_STEPS = re.compile(r".*\b(?:steps?|procedure|process|workflow|how to|instructions|usage|checklist)\b.*", re.IGNORECASE)
_CHECKLIST = re.compile(r".*\b(?:checklist|before|verify|verification|done|checks?)\b.*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A file with a rule put into it."""

    text: str
    content: str
    """The lines that were put in, without the blank ones around them."""
    heading: str | None
    """The heading that they stand under; None before the first."""


def place(content: str, target: Target, *, section: Section | None, kind: Kind = Kind.FACT) -> Placed:
    """Put a rule into a file, under a section if one fits."""
    found = layout(target.text)
    chosen = _counterpart(found, section) or usual_section(found, target.type, kind)
    if chosen is not None:
        placed = _in_section(content, found, chosen, kind)
        if placed is not None:
            return placed
    return _in_new_section(content, found, target.type)


def _counterpart(found: Layout, section: Section | None) -> Section | None:
    """Return the section of this text that a section (perhaps of an older text) names."""
    if section is None:
        return None
    same = [one for one in found.sections if one.path == section.path]
    return min(same, key=lambda one: abs(one.start - section.start)) if same else None


def usual_section(found: Layout, type_: TargetType, kind: Kind) -> Section | None:
    """Return the section where rules of a sort go in files of a sort, when no section is known to fit better."""
    preferred = [_LIKE_CONVENTIONS]
    if type_ is TargetType.AGENT:
        preferred.insert(0, _RULES_OF_AGENTS)
    if type_ is TargetType.SKILL:
        preferred.insert(0, _STEPS if kind is Kind.PROCEDURE else _CHECKLIST)
    for form in preferred:
        for section in found.sections:
            if form.fullmatch(section.heading.strip(" :*_`")):
                return section
    return _only_list(found)


def _only_list(found: Layout) -> Section | None:
    """Return the one section of a file that has no headings but the title, where it holds a list."""
    with_lists = [one for one in found.sections if any(block.kind is BlockKind.ITEM for block in found.within(one))]
    is_flat = len([one for one in found.sections if one.level > 1]) == 0
    return with_lists[-1] if with_lists and is_flat else None


def _in_section(content: str, found: Layout, section: Section, kind: Kind) -> Placed | None:
    items = [block for block in found.within(section) if _can_follow(found, block)]
    if items:
        return _after_item(content, found, section, _best_list(items, kind))
    return _as_new_list(content, found, section)


def _can_follow(found: Layout, block: Block) -> bool:
    return block.kind is BlockKind.ITEM and block.level == 0 and not block.is_generated and found.may_insert(block.last)


def _best_list(items: Sequence[Block], kind: Kind) -> list[Block]:
    """Return the list that a rule joins: steps join numbered lists, rules join bullets, else the last list there is."""
    lists: dict[int, list[Block]] = {}
    for item in items:
        lists.setdefault(item.group, []).append(item)
    wants_steps = kind is Kind.PROCEDURE
    fitting = [group for group in lists.values() if (group[0].number is not None) == wants_steps]
    return (fitting or list(lists.values()))[-1]


def _after_item(content: str, found: Layout, section: Section, siblings: Sequence[Block]) -> Placed:
    last = siblings[-1]
    all_ones = len(siblings) > 1 and all(item.number == 1 for item in siblings)
    lead, hang = lead_of(last, found.lines[last.start], step=0 if all_ones else 1)
    words = end_like(one_line(content), [item.text for item in siblings])
    rows = as_item(words, lead=lead, hang=hang, width=wrap_width(found))
    is_loose = len(siblings) > 1 and siblings[-1].is_loose
    return _put(found, rows, at=last.last, before=is_loose, after=False, heading=section.heading or None)


def _as_new_list(content: str, found: Layout, section: Section) -> Placed | None:
    blocks = [block for block in found.within(section) if not block.is_generated]
    ends = [block.last for block in blocks if block.parent is None and found.may_insert(block.last)]
    after_heading = _after_heading(found, section)
    at = ends[-1] if ends else after_heading
    if at is None or not found.may_insert(at):
        return None
    mark = usual_mark(found)
    rows = as_item(one_line(content), lead=f"{mark} ", hang=len(mark) + 1, width=wrap_width(found))
    follows = at < len(found.lines) and bool(found.lines[at].strip())
    is_first = not blocks and not section.heading
    return _put(found, rows, at=at, before=not is_first, after=follows, heading=section.heading or None)


def _after_heading(found: Layout, section: Section) -> int | None:
    if not section.heading:
        return section.start
    heading = next((one for one in found.blocks if one.kind is BlockKind.HEADING and one.start == section.start), None)
    return heading.end if heading else None


def _in_new_section(content: str, found: Layout, type_: TargetType) -> Placed:
    mark = usual_mark(found)
    levels = [section.level for section in found.sections if section.level >= 2]
    level = min(levels, default=2)
    heading = "Notes" if type_ is TargetType.PROMPT else CONVENTIONS
    rows = [
        f"{'#' * level} {heading}",
        "",
        *as_item(one_line(content), lead=f"{mark} ", hang=2, width=wrap_width(found)),
    ]
    at = len(found.lines)
    while at and not found.lines[at - 1].strip() and found.may_insert(at - 1):
        at -= 1
    return _put(found, rows, at=at, before=at > 0, after=False, heading=heading)


def usual_mark(found: Layout) -> str:
    """Return the bullet that a file uses most."""
    marks = [block.mark for block in found.blocks if block.kind is BlockKind.ITEM and block.number is None]
    return max(sorted(set(marks)), key=marks.count) if marks else "-"


def _put(found: Layout, rows: Sequence[str], *, at: int, before: bool, after: bool, heading: str | None) -> Placed:
    """Put lines before the line `at`, with a blank line before and after where asked for and not there yet."""
    end = line_end(found.lines)
    new = list(rows)
    if before and at and found.lines[at - 1].strip():
        new.insert(0, "")
    if after:
        new.append("")
    text = "".join(found.lines[:at])
    # The last line of a file may have no end: then it gets one, and the new last line has none.
    needs_end = bool(text) and not text.endswith("\n")
    body = end.join(new) + ("" if needs_end and at == len(found.lines) else end)
    return Placed(
        text=text + (end if needs_end else "") + body + "".join(found.lines[at:]),
        content=end.join(row for row in rows if row.strip()),
        heading=heading,
    )
