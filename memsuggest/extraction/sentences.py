"""Sentences: what the person said in a turn, cut into statements with exact offsets.

Owns the reading of Markdown lines, of sentence ends in several scripts, and of the places where a sentence starts to
say something new. Quoted stretches are never part of a statement. Knows nothing of what is worth remembering.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction.pastes import pasted_lines
from memsuggest.extraction.verbs import VERBS
from memsuggest.extraction.words import plain

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
    """The sentence behind it in the same turn."""
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
_EDGES = " \t\r\n\u3000"
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

# Where, behind a comma or a conjunction, somebody starts to say how things are to be done.
_VERBS = "|".join(sorted(VERBS, key=len, reverse=True))
_OPENER = (
    r"(?:(?:please|also|just|instead|then|but|and|so|always|maybe|hence)\s+){0,4}"
    r"(?:make\s+(?:sure|certain)|be\s+sure|ensure|remember\s+(?:to|that)|keep\s+in\s+mind|note\s+that"
    r"|do\s?n['\u2019]?o?t\b|do\s+not|(?:never|always)\s+(?:" + _VERBS + r")\b"
    r"|avoid|stop\s+\w+ing|from\s+(?:now\s+on|today)|going\s+forward|next\s+time|in\s+(?:the\s+)?future"
    r"|instead\s+of|by\s+default"
    r"|(?:i|we)\s+(?:want|need|prefer|like|use|always|never|only|do\s?n['\u2019]?t|should|must|have\s+to|expect)"
    r"|(?:it|they|this|that|these|those|there|you|each|every|all|any)\s+(?:should|must|needs?\s+to|have\s+to"
    r"|has\s+to|can|can['\u2019]?t)"
    r"|each\s+\w+|every\s+\w+|when(?:ever)?\s|whenever|if\s+you|use\s+|prefer\s+|let['\u2019]?s\s"
    r"|ab\s+jetzt|bitte\s+(?!nicht\b)\w+\s+\w+|achte|toujours|jamais|siempre|nunca|sempre|utili[sz]e|usa|utilisez?"
    r"|verwende|nutze"
    r")"
)
_CUT = re.compile(
    rf"(?:,|\s\(|:)\s+(?={_OPENER})"
    r"|\s(?=(?:but|and|so)\s+(?:(?:please|also)\s+){0,2}(?:make\s+sure|be\s+sure|ensure|never|always"
    r"|do\s?n['\u2019]?t|do\s+not|avoid|from\s+now\s+on|next\s+time|remember)\b)"
    r"|,\s+(?=(?:and|but)\s+(?:also\s+)?(?:we|i|you|it|they|there)\s)"
    r"|,\s+(?=(?:can|could|should|do|does|is|are|did)\s+(?:we|you|i|it|there|this|that)\b)"
    r"|,\s+(?=(?:we|i|they|those|these|it['\u2019]s|that['\u2019]?s|look|you)\s)",
    re.IGNORECASE,
)
# What only sets the scene for the words behind the comma.
_LEADS_ON = re.compile(
    r"\s*(?:(?:and|but|so|also|ok|okay|yes|no|please|then|note\s+that|remember\s+that)[,\s]+){0,3}(?:if"
    r"|when(?:ever)?|before|after|once"
    r"|while|as|since|because|for"
    r"|unless|until|from\s+(?:now\s+on|today)|going\s+forward|next\s+time|in\s+(?:the\s+)?future|instead\s+of"
    r"|by\s+default|as\s+a\s+rule|in\s+general"
    r"|wenn|bevor|falls|ab\s+jetzt|quand|si|avant|cuando|antes|quando|se)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\b(?:instead|rather|too|as well)[.!]?\s*\Z", re.IGNORECASE)  # what needs the words before it
_INSTEAD_REACH = 120  # characters
_LEAST_WORDS = 3  # a part with fewer words is not cut off
_SCRAP = 80  # characters that are looked at to tell
_WORD = re.compile(r"\w+")
_CJK = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def statements(typed: str, quoted: Sequence[Span] = ()) -> list[Statement]:
    """Cut what was typed outside the quoted stretches into statements, in order."""
    sentences = [(block, span) for block in _blocks(typed, quoted) for span in _sentences(typed, block.span)]
    texts = [typed[start:end] for _, (start, end) in sentences]
    parts = [(i, part) for i, (_, span) in enumerate(sentences) for part in _parts(typed, span)]
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
                after=texts[index + 1] if index + 1 < len(texts) else "",
                in_list=block.in_list,
                position=position,
                count=len(parts),
                heading=block.heading,
                paragraph=paragraphs[block.span],
            )
        )
    return found


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


def _sentences(typed: str, block: Span) -> Iterator[Span]:
    """Sentences of a block."""
    start, end = block
    at = start
    for mark in _MARK.finditer(typed, start, end):
        if mark.lastgroup == "stop":
            yield from _trimmed(typed, at, mark.end())
            at = mark.end()
    yield from _trimmed(typed, at, end)


def _trimmed(typed: str, start: int, end: int) -> Iterator[Span]:
    while start < end and typed[start] in _EDGES + "-\u2013\u2014":
        start += 1
    while end > start and typed[end - 1] in _EDGES + "-\u2013\u2014":
        end -= 1
    if _WORD.search(typed, start, end):
        yield start, end


def _parts(typed: str, sentence: Span) -> Iterator[Span]:
    """A sentence where it starts to say something of its own; whole when a part would be a mere scrap."""
    start, end = sentence
    at = start
    leans_back = _INSTEAD.search(typed, max(start, end - 20), end)
    for cut in _CUT.finditer(typed, start, end):
        if (
            typed.count('"', start, cut.start()) % 2
            or _LEADS_ON.match(typed, at, cut.start())
            or (leans_back and end - cut.end() < _INSTEAD_REACH)
            or _is_scrap(typed[max(at, cut.start() - _SCRAP) : cut.start()])
            or _is_scrap(typed[cut.end() : min(end, cut.end() + _SCRAP)])
        ):
            continue
        yield from _trimmed(typed, at, cut.start())
        at = cut.end()
    yield from _trimmed(typed, at, end)


def _is_scrap(text: str) -> bool:
    return len(_WORD.findall(text)) < _LEAST_WORDS and len(_CJK.findall(text)) < _LEAST_WORDS * 2
