"""Rules that a file gives twice, in nearly the same words. Pure.

Shy: the longer one must say all that the shorter one says, both must be whole items of some length, and what stands
among examples or in a region that a program writes is no repetition.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.memory.duplicates import difference, is_said_by, similarity_of
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.suggestions.existing.rule_lines import plain_line
from memsuggest.suggestions.placement.labels import is_about_examples, is_about_wrong
from memsuggest.suggestions.placement.layouts import layout_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.memory.rule_meaning import Wording
    from memsuggest.model import Target

NEARLY = 0.9
"""Similarity from which two items of a file are one rule."""
_WORDS = 6  # words of weight below which two items are alike by chance, or each is about what stands above it


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """An item that another one of the file makes needless."""

    needless: Block
    kept: Block


def repeats(target: Target) -> list[Repeat]:
    """Find the items of a file that say no more than another one does; each is named once."""
    found: list[Repeat] = []
    gone: set[int] = set()
    for earlier, later in _alike(list(_items(target))):
        if not gone.isdisjoint({earlier.start, later.start}):
            continue
        if pair := _needless(earlier, later):
            found.append(pair)
            gone.add(pair.needless.start)
    return found


def _items(target: Target) -> Iterator[Block]:
    """Yield the items that stand for themselves: not nested, nothing nested in them, not among examples."""
    heading = ""
    for block in layout_of(target.text).blocks:
        if block.kind is BlockKind.HEADING:
            heading = block.text
        is_plain = block.kind is BlockKind.ITEM and not block.level and block.last == block.end
        is_odd = (
            block.is_generated or block.number or block.task or is_about_examples(heading) or is_about_wrong(heading)
        )
        if is_plain and not is_odd and len(read_wording(plain_line(block.text)).heavy) >= _WORDS:
            yield block


def _alike(items: list[Block]) -> Iterator[tuple[Block, Block]]:
    """Yield the pairs that share nearly all words of weight, looked up by their words."""
    words = [read_wording(plain_line(item.text)).heavy for item in items]
    places: dict[str, list[int]] = {}
    for place, stems in enumerate(words):
        shared = Counter(other for stem in stems for other in places.get(stem, ()))
        for other, count in sorted(shared.items()):
            if count + 1 >= NEARLY * min(len(stems), len(words[other])):
                yield items[other], items[place]
        for stem in stems:
            places.setdefault(stem, []).append(place)


def _numbers(wording: Wording) -> list[str]:
    """Return the numbers in their order: "60 here, 40 there" is not "40 here, 60 there"."""
    return [term.stem for term in wording.terms if term.is_number]


def _needless(earlier: Block, later: Block) -> Repeat | None:
    first, second = plain_line(earlier.text), plain_line(later.text)
    one, other = read_wording(first), read_wording(second)
    if similarity_of(one, other) < NEARLY or difference(first, second) is not None or _numbers(one) != _numbers(other):
        return None
    if is_said_by(first, second):
        return Repeat(needless=later, kept=earlier)
    return Repeat(needless=earlier, kept=later) if is_said_by(second, first) else None
