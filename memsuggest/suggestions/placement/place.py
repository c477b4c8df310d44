"""The place of a rule within a file, and the edit that puts it there or in the place of other words. Pure.

After the last sibling in the fitting list of the section, in that list's own manner; as a new list where the section
has none; in a section of its own where none fits. Never into a table, a fence, a comment, a generated region. Every
way is looked at before it counts (`verify`): the first that changes nothing else is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import NamedTuple

from memsuggest.core.identity import hash_of
from memsuggest.core.model import (
    Cause,
    Edit,
    Kind,
    Maintenance,
    MemoryFact,
    MemorySuggestion,
    Section,
    Target,
    TargetType,
)
from memsuggest.core.text.likeness import opposed
from memsuggest.core.text.words import form, sections_of, word_set
from memsuggest.customizations.blocks.line_kinds import bare, item_of, split_lines
from memsuggest.customizations.blocks.scan import Block, BlockKind
from memsuggest.customizations.blocks.sections import Layout, layout
from memsuggest.customizations.diff import touched_lines
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.loading import CHARACTERS_PER_TOKEN, SMALLEST, cost_of
from memsuggest.suggestions.existing_rules import ExistingRule, Like, plain_line
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.line_format import (
    NARROWEST,
    as_item,
    begin_like,
    end_like,
    lead_in_of,
    lead_of,
    line_end,
    wrap_width,
)
from memsuggest.suggestions.placement.lists import (
    by_fitness,
    closed_tags,
    is_about_examples,
    is_example_tag,
    lists_of,
)
from memsuggest.suggestions.ranking.match import Ranked

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_HEADINGS = {name: word_set(text) for name, text in sections_of(__package__, "headings").items()}


def is_about_rules(heading: str) -> bool:
    """Tell whether a heading announces rules about everything: "Key Conventions", not "Testing Conventions"."""
    words = {word.casefold().replace("’", "'") for word in _WORD.findall(heading)}
    return not words.isdisjoint(_HEADINGS["rules"]) and words <= _HEADINGS["rules"] | _HEADINGS["general"]


def usual_section(found: Layout) -> Section | None:
    """Return the section where rules about everything go, when no section is known to fit better.

    The title of a file with sections counts only where a list stands right below it.
    """
    titles = [section for section in found.sections if section.level == 1]
    alone = titles if len(titles) == 1 and len(found.sections) > 1 else []
    listed = [
        section
        for section in found.sections
        if any(block.kind is BlockKind.ITEM and not block.is_generated for block in found.within(section))
    ]
    general = [section for section in found.sections if is_about_rules(section.heading)]
    named = [section for section in general if section in listed or section not in alone]
    if named:
        return next((section for section in named if section in listed), named[0])
    is_flat = all(section.level <= 1 for section in found.sections)
    return listed[-1] if is_flat and listed else None


def new_level(found: Layout) -> int:
    """Return the level of a new section: that of the file's other sections."""
    levels = [section.level for section in found.sections if section.level]
    if levels.count(1) > 1:
        return 1
    return min((level for level in levels if level > 1), default=2)


def why_unsafe(before: str, after: str, *, replaced: str | None = None) -> str | None:
    """Name what an edit breaks besides what it says; None for a safe one.

    `replaced` are the lines of the text before that may be gone; without it, nothing may. What is new must be one
    list item (or paragraph), perhaps below a heading of its own.
    """
    old, new = split_lines(before), split_lines(after)
    touched, found, changed = touched_lines(old, new), layout(before), layout(after).blocks
    if touched.start < found.body:
        return "the edit would change the front matter"
    # All the lines that may be gone, some of which came back.
    wanted = [bare(line) for line in split_lines(replaced or "")]
    starts = range(max(0, touched.old_end - len(wanted)), touched.start + 1)
    is_gone = [start for start in starts if [bare(line) for line in old[start : start + len(wanted)]] == wanted]
    if not is_gone:
        return "the edit would change other lines"
    start, old_end = is_gone[-1], is_gone[-1] + len(wanted)
    new_end = touched.new_end + old_end - touched.old_end
    if _around(found.blocks, old, start, old_end) != _around(changed, new, start, new_end):
        return "the edit would change how the rest of the file is parsed"
    inside = [block for block in changed if start <= block.start and block.end <= new_end]
    counts = Counter(block.kind for block in inside)
    says = counts.pop(BlockKind.ITEM, 0) + counts.pop(BlockKind.PARAGRAPH, 0)
    if says != 1 or counts.pop(BlockKind.HEADING, 0) > 1 or counts:
        return "the edit would add more than one rule"
    if any(block.is_generated for block in inside):
        return "the edit would be in a generated region"
    return None


