"""The lines and sentences of a customization file that say something, each with what stands around it. Pure.

A rule there is a list item, a paragraph, or a sentence of one; what stands in a list of things *not* to do says the
opposite of its words, and what only shows how something looks says nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.model import TargetType
from memsuggest.suggestions.placement.content_safety import pieces
from memsuggest.suggestions.placement.layouts import layout_of
from memsuggest.suggestions.placement.lists import (
    is_about_examples,
    is_about_wrong,
    is_example_tag,
    label_above,
    open_tags,
)
from memsuggest.text.likeness import negations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.customizations.blocks.sections import Layout
    from memsuggest.model import Target

NEVER = "never "
"""What stands before the words of a list of things not to do."""
LONGEST = 600
"""Characters of a text that are compared as one; a longer one is an essay, and its sentences are looked at."""
_LABEL = 80  # characters of an item that announces those nested in it
_SENTENCES = 8
"""Sentences of a text that are looked at."""
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[。！？])")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\([^()\s]{0,500}\)")
_MARKUP = re.compile(r"\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)|~~|\\(?=[<>#*_\[\]+.|~`-])|<br ?/?>")
_SIGN = re.compile(r"^[\s✅✓✔❌🚫⛔✗✘⚠️❗📌👉]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingRule:
    """A line or sentence of a customization file."""

    uri: str
    line: int
    """From 1."""
    text: str
    """What it says, without marks; with "never" before it where its list is of things not to do."""
    raw: str
    """Its words in the file, on one line: an item's or paragraph's own, or one sentence of them."""
    block: Block
    lines: str
    """The lines of the file that hold the item or paragraph, as they are."""
    is_replaceable: bool
    """Whether the words may give way to others: not in a generated region, not part of a table or heading."""


def existing_rules_of(target: Target) -> list[ExistingRule]:
    """Return what a file says: items, paragraphs and quotes, whole and by sentences; headings; table rows."""
    if target.type is TargetType.HOOK:
        return []
    found = layout_of(target.text)
    tags = open_tags(found.blocks)
    heading = ""
    labels: dict[int, str] = {}
    existing_rules: list[ExistingRule] = []
    for place, block in enumerate(found.blocks):
        if block.kind is BlockKind.HEADING:
            heading = block.text
        label = _label(found.blocks, place, labels)
        if is_about_examples(heading) or is_about_examples(label) or any(map(is_example_tag, tags[block.start])):
            continue
        is_wrong = block.kind is BlockKind.ITEM and (is_about_wrong(heading) or is_about_wrong(label))
        existing_rules += _in_block(target, found, block, is_wrong=is_wrong)
    return existing_rules


def _label(blocks: Sequence[Block], place: int, labels: dict[int, str]) -> str:
    """Return what announces a block: the item that it is nested in, or the paragraph above its list."""
    block = blocks[place]
    if block.parent is not None:
        return blocks[block.parent].text[:_LABEL]
    if block.kind is not BlockKind.ITEM:
        return ""
    if block.group not in labels:
        labels[block.group] = label_above(blocks, place)
    return labels[block.group]


def _in_block(target: Target, found: Layout, block: Block, *, is_wrong: bool) -> Iterator[ExistingRule]:
    lines = found.lines[block.start : block.end]
    is_text = block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH)
    for raw, part in _parts(block, lines):
        text = plain_line(part)
        if any(char.isalnum() for char in text):
            is_refusal = is_wrong or (_SIGN.match(raw) is not None and is_about_wrong(raw[:2]))
            yield ExistingRule(
                uri=target.uri,
                line=block.start + 1,
                text=f"{NEVER}{text}" if is_refusal and not negations(text) else text,
                raw=raw,
                block=block,
                lines="".join(lines),
                is_replaceable=is_text and raw == part and not (is_refusal or block.is_generated or raw.endswith(":")),
            )


def _parts(block: Block, lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return the stretches of a block that say something, and of each what it says: whole, sentences, clauses."""
    if block.kind is BlockKind.TABLE:
        rows = [" ".join(row.strip(" |\r\n").split("|")) for row in (lines[0], *lines[2:])]
        return [(row, row) for row in rows]
    if block.kind is BlockKind.QUOTE:
        text = " ".join(line.strip().lstrip(">").strip() for line in lines)
    elif block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.HEADING):
        text = block.text
    else:
        return []
    sentences = [part.strip() for part in _BETWEEN_SENTENCES.split(text)][:_SENTENCES]
    whole = [text] if len(text) <= LONGEST else []
    return [(part, part) for part in dict.fromkeys([*whole, *sentences])] + [
        (sentence, clause) for sentence in sentences for clause in sentence.split("; ") if clause != sentence
    ]


@lru_cache(maxsize=1024)
def plain_line(raw: str) -> str:
    """Return words without their markup: emphasis, link targets, escapes, signs."""
    text = _LINK.sub(r"\1", _SIGN.sub("", raw))
    return "".join(part if is_code else _MARKUP.sub("", part) for part, is_code in pieces(text)).strip()
