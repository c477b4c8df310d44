"""Clauses: where a sentence starts to say something of its own, and where a short order stands before or behind a rule.

Owns the cutting of one sentence into parts; where sentences end is known by `sentences`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.text.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]

_EDGES = " \t\r\n\u3000"
_DASHES = "-\u2013\u2014"
# Where, behind a comma or a conjunction, somebody starts to say how things are to be done.
_VERBS = "|".join(sorted(VERBS, key=len, reverse=True))
_FLAG = re.compile(
    rf"--[a-z]|-(?!(?:{_VERBS}|always|never|don'?t|do|no|not|the|an?|we|i|you|please|pls|all|any|every|each|if"
    rf"|when|also|only|just|in|for|on"
    r"|and|but|so|it|this|that|should|must|can)\b)[a-z]",
    re.IGNORECASE,
)
"""A flag that a sentence begins with, no mark of a list: "-race in tests"."""
_OPENER = (
    r"(?:(?:please|also|just|instead|then|but|and|so|always|maybe|hence)\s+){0,4}"
    r"(?:make\s+(?:sure|certain)|be\s+sure|ensure|remember\s+(?:to|that)|keep\s+in\s+mind|note\s+that"
    r"|do\s?n['\u2019]?o?t\b|do\s+not|(?:never|always)\s+(?:" + _VERBS + r")\b"
    r"|avoid|stop\s+\w+ing|from\s+(?:now\s+on|today)|going\s+forward|next\s+time|in\s+(?:the\s+)?future"
    r"|instead\s+of|by\s+default"
    r"|(?:i|we)\s+(?:want|need|prefer|like|use|always|never|only|do\s?n['\u2019]?t|should|must|have\s+to|expect)"
    r"|(?:it|they|this|that|these|those|there|you|each|every|all|any)\s+(?:should|must|needs?\s+to|have\s+to"
    r"|has\s+to|can|can['\u2019]?t)"
    r"|each\s+\w+|every\s+\w+|alles?\s+\w+|jede[rs]?\s+\w+|tous\s+\w+|toutes?\s+\w+|tout\s+ce\s"
    r"|tod[oa]s?\s+\w+|tudo\s+\w+|when(?:ever)?\s|whenever|if\s+you|use\s+|prefer\s+|keep\s+(?:the|all|every|our"
    r"|your)\s|let['\u2019]?s\s"
    r"|ab\s+jetzt|bitte\s+(?!nicht\b)\w+\s+\w+|achte|toujours|jamais|siempre|nunca|sempre|utili[sz]e|usa|utilisez?"
    r"|verwende|nutze"
    r")"
)
_CUT = re.compile(
    rf"(?:,|\s\(|:)\s+(?={_OPENER})"
    r"|\s(?=(?:but|and|so)\s+(?:(?:please|also)\s+){0,2}(?:make\s+sure|be\s+sure|ensure|never|always"
    r"|do\s?n['\u2019]?t|do\s+not|avoid|from\s+now\s+on|next\s+time|remember)\b)"
    r"|,\s+(?=so\s+(?:please\s+)?(?:" + _VERBS + r")\s)"
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
# A short order about what was just done, before or behind a rule: "fix that, ids are strings".
_POINTER = (
    r"(?:it|that|this|them|these|those|there|das|es|sie|ça|cela|isso|isto|outr[oa]|lo|la|los|las|eso"
    r"|esto)(?!['\u2019\w])"
)
_ORDER = rf"(?:(?:please|so|and|then|also|just|bitte|por\s+favor)\s+){{0,2}}(?:{_VERBS}|undo|redo|reword)\s+{_POINTER}"
_LEADING_ORDER = re.compile(rf"{_ORDER}(?:\s+\w+)?(?=,\s+\w+\W+\w)", re.IGNORECASE)
_TRAILING_ORDER = re.compile(rf",\s+(?={_ORDER}(?:\s+\w+){{0,2}}[.!]*\Z)", re.IGNORECASE)
_SCENE = re.compile(r"(?:\A|[:;,]\s|\b(?:and|but|so)\s)\s*(?:if|when(?:ever)?|once|after)\s", re.IGNORECASE)
_TAIL = 60  # characters
_INSTEAD = re.compile(r"\b(?:instead|rather|too|as well)[.!]?\s*\Z", re.IGNORECASE)  # what needs the words before it
_INSTEAD_REACH = 120  # characters
_LEAST_WORDS = 3  # a part with fewer words is not cut off
_SCRAP = 80  # characters that are looked at to tell
_WORD = re.compile(r"\w+")
_FORBIDS = re.compile(
    r"(?:(?:please|so|and|no|can you|could you)[,\s]+){0,3}(?:never|don['\u2019]?t|do not|avoid|stop)\b", re.IGNORECASE
)
_ALTERNATIVE = re.compile(
    r"(?:(?:please|just|but|always|instead)\s+){0,2}(?:use|prefer|open|go|take|pick|call)\s+\w", re.IGNORECASE
)
_ECHO = re.compile(
    r"(?:please\s+)?(?:don['\u2019]?t|do not|never)\s+\w+\s+(?:your\s+own|by\s+hand|manually|yourself"
    r"|anything\s+else|others?|more)"
    r"(?:\s+\w+)?[.!]*\Z|(?:you\s+know)\b",
    re.IGNORECASE,
)
"""What only makes sense behind the words before it: "…, don't roll your own"."""
_WHOLE = 160  # characters up to which what is forbidden and what is to be done instead are one rule
_CJK = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def parts_of(typed: str, sentence: Span) -> Iterator[Span]:
    """A sentence where it starts to say something of its own; whole when a part would be a mere scrap."""
    start, end = sentence
    lead = _LEADING_ORDER.match(typed, start, end)
    tail = _TRAILING_ORDER.search(typed, max(start, end - _TAIL), end)
    if tail and (
        _SCENE.search(typed, start, tail.start())
        or _is_scrap(typed[max(start, tail.start() - _SCRAP) : tail.start()])
        or (lead and tail.start() <= lead.end())
    ):
        tail = None
    if lead:
        yield from trimmed(typed, start, lead.end())
    yield from _clauses(typed, (lead.end() + 1 if lead else start, tail.start() if tail else end))
    if tail:
        yield from trimmed(typed, tail.end(), end)


def _clauses(typed: str, sentence: Span) -> Iterator[Span]:
    start, end = sentence
    at = start
    leans_back = _INSTEAD.search(typed, max(start, end - 20), end)
    for cut in _CUT.finditer(typed, start, end):
        if (
            typed.count('"', start, cut.start()) % 2
            or _LEADS_ON.match(typed, at, cut.start())
            or (leans_back and end - cut.end() < _INSTEAD_REACH)
            or _belong_together(typed[at : cut.start()], typed[cut.end() : end])
            or _is_scrap(typed[max(at, cut.start() - _SCRAP) : cut.start()])
            or _is_scrap(typed[cut.end() : min(end, cut.end() + _SCRAP)])
        ):
            continue
        yield from trimmed(typed, at, cut.start())
        at = cut.end()
    yield from trimmed(typed, at, end)


def _belong_together(first: str, second: str) -> bool:
    """Whether the second part says what to do instead of what the first forbids, or only echoes it."""
    if len(first) + len(second) > _WHOLE:
        return False
    return bool(_ECHO.match(second) or (_FORBIDS.match(first) and _ALTERNATIVE.match(second)))


def _is_scrap(text: str) -> bool:
    return len(_WORD.findall(text)) < _LEAST_WORDS and len(_CJK.findall(text)) < _LEAST_WORDS * 2


def trimmed(typed: str, start: int, end: int) -> Iterator[Span]:
    """Yield a stretch without the white space and dashes around it; nothing where no word is in it."""
    while start < end and (typed[start] in _EDGES or (typed[start] in _DASHES and not _FLAG.match(typed, start, end))):
        start += 1
    while end > start and typed[end - 1] in _EDGES + _DASHES:
        end -= 1
    if _WORD.search(typed, start, end):
        yield start, end
