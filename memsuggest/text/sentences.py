"""Sentences: what the person said in a turn, cut into statements with exact offsets.

Owns the reading of Markdown lines, of sentence ends in several scripts, and of the places where a sentence starts to
say something new. Quoted stretches are never part of a statement. Knows nothing of what is worth remembering.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.text.clauses import parts_of, trimmed
from memsuggest.text.pastes import pasted_lines
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence, a list item, or the part of a sentence that says something of its own."""

    text: str
    """Verbatim: `typed[start:end]`."""
    start: int
    end: int
    sentence: str
    """The whole sentence that it is part of, verbatim."""
    before: str = ""
    """What was said before it in the same turn: the part of the sentence, or the sentence."""
    after: str = ""
    """What was said behind it in the same turn: the next part of the sentence, or the next sentence."""
    in_list: bool = False
    position: int = 0
    """Which statement of its turn this is, from 0."""
    count: int = 1
    """How many statements the turn has."""
    heading: str = ""
    """The Markdown heading, or the line ending in a colon, that it stands under."""
    paragraph: str = ""
    """The paragraph or list item that it stands in, verbatim."""

    @property
    def plain(self) -> str:
        """Its words as the rules read them."""
        return plain(self.text)


Span = tuple[int, int]

_ITEM = re.compile(
    r"[ \t]*(?:[-*+\u2022\u2013][ \t]+|\(?\d{1,2}[.)][ \t]+|\(?[a-z]\)[ \t]+|->[ \t]*)(?:\[[ xX]\][ \t]+)?"
)
_NUMBER_ONE = re.compile(r"(?:\A|\s)\(?1[.)][ \t]+\Z")
_NEXT_NUMBER = re.compile(r"\s\(?(\d{1,2})[.)][ \t]+(?=\S)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_RULER = re.compile(r"[ \t]*(?:[-*_=~][ \t]?){3,}[ \t]*\Z")

# What may hold full stops without ending a sentence (first), and what ends one (second).
_MARK = re.compile(
    r"(?P<atom>`[^`\n]{1,400}`"
    r"|https?://[^\s<>]{0,400}[^\s<>.,;:!?)\]'\"]"
    r"|(?<!\w)\"[^\"\n]{1,120}[.?!]\"(?=\s{1,3}[a-z])"  # something quoted, in the middle of a sentence
    r"|(?<![\w.])(?:e\.g|i\.e|z\.\s?b|d\.\s?h|u\.\s?a|o\.\s?[äa]|p\.\s?ex|p\.\s?ej|c\.-à-d|u\.s|a\.k\.a)\.?(?!\w)"
    r"|(?<!\w)(?:etc|vs|approx|resp|bzw|usw|ca|cf|dr|mr|mrs|ms|sr|sra|fig|nr|inkl|evtl|incl|ej|ex|eq|esp|min|max)\."
    r"(?=\s{0,3}[a-zà-ÿ(,`0-9])"
    r"|(?<![^\s(\[\"'*])[^\s.!?;,]{1,80}(?:\.[^\s.!?;,]{1,80}){1,9}"  # versions, file names, hosts, `a.b.c`
    r"|(?<!\w)\.{1,2}[\w/][^\s,;!?]{0,200}"  # .env, ./x, ../y
    r"|\.{2,9}(?=\s{0,3}[a-zà-ÿ])"  # an ellipsis in the middle of a thought
    r"|[:;]-?[()DPpo/](?!\w))"  # a smiley
    r"|(?P<stop>[.!?\u2026]{1,9}[)\"'\u201d\u2019*_\]]{0,4}(?=\s|\Z)"
    r"|[\u3002\uff01\uff1f\uff1b]{1,9}[\u300d\u300f\uff09\"]{0,2}"
    r"|;(?=\s)|(?<!\bthe)(?<!\ba)(?<!\bor)\s(?:--|\u2014|\u2013|-)(?=\s)|(?<=\w)\u2014(?=\w))",
    re.IGNORECASE,
)
_TERMINAL = re.compile(r"[.!?:;\u2026\u3002\uff01\uff1f][)\"'*_\]]*[ \t]*\Z")
_LONG_LINE = 60  # characters from which a line may have been broken by a margin
_UNFINISHED = re.compile(
    r"(?:,|\b(?:and|or|the|an?|to|of|in|for|with|that|is|are|because|not|be|on|at|from|by|as|our|your|if|when"
    r"|which|than|but|und|oder"
    r"|der|die|das|et|ou|le|la|de|y|o|el|en|que|e|os|as|um|uma))[ \t]*\Z",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"[ \t]*(?:and|or|to|of|with|because|which|than|than|in|on|at|by|from|und|oder|et|ou|y|que|e)\b"
)


def statements(typed: str, quoted: Sequence[Span] = ()) -> list[Statement]:
    """Cut what was typed outside the quoted stretches into statements, in order."""
    sentences = [(block, span) for block in _blocks(typed, quoted) for span in _sentences(typed, block.span)]
    texts = [typed[start:end] for _, (start, end) in sentences]
    parts = [(i, part) for i, (_, span) in enumerate(sentences) for part in parts_of(typed, span)]
    found = []
    paragraphs = {block.span: typed[slice(*block.span)] for block, _ in sentences}
    for position, (index, (start, end)) in enumerate(parts):
        block = sentences[index][0]
        follows = position and parts[position - 1][0] == index  # another part of the same sentence
        before = typed[slice(*parts[position - 1][1])] if follows else texts[index - 1] if index else ""
        found.append(
            Statement(
                text=typed[start:end],
                start=start,
                end=end,
                sentence=texts[index],
                before=before,
                after=_after(typed, parts, texts, position),
                in_list=block.in_list,
                position=position,
                count=len(parts),
                heading=block.heading,
                paragraph=paragraphs[block.span],
            )
        )
    return found


def _after(typed: str, parts: Sequence[tuple[int, Span]], texts: Sequence[str], position: int) -> str:
    """What is said behind a part: the next part of its sentence, or the next sentence."""
    index = parts[position][0]
    if position + 1 < len(parts) and parts[position + 1][0] == index:
        return typed[slice(*parts[position + 1][1])]
    return texts[index + 1] if index + 1 < len(texts) else ""


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together: a paragraph or a list item."""

    span: Span
    in_list: bool = False
    heading: str = ""


def _blocks(typed: str, quoted: Sequence[Span]) -> Iterator[_Block]:
    for start, end in _said(typed, quoted):
        yield from _blocks_of(typed, start, end)


def _said(typed: str, quoted: Sequence[Span]) -> Iterator[Span]:
    """The stretches between the quoted ones."""
    at = 0
    for start, end in quoted:
        if start > at:
            yield at, start
        at = max(at, end)
    if at < len(typed):
        yield at, len(typed)


def _blocks_of(typed: str, start: int, end: int) -> Iterator[_Block]:
    heading = ""
    open_block: _Block | None = None
    at = start
    lines = typed[start:end].split("\n")
    for line, is_pasted in zip(lines, pasted_lines(lines), strict=True):
        span = (at, at + len(line))
        at += len(line) + 1
        starts_item = None if is_pasted else _ITEM.match(line)
        stops = not line.strip() or is_pasted or _RULER.match(line) or _HEADING.match(line) or starts_item
        if open_block and (stops or not _goes_on(typed, open_block, line)):
            yield open_block
            heading = _introduction(typed, open_block, heading, blank=not line.strip())
            open_block = None
        if is_pasted:
            continue
        if _HEADING.match(line):
            heading = line.strip("# \t\r")
        elif line.strip() and not _RULER.match(line):
            if open_block:
                open_block = _Block((open_block.span[0], span[1]), open_block.in_list, open_block.heading)
            else:
                first = span[0] + (starts_item.end() if starts_item else 0)
                in_list = bool(starts_item)
                open_block = _Block((first, span[1]), in_list, heading)
    if open_block:
        yield open_block


def _introduction(typed: str, block: _Block, heading: str, *, blank: bool) -> str:
    """The heading for what follows a block: a line that ends in a colon introduces, a paragraph ends that."""
    text = typed[slice(*block.span)].strip()
    if text.endswith((":", "\uff1a")) and not block.in_list:
        return text
    return "" if not block.in_list and not blank else heading


def _goes_on(typed: str, block: _Block, line: str) -> bool:
    """Whether a line continues the block above it rather than starting a thought of its own."""
    start, end = block.span
    above = typed[max(start, typed.rfind("\n", start, end) + 1) : end]
    if _TERMINAL.search(above):
        return False
    if block.in_list and line[:2].strip() == "":
        return True
    return len(above) >= _LONG_LINE and bool(_UNFINISHED.search(above) or _CONTINUES.match(line))


def _numbered(typed: str, block: Span) -> Iterator[Span]:
    """A block, cut where its line goes on counting: "1. run the linter 2. run the tests"."""
    start, end = block
    at, number = start, 2
    for mark in _NEXT_NUMBER.finditer(typed, start, end) if _NUMBER_ONE.search(typed, max(0, start - 6), start) else ():
        if int(mark[1]) == number:
            yield at, mark.start()
            at, number = mark.end(), number + 1
    yield at, end


def _sentences(typed: str, block: Span) -> Iterator[Span]:
    """Sentences of a block."""
    for start, end in _numbered(typed, block):
        at = start
        for mark in _MARK.finditer(typed, start, end):
            if mark.lastgroup == "stop":
                yield from trimmed(typed, at, mark.end())
                at = mark.end()
        yield from trimmed(typed, at, end)
