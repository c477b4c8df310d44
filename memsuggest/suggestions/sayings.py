"""What the customization files say already, line by line, ready to be asked about a rule. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.block import Block, BlockKind
from memsuggest.customizations.lines import bare, split_lines
from memsuggest.customizations.sections import blocks
from memsuggest.memory.duplicates import Known, is_said_by
from memsuggest.model import TargetType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import Target

LIKE = 0.45
"""Similarity from which a line is worth a closer look."""
_SENTENCES = 6
"""Sentences of a paragraph that are looked at; a longer one is an essay, not a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A line or sentence of a customization file."""

    uri: str
    line: int
    """From 1."""
    text: str
    """Its words, without marks."""
    lines: str
    """The lines of the file that hold it, as they are."""
    is_whole_item: bool
    """A list item on its own, which may be replaced; not a sentence of a paragraph."""


def sayings_of(target: Target) -> list[Saying]:
    """Return what a file says: its list items and the sentences of its paragraphs."""
    if target.type is TargetType.HOOK:
        return []
    lines = split_lines(target.text)
    found = []
    for block in blocks(target.text):
        if block.kind is BlockKind.ITEM:
            found.append(_saying(target, block, block.text, lines, is_whole=not block.is_generated))
        elif block.kind is BlockKind.PARAGRAPH:
            sentences = block.text.replace("! ", ". ").split(". ")[:_SENTENCES]
            found += [_saying(target, block, text, lines, is_whole=False) for text in {block.text[:600], *sentences}]
    return [saying for saying in found if saying.text]


def _saying(target: Target, block: Block, text: str, lines: Sequence[str], *, is_whole: bool) -> Saying:
    return Saying(
        uri=target.uri,
        line=block.start + 1,
        text=text.strip(),
        lines="".join(lines[block.start : block.end]),
        is_whole_item=is_whole and block.end - block.start <= 6 and bool(bare(lines[block.start]).strip()),
    )


class Sayings:
    """All that some files say."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._all = [saying for target in targets for saying in sayings_of(target)]
        self._known = Known(saying.text for saying in self._all)

    def like(self, rule: str) -> list[Saying]:
        """Return what is worth comparing with a rule, the most alike first."""
        return [self._all[match.position] for match in self._known.matches(rule, least=LIKE)]

    def said(self, rule: str) -> Saying | None:
        """Return where a rule is said already, perhaps in other words."""
        matches = self._known.matches(rule, least=LIKE)
        same = next((self._all[match.position] for match in matches if match.is_same), None)
        return same or next((saying for saying in self.like(rule) if is_said_by(saying.text, rule)), None)