def _around(blocks: Iterable[Block], lines: Sequence[str], start: int, end: int) -> list[tuple[object, ...]]:
    return [
        (block.kind, block.level, block.is_generated, tuple(bare(line) for line in lines[block.start : block.end]))
        for block in blocks
        if not (start <= block.start and block.end <= end)
    ]


CONVENTIONS, NOTES = "Conventions", "Notes"
"""The titles of what is added to a file that has no fitting section, and to a prompt."""
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
        begun = begin_like(one_line(self.content), neighbours, code="".join(self.found.lines))
        return end_like(begun, neighbours)


def _ways(rule: _Rule, section: Section | None) -> Iterator[Placed]:
    found, chosen = rule.found, _chosen(rule, section)
    if chosen is not None:
        heading = chosen.heading or None
        for item_list in by_fitness(lists_of(found, chosen), rule.content, kind=rule.kind)[:LISTS]:
            items = item_list.items
            last = next((item for item in reversed(items) if found.may_insert(item.last)), items[-1])
            all_ones = len(items) > 1 and all(item.number == 1 for item in items)
            lead, hang = lead_of(last, found.lines[last.start], step=0 if all_ones else 1)
            words = rule.words([item.text for item in items])
            rows = as_item(words, lead=lead, hang=hang, width=wrap_width(found, items))
            is_loose = 2 * sum(item.is_loose for item in items[1:]) > len(items) - 1
            yield _put(found, rows, at=last.last, before=is_loose, heading=heading)
        for at in _ends_of(found, chosen):
            is_first = at == chosen.start and not heading
            yield _put(found, _new_items(rule), at=at, before=not is_first, spaced=True, heading=heading)
    yield from _under(rule, NOTES if rule.type is TargetType.PROMPT else CONVENTIONS)


def _under(rule: _Rule, heading: str) -> Iterator[Placed]:
    found, title = rule.found, one_line(heading)
    rows = [f"{'#' * new_level(found)} {title}", "", *_new_items(rule)]
    for at in islice(_spots_for_a_section(found), SPOTS):
        yield _put(found, rows, at=at, before=at > 0, spaced=True, heading=title)


def _chosen(rule: _Rule, section: Section | None) -> Section | None:
    """Return the section that a rule goes to: the one that is named, unless it is a bare opening and others hold rules.

    The section may be of an older text. A prompt's opening is what is asked for: a rule below it gets its own title.
    """
    usual = usual_section(rule.found)
    same = [other for other in rule.found.sections if section and other.path == section.path]
    if section is None or not same or any(map(is_about_examples, section.path)):
        return usual
    named = min(same, key=lambda other: abs(other.start - section.start))
    if named.level > 1 or any(block.kind is BlockKind.ITEM for block in rule.found.within(named)):
        return named
    return usual if usual is not None or rule.type is TargetType.PROMPT else named


_LONGEST_CLOSING = 200  # characters; a longer paragraph says more than goodbye


def _is_closing(blocks: Sequence[Block]) -> bool:
    """Tell if the last paragraph only closes what stands above: it says goodbye, or stands below a line of its own."""
    before, last = blocks[-2:] if len(blocks) > 1 else (None, blocks[-1])
    if last.kind is not BlockKind.PARAGRAPH or len(last.text) > _LONGEST_CLOSING:
        return False
    if before is None or before.kind is BlockKind.HEADING:
        return False  # all that its section says
    return before.kind is BlockKind.RULE or form(__package__, "place", "closing").match(last.text) is not None


