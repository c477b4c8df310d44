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

from memsuggest.core.model import Edit, Kind, MemoryFact, MemorySuggestion, Section, Target, TargetType
from memsuggest.core.text.likeness import opposed
from memsuggest.core.text.words import form, sections_of, word_set
from memsuggest.customizations.blocks.line_kinds import bare, item_of, split_lines
from memsuggest.customizations.blocks.scan import Block, BlockKind
from memsuggest.customizations.blocks.sections import Layout, layout
from memsuggest.customizations.diff import Span, touched_lines
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
    ItemList,
    by_fitness,
    is_about_examples,
    is_example_tag,
    lists_of,
    tag_pairs,
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
    title = titles[0] if len(titles) == 1 and len(found.sections) > 1 else None
    listed = [
        section
        for section in found.sections
        if any(block.kind is BlockKind.ITEM and not block.is_generated for block in found.within(section))
    ]
    named = [
        section
        for section in found.sections
        if is_about_rules(section.heading) and (section is not title or section in listed)
    ]
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


_LONGEST = 200  # characters; a longer paragraph says more than goodbye


def is_closing(blocks: Sequence[Block]) -> bool:
    """Tell if the last paragraph only closes what stands above: it says goodbye, or stands below a line of its own."""
    before, last = blocks[-2:] if len(blocks) > 1 else (None, blocks[-1])
    if last.kind is not BlockKind.PARAGRAPH or len(last.text) > _LONGEST:
        return False
    if before is None or before.kind is BlockKind.HEADING:
        return False  # all that its section says
    return before.kind is BlockKind.RULE or form(__package__, "place", "closing").match(last.text) is not None


_SAYING = (BlockKind.ITEM, BlockKind.PARAGRAPH)


def why_unsafe(before: str, after: str, *, replaced: str | None = None) -> str | None:
    """Name what an edit breaks besides what it says; None for a safe one.

    `replaced` are the lines of the text before that may be gone; without it, nothing may. What is new must be one
    list item (or paragraph), perhaps below a heading of its own.
    """
    old, new = split_lines(before), split_lines(after)
    touched = touched_lines(old, new)
    found = layout(before)
    if touched.start < found.body:
        return "the edit would change the front matter"
    span = _widened(touched, old, split_lines(replaced or ""))
    if span is None:
        return "the edit would change other lines"
    changed = layout(after).blocks
    if _around(found.blocks, old, span.start, span.old_end) != _around(changed, new, span.start, span.new_end):
        return "the edit would change how the rest of the file is parsed"
    inside = [block for block in changed if _is_inside(block, span.start, span.new_end)]
    counts = Counter(block.kind for block in inside)
    says = sum(counts.pop(kind, 0) for kind in _SAYING)
    if says != 1 or counts.pop(BlockKind.HEADING, 0) > 1 or counts:
        return "the edit would add more than one rule"
    if any(block.is_generated for block in inside):
        return "the edit would be in a generated region"
    return None


def _widened(span: Span, old: Sequence[str], replaced: Sequence[str]) -> Span | None:
    """Return the span with all the lines that may be gone, some of which came back; None where others are gone."""
    wanted = [bare(line) for line in replaced]
    for start in range(span.start, max(-1, span.start - len(wanted) - 1), -1):
        end = start + len(wanted)
        if end >= span.old_end and [bare(line) for line in old[start:end]] == wanted:
            return Span(start, end, span.new_end + end - span.old_end)
    return None


def _around(found: Iterable[Block], lines: Sequence[str], start: int, end: int) -> list[tuple[object, ...]]:
    return [
        (block.kind, block.level, block.is_generated, tuple(bare(line) for line in lines[block.start : block.end]))
        for block in found
        if not _is_inside(block, start, end)
    ]


def _is_inside(block: Block, start: int, end: int) -> bool:
    return start <= block.start and block.end <= end


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
    chosen = _chosen(rule, section)
    if chosen is not None:
        for item_list in by_fitness(lists_of(rule.found, chosen), rule.content, kind=rule.kind)[:LISTS]:
            yield _after_items(rule, item_list, chosen)
        for at in _ends_of(rule.found, chosen):
            is_first = at == chosen.start and not chosen.heading
            heading = chosen.heading or None
            yield _put(rule.found, _new_items(rule), at=at, before=not is_first, spaced=True, heading=heading)
    yield from _under(rule, NOTES if rule.type is TargetType.PROMPT else CONVENTIONS)


def _under(rule: _Rule, heading: str) -> Iterator[Placed]:
    found, title = rule.found, one_line(heading)
    for at in islice(_spots_for_a_section(found), SPOTS):
        rows = [f"{'#' * new_level(found)} {title}", "", *_new_items(rule)]
        yield _put(found, rows, at=at, before=at > 0, spaced=True, heading=title)


