"""The style of a statement: the traits by which the lines of a file resemble each other. Pure.

A file has its manner (bold lead-ins, capital MUSTs, full sentences), and what belongs there is mostly written like
its neighbours. Used to tell files and sections apart, never to say what a rule is about.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.customizations.blocks.block import Block

Traits = tuple[bool, ...]

_LOUD = re.compile(r"\b(?:MUST|SHOULD|NEVER|ALWAYS|DO NOT|NOT)\b")
_LEAD_IN = re.compile(r"\*\*[^*\n]{1,80}(?::\*\*|\*\*:?\s*[—–:-])")


def traits_of(statement: str) -> Traits:
    """Return how a statement is written, each trait being there or not."""
    text = statement.strip()
    return (
        text.startswith("**"),
        text.startswith("`"),
        bool(_LOUD.search(text)),
        text.endswith("."),
        bool(_LEAD_IN.match(text)),
    )


COUNT = len(traits_of(""))
_FIRST_WORD = re.compile(r"[\w']+")


def opening_of(statement: str) -> str:
    """Return the first word of a statement, in lower case; empty for none."""
    found = _FIRST_WORD.search(statement)
    return found.group().lower() if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineStyle:
    """The style of the statements of a file or section."""

    statements: int
    with_trait: tuple[int, ...]
    items: Counter[Traits]
    """List items by their traits."""
    openings: Counter[str]
    """Statements by their first word."""

    def __add__(self, other: LineStyle) -> LineStyle:
        return LineStyle(
            statements=self.statements + other.statements,
            with_trait=tuple(map(int.__add__, self.with_trait, other.with_trait)),
            items=self.items + other.items,
            openings=self.openings + other.openings,
        )

    def likeness(self, traits: Traits) -> float:
        """Say how usual the traits are here, 0 to 1; a few statements are no proof of a manner."""
        alike = sum(
            count if trait else self.statements - count for count, trait in zip(self.with_trait, traits, strict=True)
        )
        return alike / (COUNT * (self.statements + 1))

    def twins(self, traits: Traits) -> int:
        """Count the list items that are written just so."""
        return self.items[traits]


def line_style_of(blocks: Iterable[Block]) -> LineStyle:
    """Read the manner of some blocks: their paragraphs and list items."""
    spoken = [block for block in blocks if block.kind in _SPOKEN]
    found = [(block.kind, traits_of(block.text)) for block in spoken]
    return LineStyle(
        statements=len(found),
        with_trait=tuple(sum(traits[place] for _, traits in found) for place in range(COUNT)),
        items=Counter(traits for kind, traits in found if kind is BlockKind.ITEM),
        openings=Counter(opening_of(block.text) for block in spoken),
    )


_SPOKEN = {BlockKind.ITEM, BlockKind.PARAGRAPH}
