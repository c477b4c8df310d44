"""The place of a rule within a file, and the file with it there. Pure.

After the last sibling in the fitting list of the section, in that list's own manner; as a new list where the section
has none; in a section of its own where none fits. Never into a table, a fence, a comment, a generated region. Every
way is looked at before it counts (`verify`): the first that changes nothing else is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.sections import layout
from memsuggest.model import Kind, Section, Target, TargetType
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.headings import (
    conventions_in_language_of,
    has_gap_below,
    is_closing,
    is_within,
    new_level,
    region_for_rules,
    usual_section,
    weight_of,
)
from memsuggest.suggestions.placement.line_format import (
    as_item,
    begin_like,
    end_like,
    lead_in_of,
    lead_like,
    lead_of,
    line_end,
    wrap_width,
)
from memsuggest.suggestions.placement.lists import (
    ItemList,
    by_fitness,
    is_about_examples,
    is_example_tag,
    lists_of,
    tag_pairs,
)
from memsuggest.suggestions.placement.verify import why_unsafe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.customizations.blocks.sections import Layout

NOTES = "Notes"
"""The title of what is added to a prompt."""
LISTS = 3
"""Lists of a section that are tried."""
SPOTS = 6
"""Spots for a new section that are tried, from the end of the file upwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A file with a rule put into it."""

    text: str
    content: str
    """The lines that were put in, without the blank ones around them."""
    heading: str | None
    """The heading that they stand under; None before the first."""


def place(
    content: str, target: Target, *, section: Section | None, kind: Kind = Kind.FACT, new_heading: str | None = None
) -> Placed | None:
    """Put a rule into a file, under a section if one fits; None where nothing can be put without harm.

    With a new heading it gets a section of that title.
    """
    rule = _Rule(content=content, kind=kind, found=layout(target.text), type=target.type)
    ways = _under(rule, new_heading) if new_heading else _ways(rule, section)
    return next((placed for placed in ways if why_unsafe(target.text, placed.text) is None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """A rule, and the file that it is put into."""

    content: str
    kind: Kind
    found: Layout
    type: TargetType

    def words(self, neighbours: Sequence[str]) -> str:
        """Return the rule in the manner of its neighbours."""
        led = lead_like(one_line(self.content), neighbours)
        lead_in = lead_in_of(led)
        around = [text[len(lead_in_of(text)) :] for text in neighbours] if lead_in else neighbours
        return end_like(lead_in + begin_like(led[len(lead_in) :], around, code="".join(self.found.lines)), neighbours)


def _ways(rule: _Rule, section: Section | None) -> Iterator[Placed]:
    chosen = _chosen(rule, section)
    yield from _in_region(rule, chosen)
    if chosen is not None:
        for one in by_fitness(lists_of(rule.found, chosen), rule.content, kind=rule.kind)[:LISTS]:
            yield _after_items(rule, one, chosen)
        for at in _ends_of(rule.found, chosen):
            yield _as_new_list(rule, at, chosen)
    is_prompt = rule.type is TargetType.PROMPT
    yield from _under(rule, NOTES if is_prompt else conventions_in_language_of("".join(rule.found.lines)))


def _under(rule: _Rule, heading: str) -> Iterator[Placed]:
    """Yield the places of a new section."""
    for at in islice(_spots_for_a_section(rule.found), SPOTS):
        yield _in_new_section(rule, at, one_line(heading))


def _in_region(rule: _Rule, chosen: Section | None) -> Iterator[Placed]:
    """Put a rule between the marks where a file collects rules, unless it goes to a section about its own matter."""
    found = rule.found
    region = region_for_rules(found)
    around = next((one for one in reversed(found.sections) if region and one.start <= region[0] < one.end), None)
    if region is None or around is None:
        return
    if chosen is not None and chosen.path != around.path and not weight_of(chosen.heading):
        return
    for one in reversed(lists_of(found, around)):
        if is_within(one.items[0], region):
            yield _after_items(rule, one, around)
    yield _as_new_list(rule, region[1] - 1, around)


def _counterpart(found: Layout, section: Section | None) -> Section | None:
    """Return the section of this text that a section (perhaps of an older text) names."""
    if section is None:
        return None
    same = [one for one in found.sections if one.path == section.path]
    return min(same, key=lambda one: abs(one.start - section.start)) if same else None


def _chosen(rule: _Rule, section: Section | None) -> Section | None:
    """Return the section that a rule goes to: the one that is named, unless it is a bare opening and others hold rules.

    What only shows how something looks holds no rules. A prompt's opening is what is asked for: a rule below it gets a
    title of its own.
    """
    usual = usual_section(rule.found, rule.type, rule.kind)
    named = _counterpart(rule.found, section)
    if named is None or any(map(is_about_examples, named.path)):
        return usual
    if not _is_bare_opening(rule.found, named):
        return named
    return usual if usual is not None or rule.type is TargetType.PROMPT else named


def _is_bare_opening(found: Layout, section: Section) -> bool:
    """Tell whether a section stands before the first heading, or below the title, and holds no list."""
    return section.level <= 1 and not any(block.kind is BlockKind.ITEM for block in found.within(section))


def _after_items(rule: _Rule, siblings: ItemList, section: Section) -> Placed:
    found, items = rule.found, siblings.items
    last = next((item for item in reversed(items) if found.may_insert(item.last)), items[-1])
    all_ones = len(items) > 1 and all(item.number == 1 for item in items)
    lead, hang = lead_of(last, found.lines[last.start], step=0 if all_ones else 1)
    words = rule.words([item.text for item in items])
    rows = as_item(words, lead=lead, hang=hang, width=wrap_width(found, items))
    is_loose = 2 * sum(item.is_loose for item in items[1:]) > len(items) - 1
    return _put(found, rows, at=last.last, before=is_loose, heading=section.heading or None)


def _ends_of(found: Layout, section: Section) -> Iterator[int]:
    """Yield where a list can begin in a section: at its end, before what only closes it, else further up.

    A paragraph that announces what follows is not parted from it.
    """
    blocks = [block for block in found.within(section) if block.parent is None]
    openers = tag_pairs(found.blocks)
    while blocks and (
        _only_closes(blocks[-1], openers, section) or is_closing(blocks[-1], blocks[-2] if len(blocks) > 1 else None)
    ):
        blocks.pop()
    pairs = list(zip_longest(blocks, blocks[1:]))
    yield from (block.last for block, after in pairs[: -SPOTS - 1 : -1] if not _would_join(block, after))
    if section.heading and not (blocks and blocks[0].kind is BlockKind.ITEM):
        heading = next(
            block for block in found.blocks if block.kind is BlockKind.HEADING and block.start == section.start
        )
        yield heading.end
    elif not section.heading and not blocks:
        yield section.start


def _would_join(block: Block, after: Block | None) -> bool:
    """Tell if a list between two blocks would be taken for a part of what is there: of a list, of what announces it."""
    is_list = block.kind is BlockKind.ITEM or (after is not None and after.kind is BlockKind.ITEM)
    return is_list or (block.kind is BlockKind.PARAGRAPH and block.text.endswith((":", ":**", "：")))


def _only_closes(block: Block, openers: dict[int, int], section: Section) -> bool:
    """Tell if a block at the end of a section belongs to what comes: a rule, link targets, a closing tag, a lead."""
    if block.kind in (BlockKind.RULE, BlockKind.DEFINITION) or block.text.endswith((":", ":**")):
        return block.kind is not BlockKind.ITEM
    if block.kind is not BlockKind.TAG or block.level:
        return False
    opener = openers.get(block.start)
    return opener is not None and not is_example_tag(block.text) and opener <= section.start + 2


def _as_new_list(rule: _Rule, at: int, section: Section) -> Placed:
    found = rule.found
    follows = at < len(found.lines) and bool(found.lines[at].strip())
    is_first = at == section.start and not section.heading
    return _put(found, _new_items(rule), at=at, before=not is_first, after=follows, heading=section.heading or None)


def _new_items(rule: _Rule) -> list[str]:
    found = rule.found
    mark = usual_mark(found)
    neighbours = [block.text for block in found.blocks if block.kind is BlockKind.ITEM and block.level == 0]
    words = end_like(begin_like(one_line(rule.content), neighbours, code="".join(found.lines)), neighbours)
    return as_item(words, lead=f"{mark} ", hang=len(mark) + 1, width=wrap_width(found))


def _spots_for_a_section(found: Layout) -> Iterator[int]:
    """Yield where a section can begin: at the end of the file, before what only closes it, else before others."""
    blocks = [block for block in found.blocks if block.parent is None]
    openers = tag_pairs(found.blocks)
    first = found.sections[0].start if found.sections else 0
    is_wrapped = any(block.kind is BlockKind.WRAPPER for block in blocks)
    end = len(found.lines)
    while blocks and (
        _closes_the_file(blocks[-1], openers, first)
        or is_closing(blocks[-1], blocks[-2] if len(blocks) > 1 else None)
        or (is_wrapped and blocks[-1].kind is BlockKind.FENCE)
    ):
        end = blocks.pop().start
        is_wrapped = is_wrapped and blocks[-1:] != []
    while end and not found.lines[end - 1].strip() and found.may_insert(end - 1):
        end -= 1
    yield end
    level = new_level(found)
    yield from (section.start for section in reversed(found.sections) if 0 < section.level <= level)


def _closes_the_file(block: Block, openers: dict[int, int], first: int) -> bool:
    if block.kind in (BlockKind.RULE, BlockKind.DEFINITION):
        return True
    return block.kind is BlockKind.TAG and not block.level and openers.get(block.start, first + 9) <= first + 1


def _in_new_section(rule: _Rule, at: int, heading: str) -> Placed:
    found = rule.found
    rows = [f"{'#' * new_level(found)} {heading}", *([""] if has_gap_below(found) else []), *_new_items(rule)]
    follows = at < len(found.lines) and bool(found.lines[at].strip())
    return _put(found, rows, at=at, before=at > 0, after=follows, heading=heading)


def usual_mark(found: Layout) -> str:
    """Return the bullet that a file uses most."""
    marks = [block.mark for block in found.blocks if block.kind is BlockKind.ITEM and block.number is None]
    return max(sorted(set(marks)), key=marks.count) if marks else "-"


def _put(
    found: Layout, rows: Sequence[str], *, at: int, before: bool, heading: str | None, after: bool = False
) -> Placed:
    """Put lines before the line `at`, with a blank line before and after where asked for and not there yet."""
    end = line_end(found.lines)
    new = list(rows)
    if before and at and found.lines[at - 1].strip("\ufeff \t\r\n"):
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
