"""The lines and sentences of a customization file that say something, each with what stands around it.

A line says a rule already when it has nearly the same words, and speaks against it when the same words differ in a
negation, a number or a name in one slot. Nothing else is sure enough: a rule that a line says in other words is
suggested, and the person sees both. Pure.

A rule there is a list item, a paragraph, or a sentence of one; what stands in a list of things *not* to do says the
opposite of its words, and what only shows how something looks says nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from heapq import nsmallest
from operator import attrgetter
from typing import NamedTuple
from zlib import crc32

from memsuggest.core.identity import normalised
from memsuggest.core.model import Target, TargetType
from memsuggest.core.redact import clean, redact
from memsuggest.core.text.likeness import keys_of, likeness, negations, same_words
from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.blocks.scan import Block, BlockKind
from memsuggest.customizations.blocks.sections import layout
from memsuggest.customizations.kept_index import Keep, made_anew
from memsuggest.files import digest_of
from memsuggest.judging.verdicts.cases import ShownLine, loaded_for
from memsuggest.suggestions.placement.content_safety import pieces
from memsuggest.suggestions.placement.line_format import as_rule, lead_in_of
from memsuggest.suggestions.placement.lists import (
    is_about_examples,
    is_about_wrong,
    is_example_tag,
    label_above,
    open_tags,
)

_FIELDS = tuple(field.name for field in fields(Block))
_of_block = attrgetter(*_FIELDS)
NEVER = "never "
"""What stands before the words of a list of things not to do."""
LONGEST = 600
"""Characters of a text that are compared as one; a longer one is an essay, and its sentences are looked at."""
_SHOWN = 90  # characters of the words that a reason shows
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

    @property
    def shown(self) -> str:
        return self.raw if len(self.raw) <= _SHOWN else f"{self.raw[:_SHOWN].rstrip()} …"


def existing_rules_of(target: Target, *, keep: Keep = made_anew) -> list[ExistingRule]:
    """Return what a file says: items, paragraphs and quotes, whole and by sentences; headings; table rows."""
    if target.type is TargetType.HOOK:
        return []
    rows, blocks = keep("lines", target.uri, _key_of(target), lambda: _rows_of(target))
    lines = split_lines(target.text)
    named = (dict(zip(_FIELDS, row, strict=True)) for row in blocks)
    of = [Block(**given | {"kind": BlockKind(given["kind"])}) for given in named]
    return [
        ExistingRule(
            uri=target.uri,
            line=of[block].start + 1,
            text=text,
            raw=raw,
            block=of[block],
            lines="".join(lines[of[block].start : of[block].end]),
            is_replaceable=is_replaceable,
        )
        for text, raw, block, is_replaceable in rows
    ]


def _key_of(target: Target) -> str:
    return f"{target.type} {target.digest or digest_of(target.text)}"


def _rows_of(target: Target) -> tuple[list[tuple[str, str, int, bool]], list[tuple[object, ...]]]:
    """Return what a file says as JSON has it, with the numbers of the blocks that say it, and these blocks."""
    found = layout(target.text)
    tags, heading, labels = open_tags(found.blocks), "", dict[int, str]()
    rows: list[tuple[str, str, int, bool]] = []
    blocks: list[tuple[object, ...]] = []
    for place, block in enumerate(found.blocks):
        is_item, label = block.kind is BlockKind.ITEM, ""
        if block.kind is BlockKind.HEADING:
            heading = block.text
        if block.parent is not None:  # the item that it is nested in announces it
            label = found.blocks[block.parent].text[:_LABEL]
        elif is_item:  # else the paragraph above its list
            label = labels.setdefault(block.group, label_above(found.blocks, place))
        if is_about_examples(heading) or is_about_examples(label) or any(map(is_example_tag, tags[block.start])):
            continue
        is_wrong = is_item and (is_about_wrong(heading) or is_about_wrong(label))
        said = []
        for raw, part in _parts(block, found.lines[block.start : block.end]):
            text = plain_line(part)
            is_refusal = is_wrong or (_SIGN.match(raw) is not None and is_about_wrong(raw[:2]))
            is_free = (is_item or block.kind is BlockKind.PARAGRAPH) and raw == part and not raw.endswith(":")
            is_free = is_free and not (is_refusal or block.is_generated)
            if any(char.isalnum() for char in text):
                text = f"{NEVER}{text}" if is_refusal and not negations(text) else text
                said.append((text, raw, len(blocks), is_free))
        rows += said
        blocks += [_of_block(block)] if said else []
    return rows, blocks


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


def _texts_of(target: Target, *, keep: Keep = made_anew) -> Iterator[tuple[ExistingRule, str]]:
    for rule in existing_rules_of(target, keep=keep):
        yield rule, rule.text
        lead_in = lead_in_of(rule.raw)
        if lead_in and rule.text.endswith(rest := plain_line(rule.raw[len(lead_in) :])):
            yield rule, rest


def _words_in(target: Target) -> tuple[list[int], list[int], dict[str, list[int]]]:
    """Return how many words each text has, a mark by which equal ones are found, and by word the places of texts."""
    lengths, marks, by_word = list[int](), list[int](), dict[str, list[int]]()
    for place, (_, text) in enumerate(_texts_of(target)):
        words = keys_of(text)
        lengths.append(len(words))
        marks.append(_mark_of(normalised(text)))
        for word in sorted(words):
            by_word.setdefault(word, []).append(place)
    return lengths, marks, by_word


def _mark_of(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))


class Like(NamedTuple):
    """An existing rule that is like a rule."""

    similarity: float
    existing_rule: ExistingRule
    text: str
    """What is compared: the existing rule's text, or what follows its lead-in."""