def _chosen(rule: _Rule, section: Section | None) -> Section | None:
    """Return the section that a rule goes to: the one that is named, unless it is a bare opening and others hold rules.

    The section may be of an older text. A prompt's opening is what is asked for: a rule below it gets its own title.
    """
    usual = usual_section(rule.found)
    same = [other for other in rule.found.sections if section and other.path == section.path]
    if section is None or not same or any(map(is_about_examples, section.path)):
        return usual
    named = min(same, key=lambda one: abs(one.start - section.start))
    if named.level > 1 or any(block.kind is BlockKind.ITEM for block in rule.found.within(named)):
        return named
    return usual if usual is not None or rule.type is TargetType.PROMPT else named


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
    while blocks and (_only_closes(blocks[-1], openers, section) or is_closing(blocks)):
        blocks.pop()
    pairs = list(zip_longest(blocks, blocks[1:]))
    for block, after in pairs[: -SPOTS - 1 : -1]:
        is_list = block.kind is BlockKind.ITEM or (after is not None and after.kind is BlockKind.ITEM)
        if not is_list and not (block.kind is BlockKind.PARAGRAPH and block.text.endswith((":", ":**", "："))):
            yield block.last
    if section.heading and not (blocks and blocks[0].kind is BlockKind.ITEM):
        heading = next(
            block for block in found.blocks if block.kind is BlockKind.HEADING and block.start == section.start
        )
        yield heading.end
    elif not section.heading and not blocks:
        yield section.start


def _only_closes(block: Block, openers: dict[int, int], section: Section) -> bool:
    """Tell if a block at the end of a section belongs to what comes: a rule, link targets, a closing tag, a lead."""
    if block.kind in (BlockKind.RULE, BlockKind.DEFINITION) or block.text.endswith((":", ":**")):
        return block.kind is not BlockKind.ITEM
    if block.kind is not BlockKind.TAG or block.level:
        return False
    opener = openers.get(block.start)
    return opener is not None and not is_example_tag(block.text) and opener <= section.start + 2


def _new_items(rule: _Rule) -> list[str]:
    found = rule.found
    marks = [block.mark for block in found.blocks if block.kind is BlockKind.ITEM and block.number is None]
    mark = max(sorted(set(marks)), key=marks.count, default="-")  # the bullet that the file uses most
    words = rule.words([block.text for block in found.blocks if block.kind is BlockKind.ITEM and block.level == 0])
    return as_item(words, lead=f"{mark} ", hang=len(mark) + 1, width=wrap_width(found))


def _spots_for_a_section(found: Layout) -> Iterator[int]:
    blocks = [block for block in found.blocks if block.parent is None]
    openers = tag_pairs(found.blocks)
    first = found.sections[0].start if found.sections else 0
    is_wrapped = any(block.kind is BlockKind.WRAPPER for block in blocks)
    end = len(found.lines)
    while blocks and (
        _closes_the_file(blocks[-1], openers, first)
        or is_closing(blocks)
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


_SHOWN = 90  # characters of the old words that a reason shows


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Words that give way to a rule, or that it speaks against, and why."""

    existing_rule: ExistingRule
    why: str


def find_contradictions(content: str, likes: Iterable[Like]) -> list[Replacement]:
    """Return the words that cannot hold beside a rule, whether or not they may give way."""
    rule = plain_line(content)
    found = [
        (like.existing_rule, opposed(like.text, rule))
        for like in likes
        if like.existing_rule.block.kind is not BlockKind.HEADING
    ]
    return [
        Replacement(existing_rule=line, why=f"the rule contradicts {_shown(line)}: {why}") for line, why in found if why
    ]


def _shown(existing_rule: ExistingRule) -> str:
    words = existing_rule.raw if len(existing_rule.raw) <= _SHOWN else f"{existing_rule.raw[:_SHOWN].rstrip()} …"
    return f"“{words}” on line {existing_rule.line} of {existing_rule.uri}"


def rewritten(text: str, rule: str, line: ExistingRule) -> tuple[str, str] | None:
    """Return the text with a rule in the place of the words, and its new lines: mark, number, box and lead-in stay.

    None where that is not safe, or the words cannot be told apart from the rest of their item.
    """
    found, block = layout(text), line.block
    old = found.lines[block.start : block.end]
    if line.lines != "".join(old) or block.text.count(line.raw) != 1:
        return None
    rows = _rows(block.text.replace(line.raw, _worded(rule, line, found)), old, found, block)
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


def _worded(rule: str, line: ExistingRule, found: Layout) -> str:
    lead_in = lead_in_of(line.raw)
    old = line.raw[len(lead_in) :]
    return lead_in + end_like(begin_like(one_line(rule), [old], code="".join(found.lines)), [old])


def _rows(words: str, old: Sequence[str], found: Layout, block: Block) -> list[str]:
    first = bare(old[0]).rstrip()
    item = item_of(first) if block.kind is BlockKind.ITEM else None
    own = item.text if item else first.strip("\ufeff \t")
    lead = first[: len(first) - len(own)]
    width = wrap_width(found)
    if len(old) > 1 and width is None:
        width = max(NARROWEST, *(len(bare(line)) for line in old))
    return as_item(words, lead=lead, hang=item.content_indent if item else len(lead), width=width)


def put_beside(fact: MemoryFact, one: Ranked, *, new_heading: str | None = None) -> MemorySuggestion | None:
    if one.target.type is TargetType.HOOK:
        return None
    placed = place(fact.content, one.target, section=one.section, kind=fact.kind, new_heading=new_heading)
    if placed is None:
        return None
    return planned(fact, one.target, after=placed.text, content=placed.content, heading=placed.heading, why=one.why)


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
