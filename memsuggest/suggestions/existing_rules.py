"""The lines and sentences of a customization file that say something, each with what stands around it.

A line says a rule already when it has nearly the same words, and speaks against it when the same words differ in a
negation, a number or a name in one slot. Nothing else is sure enough: a rule that a line says in other words is
suggested, and the person sees both. Pure.

A rule there is a list item, a paragraph, or a sentence of one; what stands in a list of things *not* to do says the
opposite of its words, and what only shows how something looks says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.sections import layout
from memsuggest.identity import normalised
from memsuggest.judging.cases import ShownLine, loaded_for
from memsuggest.model import TargetType
from memsuggest.redact import clean, redact
from memsuggest.suggestions.placement.content_safety import pieces
from memsuggest.suggestions.placement.line_format import as_rule, lead_in_of
from memsuggest.suggestions.placement.lists import (
    is_about_examples,
    is_about_wrong,
    is_example_tag,
    label_above,
    open_tags,
)
from memsuggest.text.likeness import keys_of, likeness, negations, opposed, same_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    found = layout(target.text)
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


LIKE = 0.2
"""Share of words from which a line is near a rule."""
_FEWEST = 2
"""Words of a rule from which on it is known again in another form."""
_COMPARED = 24
"""Texts that are compared, of all that share words with a rule: those that share most, for their length."""


class Like(NamedTuple):
    """An existing rule that is like a rule."""

    similarity: float
    existing_rule: ExistingRule
    text: str
    """What is compared: the existing rule's text, or what follows its lead-in."""


class ExistingRules:
    """All that some files say."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._texts: list[tuple[ExistingRule, str, int]] = []
        self._by_word: dict[str, list[int]] = {}
        self._by_words: dict[str, list[int]] = {}
        for target in targets:
            for existing_rule in existing_rules_of(target):
                self._add(existing_rule, existing_rule.text)
                lead_in = lead_in_of(existing_rule.raw)
                if lead_in and existing_rule.text.endswith(rest := plain_line(existing_rule.raw[len(lead_in) :])):
                    self._add(existing_rule, rest)

    def _add(self, existing_rule: ExistingRule, text: str) -> None:
        words = keys_of(text)
        self._by_words.setdefault(normalised(text), []).append(len(self._texts))
        for word in words:
            self._by_word.setdefault(word, []).append(len(self._texts))
        self._texts.append((existing_rule, text, len(words)))

    def like(self, content: str) -> list[Like]:
        """Return the lines that share most words with a rule, the most alike first."""
        rule, words = plain_line(content), keys_of(content)
        shared = Counter(place for word in words for place in self._by_word.get(word, ()))
        near = nlargest(_COMPARED, shared, key=lambda place: shared[place] / (len(words) + self._texts[place][2]))
        same = self._by_words.get(normalised(rule), [])
        found = [
            Like(1.0 if place in same else likeness(text, rule), line, text)
            for place in dict.fromkeys([*same, *near])
            for line, text, _ in [self._texts[place]]
        ]
        return sorted((like for like in found if like.similarity >= LIKE), key=lambda like: -like.similarity)

    def said(self, content: str) -> list[ExistingRule]:
        """Return the lines that say a rule already, the most alike first."""
        rule = as_rule(content)
        return said_among(self.like(rule), rule)


def said_among(likes: Iterable[Like], content: str) -> list[ExistingRule]:
    """Return those of the likes of a rule that say it."""
    rule = plain_line(content)
    return [like.existing_rule for like in likes if _says(like, rule)]


def _says(like: Like, rule: str) -> bool:
    if like.existing_rule.block.kind is BlockKind.HEADING:
        return False
    # What was put into a list of things not to do stands there word for word.
    if normalised(rule) in (normalised(like.text), like.text.startswith(NEVER) and normalised(like.existing_rule.raw)):
        return True
    return len(keys_of(rule)) >= _FEWEST and same_words(like.text, rule)


def opposed_among(likes: Iterable[Like], content: str) -> list[tuple[ExistingRule, str]]:
    """Return the lines that cannot hold beside a rule, each with the reason."""
    rule = plain_line(content)
    found = ((like.existing_rule, opposed(like.text, rule)) for like in likes)
    return [(line, why) for line, why in found if why and line.block.kind is not BlockKind.HEADING]


WHOLE = 300
"""Characters of an item or paragraph that is shown as one; of a longer one, its sentences are."""
_MARKS = 12
"""Characters of a bullet, a number, a box, that are no part of a rule."""
_ONLY_IN = {
    TargetType.AGENT: "by this agent only",
    TargetType.SKILL: "with this skill only",
    TargetType.PROMPT: "with this prompt only",
}


def lines_of(target: Target) -> Iterator[ShownLine]:
    """Yield the lines of a file that say something, as they are shown."""
    loaded = _ONLY_IN.get(target.type, loaded_for(target))
    if loaded == "always" or is_unconditional(loaded):
        loaded = ""
    for rule in _units(existing_rules_of(target)):
        says = redact(clean(rule.text)).text
        yield ShownLine(
            uri=target.uri,
            number=rule.line,
            words=rule.raw,
            says=says if says != rule.raw else "",
            under=_heading_above(target, rule.line),
            loaded=loaded,
        )


def line_named(target: Target, words: str) -> ExistingRule | None:
    """Return the line of a file that has these words; None where it is gone."""
    return next((rule for rule in _units(existing_rules_of(target)) if rule.raw == words), None)


def _units(rules: Iterable[ExistingRule]) -> Iterator[ExistingRule]:
    """Yield short items and paragraphs whole, of long ones the sentences, rows of tables, and no headings."""
    whole = -1
    seen: set[tuple[int, str]] = set()
    for rule in rules:
        start = rule.block.start
        if rule.block.kind is BlockKind.HEADING or start == whole or (start, rule.raw) in seen:
            continue
        seen.add((start, rule.raw))
        if rule.block.kind is not BlockKind.TABLE and _is_whole(rule):
            if len(rule.raw) > WHOLE:
                continue
            whole = start
        yield rule


def _is_whole(rule: ExistingRule) -> bool:
    """Tell whether a rule is all of its item or paragraph."""
    return len(rule.raw) + _MARKS >= len(" ".join(rule.lines.replace(">", " ").split()))


def _heading_above(target: Target, line: int) -> str:
    above = [section.heading for section in target.sections if section.start < line]
    return above[-1] if above else ""