def _ends_of(found: Layout, section: Section) -> Iterator[int]:
    """Yield where a list can begin in a section: at its end, before what only closes it, else further up.

    A paragraph that announces what follows is not parted from it.
    """
    blocks = [block for block in found.within(section) if block.parent is None]
    openers = closed_tags(found.blocks)

    def leads_on(block: Block) -> bool:
        """Tell if a block belongs to what comes after the section: a rule, link targets, a closing tag, a lead."""
        if block.kind in (BlockKind.RULE, BlockKind.DEFINITION) or block.text.endswith((":", ":**")):
            return block.kind is not BlockKind.ITEM
        is_closing_tag = block.kind is BlockKind.TAG and not block.level and not is_example_tag(block.text)
        return is_closing_tag and openers.get(block.start, section.start + 3) <= section.start + 2

    while blocks and (leads_on(blocks[-1]) or _is_closing(blocks)):
        blocks.pop()
    pairs = list(zip_longest(blocks, blocks[1:]))
    for block, after in pairs[: -SPOTS - 1 : -1]:
        is_list = block.kind is BlockKind.ITEM or (after is not None and after.kind is BlockKind.ITEM)
        if not is_list and not (block.kind is BlockKind.PARAGRAPH and block.text.endswith((":", ":**", "："))):
            yield block.last
    if section.heading and not (blocks and blocks[0].kind is BlockKind.ITEM):
        headings = (block for block in found.blocks if block.kind is BlockKind.HEADING)
        yield next(heading.end for heading in headings if heading.start == section.start)
    elif not section.heading and not blocks:
        yield section.start


def _new_items(rule: _Rule) -> list[str]:
    items = [block for block in rule.found.blocks if block.kind is BlockKind.ITEM]
    marks = [block.mark for block in items if block.number is None]
    mark = max(sorted(set(marks)), key=marks.count, default="-")  # the bullet that the file uses most
    words = rule.words([block.text for block in items if block.level == 0])
    return as_item(words, lead=f"{mark} ", hang=len(mark) + 1, width=wrap_width(rule.found))


def _spots_for_a_section(found: Layout) -> Iterator[int]:
    blocks = [block for block in found.blocks if block.parent is None]
    openers = closed_tags(found.blocks)
    first = found.sections[0].start if found.sections else 0
    is_wrapped = any(block.kind is BlockKind.WRAPPER for block in blocks)
    end = len(found.lines)
    while blocks:
        last = blocks[-1]
        closes_the_file = last.kind in (BlockKind.RULE, BlockKind.DEFINITION) or (
            last.kind is BlockKind.TAG and not last.level and openers.get(last.start, first + 9) <= first + 1
        )
        if not (closes_the_file or _is_closing(blocks) or (is_wrapped and last.kind is BlockKind.FENCE)):
            break
        end = blocks.pop().start
    while end and not found.lines[end - 1].strip() and found.may_insert(end - 1):
        end -= 1
    yield end
    level = new_level(found)
    yield from (section.start for section in reversed(found.sections) if 0 < section.level <= level)


def _put(
    found: Layout, rows: Sequence[str], *, at: int, before: bool, heading: str | None, spaced: bool = False
) -> Placed:
    """Put lines before the line `at`, with a blank line before, and after if spaced, where none is there yet."""
    end = line_end(found.lines)
    new = list(rows)
    if before and at and found.lines[at - 1].strip("\ufeff \t\r\n"):
        new.insert(0, "")
    if spaced and at < len(found.lines) and found.lines[at].strip():
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


class Replacement(NamedTuple):
    """Words that give way to a rule, or that it speaks against, and why."""

    existing_rule: ExistingRule
    why: str


def find_contradictions(content: str, likes: Iterable[Like]) -> list[Replacement]:
    """Return the words that cannot hold beside a rule, whether or not they may give way."""
    rule = plain_line(content)
    lines = ((like.existing_rule, like.text) for like in likes)
    return [
        Replacement(line, f"the rule contradicts “{line.shown}” on line {line.line} of {line.uri}: {why}")
        for line, text in lines
        if line.block.kind is not BlockKind.HEADING and (why := opposed(text, rule))
    ]


def rewritten(text: str, rule: str, line: ExistingRule) -> tuple[str, str] | None:
    """Return the text with a rule in the place of the words, and its new lines: mark, number, box and lead-in stay.

    None where that is not safe, or the words cannot be told apart from the rest of their item.
    """
    found, block = layout(text), line.block
    old = found.lines[block.start : block.end]
    if line.lines != "".join(old) or block.text.count(line.raw) != 1:
        return None
    lead_in = lead_in_of(line.raw)
    said = line.raw[len(lead_in) :]
    words = lead_in + end_like(begin_like(one_line(rule), [said], code="".join(found.lines)), [said])
    first = bare(old[0]).rstrip()
    item = item_of(first) if block.kind is BlockKind.ITEM else None
    own = item.text if item else first.strip("\ufeff \t")
    lead = first[: len(first) - len(own)]
    width = wrap_width(found)
    if len(old) > 1 and width is None:
        width = max(NARROWEST, *(len(bare(row)) for row in old))
    hang = item.content_indent if item else len(lead)
    rows = as_item(block.text.replace(line.raw, words), lead=lead, hang=hang, width=width)
    new = line_end(found.lines).join(rows) + old[-1][len(bare(old[-1])) :]
    after = "".join([*found.lines[: block.start], new, *found.lines[block.end :]])
    return None if why_unsafe(text, after, replaced=line.lines) else (after, "\n".join(rows))