class ExistingRules:
    """All that some files say: which words stand where, and the lines themselves once somebody asks for them."""

    def __init__(self, targets: Sequence[Target], *, keep: Keep = made_anew) -> None:
        self._keep = keep
        self._targets: list[Target] = []
        self._starts: list[int] = []
        """The number of each file's first text among all."""
        self._lengths: list[int] = []
        self._by_word: dict[str, list[tuple[int, Sequence[int]]]] = {}
        """For each word, the texts of each file that have it: the number of the file's first one, places after it."""
        self._by_mark: dict[int, list[int]] = {}
        self._lines: dict[int, list[tuple[ExistingRule, str]]] = {}
        for target in (target for target in targets if target.type is not TargetType.HOOK):
            start = len(self._lengths)
            lengths, marks, words = keep("words", target.uri, _key_of(target), partial(_words_in, target))
            self._targets.append(target)
            self._starts.append(start)
            self._lengths += lengths
            for place, mark in enumerate(marks, start):
                self._by_mark.setdefault(mark, []).append(place)
            for word, places in words.items():
                self._by_word.setdefault(word, []).append((start, places))

    def like(self, content: str) -> list[Like]:
        rule, words = plain_line(content), keys_of(content)
        shared = Counter(
            start + place for word in words for start, places in self._by_word.get(word, ()) for place in places
        )
        near = nsmallest(
            _COMPARED, shared, key=lambda place: (-shared[place] / (len(words) + self._lengths[place]), place)
        )
        plain = normalised(rule)
        same = [place for place in self._by_mark.get(_mark_of(plain), ()) if normalised(self._text(place)[1]) == plain]
        found = [
            Like(1.0 if place in same else likeness(text, rule), line, text)
            for place in dict.fromkeys([*same, *near])
            for line, text in [self._text(place)]
        ]
        return sorted((like for like in found if like.similarity >= LIKE), key=lambda like: -like.similarity)

    def _text(self, place: int) -> tuple[ExistingRule, str]:
        number = bisect_right(self._starts, place) - 1
        if number not in self._lines:
            self._lines[number] = list(_texts_of(self._targets[number], keep=self._keep))
        return self._lines[number][place - self._starts[number]]

    def said(self, content: str) -> list[ExistingRule]:
        rule = as_rule(content)
        return said_among(self.like(rule), rule)


def said_among(likes: Iterable[Like], content: str) -> list[ExistingRule]:
    rule = plain_line(content)
    is_long = len(keys_of(rule)) >= _FEWEST

    def says(like: Like) -> bool:
        line = like.existing_rule
        # What was put into a list of things not to do stands there word for word.
        words = (normalised(like.text), like.text.startswith(NEVER) and normalised(line.raw))
        return normalised(rule) in words or (is_long and same_words(like.text, rule))

    return [
        like.existing_rule for like in likes if like.existing_rule.block.kind is not BlockKind.HEADING and says(like)
    ]


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
            under=next((part.heading for part in reversed(target.sections) if part.start < rule.line), ""),
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
        around = " ".join(rule.lines.replace(">", " ").split())
        if rule.block.kind is not BlockKind.TABLE and len(rule.raw) + _MARKS >= len(around):
            if len(rule.raw) > WHOLE:
                continue
            whole = start
        yield rule
