"""Directives: lines like `preference (user): short answers`, which become facts at once.

Owns the grammar of such lines. Fences, quotes and pastes are left out by the stretches that the reader marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memsuggest.core.model import QUOTE_LIMIT, Kind, Scope

CONTENT_LIMIT = 500  # characters; a longer "directive" is a document, not a rule

ARCHIVE = "archive"
"""Tag of what belongs to the archive of finished and open tasks, not among the rules."""

_NAMES: dict[str, Kind] = {
    "preference": Kind.PREFERENCE,
    "pref": Kind.PREFERENCE,
    "convention": Kind.CONVENTION,
    "decision": Kind.CONVENTION,
    "correction": Kind.CORRECTION,
    "lesson": Kind.CORRECTION,
    "lesson_learned": Kind.CORRECTION,
    "procedure": Kind.PROCEDURE,
    "howto": Kind.PROCEDURE,
    "steps": Kind.PROCEDURE,
    "fact": Kind.FACT,
    "remember": Kind.FACT,
    "note": Kind.FACT,
    "terminology": Kind.TERMINOLOGY,
    "term": Kind.TERMINOLOGY,
    "naming": Kind.TERMINOLOGY,
    "skill": Kind.SKILL,
    "observation": Kind.OBSERVATION,
    "task": Kind.OBSERVATION,
    "task_update": Kind.OBSERVATION,
    "todo": Kind.OBSERVATION,
    "archive": Kind.OBSERVATION,
}
_ARCHIVED = frozenset({"task", "task_update", "todo", "archive"})
_USER_WORDS = frozenset({"user", "me", "personal", "global", "mine", "\u7528\u6237", "\u30e6\u30fc\u30b6\u30fc"})

_HEAD = re.compile(
    r"[ \t]{0,8}(?:[-*+\u2022][ \t]+|\d{1,3}[.)][ \t]+)?"  # a list marker
    r"(?:\*\*|__)?"
    r"(?P<name>lesson[ _-]learned|task[ _-]update|how-to|[a-z]{3,12})"
    r"[ \t]{0,3}(?:[(\uff08][ \t]{0,3}(?P<scope>[^()\uff08\uff09\n]{0,20})[)\uff09])?"
    r"(?:\*\*|__)?[ \t]{0,3}[:\uff1a](?:\*\*|__)?(?P<body>[^\n]*)",
    re.IGNORECASE,
)
_INDENTED = re.compile(r"[ \t]")
_MARKER = re.compile(r"[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """One directive and where it stands in the typed text."""

    kind: Kind
    scope: Scope
    body: str
    """What is to be remembered, on one line."""
    start: int
    end: int
    archived: bool = False

    def quote(self, typed: str) -> str:
        """The typed words, verbatim, as far as a quote may go."""
        return typed[self.start : self.end][:QUOTE_LIMIT].strip()


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        """The end of the line, in characters of the turn."""
        return self.start + len(self.text)


def find_directives(typed: str, quoted: Sequence[tuple[int, int]] = ()) -> list[Directive]:
    """Find the directives of a typed text, outside the quoted stretches, in order."""
    lines = list(_lines(typed))
    found: list[Directive] = []
    taken = -1  # last line that belongs to a directive
    for index, line in enumerate(lines):
        head = _HEAD.match(line.text)
        if index <= taken or head is None or _is_quoted(line, quoted):
            continue
        name = re.sub(r"[ -]", "_", head["name"].lower()).replace("how_to", "howto")
        if name not in _NAMES:
            continue
        body, taken = _body(lines, index, head["body"].strip(" \t\r*_"), quoted)
        if not body:
            continue
        found.append(
            Directive(
                kind=_NAMES[name],
                scope=_scope(head["scope"]),
                body=body,
                start=line.start + len(line.text) - len(line.text.lstrip()),
                end=lines[taken].end,
                archived=name in _ARCHIVED,
            )
        )
    return found


def _lines(typed: str) -> Iterator[_Line]:
    start = 0
    for text in typed.split("\n"):
        yield _Line(start, text)
        start += len(text) + 1


def _is_quoted(line: _Line, quoted: Sequence[tuple[int, int]]) -> bool:
    return any(start < max(line.end, line.start + 1) and end > line.start for start, end in quoted)


def _scope(word: str | None) -> Scope:
    return Scope.USER if word and word.strip().lower() in _USER_WORDS else Scope.WORKSPACE


def _body(lines: Sequence[_Line], index: int, first: str, quoted: Sequence[tuple[int, int]]) -> tuple[str, int]:
    """The body and the index of its last line: the rest of the line, or the lines below it."""
    if first:
        return first, index
    below: list[str] = []
    last = index
    indented = index + 1 < len(lines) and bool(_INDENTED.match(lines[index + 1].text))
    for at in range(index + 1, len(lines)):
        line = lines[at]
        ends = not line.text.strip() or (indented and not _INDENTED.match(line.text))
        if ends or _is_quoted(line, quoted) or _is_head(line.text):
            break
        below.append(line.text)
        last = at
    listed = [bool(_MARKER.match(text)) for text in below]
    parts = [
        _MARKER.sub("", text, count=1).strip() if is_item else text.strip()
        for text, is_item in zip(below, listed, strict=True)
    ]
    joined = ""
    for part, is_item in zip(parts, listed, strict=True):
        joined += ("; " if is_item else " ") * bool(joined) + part
    return joined, last


def _is_head(text: str) -> bool:
    head = _HEAD.match(text)
    return head is not None and re.sub(r"[ -]", "_", head["name"].lower()) in _NAMES