def put_in_place(fact: MemoryFact, target: Target, found: Replacement) -> MemorySuggestion | None:
    line = found.existing_rule
    done = rewritten(target.text, fact.content, line)
    if done is None:
        return None
    around = [section for section in target.sections if section.start < line.line <= section.end]
    heading = (around[-1].heading or None) if around else None
    made = planned(fact, target, after=done[0], content=done[1], heading=heading, why=found.why)
    return replace(made, replaces=line.lines.rstrip("\r\n"))


def put_beside(fact: MemoryFact, spot: Ranked, *, new_heading: str | None = None) -> MemorySuggestion | None:
    target = spot.target
    if target.type is TargetType.HOOK:
        return None
    placed = place(fact.content, target, section=spot.section, kind=fact.kind, new_heading=new_heading)
    if placed is None:
        return None
    return planned(fact, target, after=placed.text, content=placed.content, heading=placed.heading, why=spot.why)


def planned(
    fact: MemoryFact, target: Target, *, after: str, content: str, heading: str | None, why: str
) -> MemorySuggestion:
    return MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=target.type,
        target_uri=target.uri,
        suggested_merge_content=content,
        heading=heading,
        why=why,
        base_digest=target.digest,
        edit=Edit(path=target.uri, before=target.text, after=after),
    )


def with_cost(made: MemorySuggestion, target: Target) -> MemorySuggestion:
    """Say in the reason when a file is past its budget with what is added to it."""
    if made.replaces or len(target.text) < CHARACTERS_PER_TOKEN * SMALLEST:
        return made
    cost = cost_of(target, added=made.suggested_merge_content)
    if not cost.is_over:
        return made
    return replace(made, why=f"{made.why}; the file will cost {cost.tokens:,} tokens (budget: {cost.budget:,})")


def named_section(target: Target, heading: str | None) -> Section | None:
    """Return the section with this heading; the preface for none."""
    return next((section for section in target.sections if section.heading == (heading or "")), None)


_LONGEST = 10
"""Lines that are said to be replaced; where a fix touches more, the diff alone tells which."""
_EXECUTABLE = word_set(
    "tools hooks mcp-servers mcpServers permissionMode disallowedTools allowed-tools agents handoffs skills"
)
"""Attributes that let an agent do things."""


def maintained(target: Target, *, cause: Cause, name: str, content: str, why: str, after: str) -> MemorySuggestion:
    """Make a suggestion of care from the file as it would be; its id is that of the trouble, whatever the edit."""
    old, new = split_lines(target.text), split_lines(after)
    span = touched_lines(old, new)
    taken = [bare(line) for line in old[span.start : span.old_end]]
    words = " ".join(" ".join(taken[:_LONGEST]).split())
    around = [section for section in target.sections if section.start <= span.start < section.end]
    heading = around[-1].heading if around else ""
    # What an agent may do, as hosts read it.
    attributes = (parse(text).attributes or [] for text in (target.text, after))
    powers = [[pair for pair in found if pair[0] in _EXECUTABLE] for found in attributes]
    maintenance = Maintenance(id=hash_of("care", cause, name, target.uri, heading, words), cause=cause, content=content)
    return MemorySuggestion(
        id=maintenance.id,
        maintenance=maintenance,
        target_type=target.type,
        target_uri=target.uri,
        suggested_merge_content="\n".join(bare(line) for line in new[span.start : span.new_end]),
        heading=heading or None,
        replaces="\n".join(taken) if 0 < len(taken) <= _LONGEST else None,
        why=why,
        base_digest=target.digest,
        edit=Edit(path=target.uri, before=target.text, after=after),
        executable=target.type is TargetType.HOOK or powers[0] != powers[1],
    )
