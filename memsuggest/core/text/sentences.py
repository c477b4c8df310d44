"""Sentences of a text, with exact offsets.

Owns the reading of Markdown lines and of sentence ends in several scripts. Quoted stretches are never part of a
sentence. Knows nothing of what is worth remembering.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence or a list item."""

    text: str
    """Verbatim: `the text's `[start:end]`."""
    start: int
    end: int
    before: str = ""
    after: str = ""
    in_list: bool = False
    position: int = 0
    """Number of sentences before it."""
    count: int = 1
    """Number of sentences of the text."""
    heading: str = ""
    """The Markdown heading, or the line ending in a colon, that it stands under."""
    paragraph: str = ""
    """The paragraph or list item that it stands in, verbatim."""


Span = tuple[int, int]

_ITEM = re.compile(
    r"[ \t]*(?:[-*+\u2022\u2013][ \t]+|\(?\d{1,2}[.)][ \t]+|\(?[a-z]\)[ \t]+|->[ \t]*)(?:\[[ xX]\][ \t]+)?"
)
_NUMBER_ONE = re.compile(r"(?:\A|\s)\(?1[.)][ \t]+\Z")
_NEXT_NUMBER = re.compile(r"\s\(?(\d{1,2})[.)][ \t]+(?=\S)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_RULER = re.compile(r"[ \t]*(?:[-*_=~][ \t]?){3,}[ \t]*\Z")

_NEXT = r"(?-i:(?=(?:I|We|The|This|It|You|If|Please|Also|And|But|Don't|Do|Never|Always|Make)\s))"
"""The beginning of a sentence that was typed without a space before it: "as closely as possible.I want"."""
# What may hold full stops without ending a sentence (first), and what ends one (second).
_MARK = re.compile(
    r"(?P<atom>`[^`\n]{1,400}`"
    r"|https?://[^\s<>]{0,400}[^\s<>.,;:!?)\]'\"]"
    r"|(?<!\w)\"[^\"\n]{1,120}[.?!]\"(?=\s{1,3}[a-z])"  # something quoted, in the middle of a sentence
    r"|(?<![\w.])(?:e\.g|i\.e|z\.\s?b|d\.\s?h|u\.\s?a|o\.\s?[äa]|p\.\s?ex|p\.\s?ej|c\.-à-d|u\.s|a\.k\.a)\.?(?!\w)"
    r"|(?<!\w)(?:etc|vs|approx|resp|bzw|usw|ca|cf|dr|mr|mrs|ms|sr|sra|fig|nr|inkl|evtl|incl|ej|ex|eq|esp|min|max)\."
    r"(?=\s{0,3}[a-zà-ÿ(,`0-9])"
    r"|(?<![^\s(\[\"'*])(?![a-z]{3,20}\."
    + _NEXT
    + r")[^\s.!?;,]{1,80}(?:\.[^\s.!?;,]{1,80}){1,9}"  # versions, file names, hosts, `a.b.c`
    r"|(?<!\w)\.{1,2}[\w/][^\s,;!?]{0,200}"  # .env, ./x, ../y
    r"|(?<!\w)(?:add|black|build|check|eslint|flake8|format|grep|install|isort|lint|mypy|prettier|pylint|pytest|ruff|vet"
    r"|--?[a-z][\w-]{0,20})\s\.(?=\s+(?-i:[a-z]))"  # `black .` in the middle of a sentence
    r"|\.{2,9}(?=\s{0,3}[a-zà-ÿ])"  # an ellipsis in the middle of a thought
    r"|[:;]-?[()DPpo/](?!\w))"  # a smiley
    r"|(?P<stop>[.!?\u2026]{1,9}[)\"'\u201d\u2019*_\]]{0,4}(?=\s|\Z)"
    r"|(?<=[a-z]{3})\." + _NEXT + r"|[\u3002\uff01\uff1f\uff1b]{1,9}[\u300d\u300f\uff09\"]{0,2}"
    r"|;(?=\s)|(?<!\bthe)(?<!\ba)(?<!\bor)\s(?:--|\u2014|\u2013|-)(?=\s)|(?<=\w)\u2014(?=\w))",
    re.IGNORECASE,
)
_EDGES = " \t\r\n\u3000"
_DASHES = "-\u2013\u2014"
_FLAG = re.compile(r"--?[a-z][\w-]*(?=[\s=])(?! (?:i|we|you|it|the|a|an|no|not|do|don't|never|always)\b)")
"""A command's flag that a sentence begins with; no mark of a list."""
_WORD = re.compile(r"\w")
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


def sentences_of(text: str, quoted: Sequence[Span] = ()) -> list[Sentence]:
    """Cut what stands outside the quoted stretches of a text into sentences, in order.

    >>> [found.text for found in sentences_of("Use tabs. See e.g. a.py!\\n- no mocks")]
    ['Use tabs.', 'See e.g. a.py!', 'no mocks']
    """
    found = [(block, span) for block in _blocks(text, quoted) for span in _spans(text, block.span)]
    texts = ["", *(text[start:end] for _, (start, end) in found), ""]
    return [
        Sentence(
            text=text[start:end],
            start=start,
            end=end,
            before=texts[position],
            after=texts[position + 2],
            in_list=block.in_list,
            position=position,
            count=len(found),
            heading=block.heading,
            paragraph=text[slice(*block.span)],
        )
        for position, (block, (start, end)) in enumerate(found)
    ]


class _Block(NamedTuple):
    """Lines that belong together: a paragraph or a list item."""

    span: Span
    in_list: bool = False
    heading: str = ""


def _blocks(text: str, quoted: Sequence[Span]) -> Iterator[_Block]:
    at = 0
    for start, end in (*quoted, (len(text), len(text))):
        if start > at:
            yield from _blocks_of(text, at, start)
        at = max(at, end)


def _blocks_of(text: str, start: int, end: int) -> Iterator[_Block]:
    heading = ""
    open_block: _Block | None = None
    at = start
    for line in text[start:end].split("\n"):
        span = (at, at + len(line))
        at += len(line) + 1
        starts_item = _ITEM.match(line)
        stops = not line.strip() or _RULER.match(line) or _HEADING.match(line) or starts_item
        if open_block and (stops or not _goes_on(text, open_block, line)):
            yield open_block
            said = text[slice(*open_block.span)].strip()
            if not open_block.in_list:
                is_lead = said.endswith((":", "\uff1a"))
                heading = said if is_lead else heading if not line.strip() else ""
            open_block = None
        if _HEADING.match(line):
            heading = line.strip("# \t\r")
        elif line.strip() and not _RULER.match(line):
            if open_block:
                open_block = open_block._replace(span=(open_block.span[0], span[1]))
            else:
                first = span[0] + (starts_item.end() if starts_item else 0)
                open_block = _Block((first, span[1]), bool(starts_item), heading)
    if open_block:
        yield open_block


def _goes_on(text: str, block: _Block, line: str) -> bool:
    """Tell whether a line continues the block above it rather than starting a thought of its own."""
    start, end = block.span
    above = text[max(start, text.rfind("\n", start, end) + 1) : end]
    if _TERMINAL.search(above):
        return False
    if block.in_list and line[:2].strip() == "":
        return True
    return len(above) >= _LONG_LINE and bool(_UNFINISHED.search(above) or _CONTINUES.match(line))


def _spans(text: str, block: Span) -> Iterator[Span]:
    """Cut a block into sentences, also where its line goes on counting: "1. run the linter 2. run the tests"."""
    (start, end), number, parts = block, 2, list[Span]()
    for mark in _NEXT_NUMBER.finditer(text, start, end) if _NUMBER_ONE.search(text, max(0, start - 6), start) else ():
        if int(mark[1]) == number:
            parts.append((start, mark.start()))
            start, number = mark.end(), number + 1
    for begin, stop in (*parts, (start, end)):
        at = begin
        for mark in _MARK.finditer(text, begin, stop):
            if mark.lastgroup == "stop":
                yield from _trimmed(text, at, mark.end())
                at = mark.end()
        yield from _trimmed(text, at, stop)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and (text[start] in _EDGES or (text[start] in _DASHES and not _FLAG.match(text, start, end))):
        start += 1
    while end > start and text[end - 1] in _EDGES + _DASHES:
        end -= 1
    if _WORD.search(text, start, end):
        yield start, end
