"""The choice of a list within a section: by what the lists are about, and what announces them. Pure.

Lists of one section are told apart by the paragraph, tag or item that announces each ("Testing:"), and by their
items; a list of examples, or of what not to do, is no place for a plain rule.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.model import Kind
from memsuggest.suggestions.placement.headings import weight_of
from memsuggest.suggestions.placement.labels import (
    is_about_use,
    is_about_wrong,
    is_example_tag,
    is_explaining,
    is_no_place,
    says_when_used,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memsuggest.customizations.blocks.sections import Layout
    from memsuggest.memory.rule_meaning import Wording
    from memsuggest.model import Section

HEAD_LENGTH = 60
"""Characters of an item that is no rule but the head of those nested in it."""
_MISFIT = 0.5
"""What is left of a list's weight when it holds steps and the rule is none, or the other way round."""
_AMONG_HEADS = 0.3
"""The same for a list whose items hold lists: a rule beside them would look lost."""
_LABEL_LENGTH = 120
"""Characters of a paragraph that announces a list; a longer one says more than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemList:
    """Items of one list, in order, and what announces them."""

    items: tuple[Block, ...]
    label: str
    """The words right above: a paragraph, the item that they are nested in; empty where there is none."""
    tags: tuple[str, ...]
    """The names of the tags that they stand in, outermost first."""

    @property
    def is_numbered(self) -> bool:
        """Tell whether it counts its items."""
        return self.items[0].number is not None

    @property
    def holds_heads(self) -> bool:
        """Tell whether most of its items are there for what is nested in them."""
        return sum(item.last > item.end for item in self.items) * 2 > len(self.items)

    @property
    def is_example(self) -> bool:
        """Tell whether it only shows how something looks."""
        return is_no_place(self.label) or any(is_example_tag(tag) for tag in self.tags)


def open_tags(blocks: Sequence[Block]) -> dict[int, tuple[str, ...]]:
    """Map each block's first line to the names of the tags around it, outermost first; unclosed tags count for none."""
    closed = _closed_tags(blocks)
    stack: list[str] = []
    found: dict[int, tuple[str, ...]] = {}
    for block in blocks:
        if block.kind is BlockKind.TAG and block.start in closed:
            if block.level:
                stack.append(block.text)
            else:
                stack.pop()
        found[block.start] = tuple(stack)
    return found


def _closed_tags(blocks: Iterable[Block]) -> dict[int, int]:
    """Map the lines of tags that open and close each other, both ways."""
    stack: list[Block] = []
    pairs: dict[int, int] = {}
    for block in blocks:
        if block.kind is not BlockKind.TAG:
            continue
        if block.level:
            stack.append(block)
        elif any(one.text == block.text for one in stack):
            while stack[-1].text != block.text:
                stack.pop()
            opener = stack.pop()
            pairs |= {opener.start: block.start, block.start: opener.start}
    return pairs


def tag_pairs(blocks: Iterable[Block]) -> dict[int, int]:
    """Map the line of each closing tag to that of its opening one."""
    return {closer: opener for closer, opener in _closed_tags(blocks).items() if closer > opener}


def lists_of(found: Layout, section: Section) -> list[ItemList]:
    """Return the lists of a section that may be added to, and those nested in items that are heads, in order."""
    tags = open_tags(found.blocks)
    index = {block.start: number for number, block in enumerate(found.blocks)}
    outer: dict[int, list[Block]] = {}
    for block in found.within(section):
        if block.kind is BlockKind.ITEM and not block.is_generated:
            outer.setdefault(block.group, []).append(block)
    lists = []
    for items in outer.values():
        parent = found.blocks[items[0].parent] if items[0].parent is not None else None
        if parent is None or _is_head(parent, items[0]):
            label = parent.text if parent else label_above(found.blocks, index[items[0].start])
            lists.append(ItemList(items=tuple(items), label=label, tags=tags[items[0].start]))
    return lists


def _is_head(item: Block, nested: Block) -> bool:
    """Tell whether an item is but the head of what is nested in it: short, and set apart by a colon or bold type."""
    words = item.text.strip()
    is_marked = words.endswith((":", ":**", "**", "__")) or len(words.split()) <= 3
    return item.level == 0 and nested.level == 1 and len(words) <= HEAD_LENGTH and is_marked


def label_above(blocks: Sequence[Block], place: int) -> str:
    """Return the words of the paragraph, or of the last line of it, that announces the list at a place."""
    above = blocks[place - 1] if place else None
    while above is not None and above.parent is not None:
        above = None  # the end of another list: nothing between the two
    if above is None or above.kind is not BlockKind.PARAGRAPH or len(above.text) > _LABEL_LENGTH:
        return ""
    return above.text


def by_fitness(lists: Sequence[ItemList], rule: str, *, kind: Kind) -> list[ItemList]:
    """Return the lists that a rule may join, the best first; of equals the last one, where people add."""
    places = [one for one in lists if not _is_closed(one, rule)]
    if len(places) < 2:
        return places
    scale = _Scale.of(places, rule, kind)
    weighed = [(scale.weigh(one), place, one) for place, one in enumerate(places)]
    return [one for weight, _, one in sorted(weighed, key=lambda row: row[:2], reverse=True) if weight > 0]


def _is_closed(one: ItemList, rule: str) -> bool:
    """Tell whether a list is no place for a rule: examples, or what not to do for one that says what to do."""
    if one.is_example or (is_about_wrong(one.label) and not read_wording(rule).negations):
        return True
    if is_about_use(one.label) and not says_when_used(rule):
        return True
    words = read_wording(rule).heavy
    return is_explaining(one.label) and words.isdisjoint(read_wording(one.label).heavy)


def _stems(one: ItemList) -> dict[str, float]:
    """Map what a list is about to how much it is: its label counts three times as much as an item."""
    found = dict.fromkeys((stem for item in one.items for stem in read_wording(item.text).heavy), 1.0)
    return found | dict.fromkeys(read_wording(" ".join((one.label, *one.tags[-1:]))).heavy, 3.0)


@dataclass(frozen=True, slots=True)
class _Scale:
    """A rule, and what its words are worth among some lists."""

    rule: Wording
    kind: Kind
    rarity: Mapping[str, float]

    @classmethod
    def of(cls, lists: Sequence[ItemList], rule: str, kind: Kind) -> _Scale:
        """Return the scale on which some lists are held against a rule."""
        counts = Counter(stem for one in lists for stem in _stems(one))
        return cls(
            read_wording(rule), kind, {stem: log((1 + len(lists)) / (1 + count)) for stem, count in counts.items()}
        )

    def weigh(self, one: ItemList) -> float:
        """Say how well the rule fits into a list; 0 for a list that is no place for it."""
        stems = _stems(one)
        if one.items[0].parent is not None and not self._is_about(one.label):
            return 0.0  # below a head only what is about it
        weight = sum(stems[stem] * self.rarity[stem] for stem in self.rule.heavy & stems.keys()) / sqrt(1 + len(stems))
        weight += 0.2 * (weight_of(one.label) > 0) + 0.2 * any(weight_of(tag) > 0 for tag in one.tags)
        is_fitting = one.is_numbered == (self.kind is Kind.PROCEDURE)
        return (0.1 + weight) * (1.0 if is_fitting else _MISFIT) * (_AMONG_HEADS if one.holds_heads else 1.0)

    def _is_about(self, label: str) -> bool:
        """Tell whether the rule shares a word with a label that tells it from the others."""
        return any(self.rarity.get(stem, 0) > 0 for stem in self.rule.heavy & read_wording(label).heavy)
