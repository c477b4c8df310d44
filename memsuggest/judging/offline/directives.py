"""Directives: lines like `preference (user): short answers`, which become facts at once.

Owns the grammar of such lines. Fences, quotes and pastes are left out by the stretches that the reader marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from memsuggest.core.model import QUOTE_LIMIT, Kind, Scope

CONTENT_LIMIT = 500  # characters; a longer "directive" is a document, not a rule

ARCHIVE = "archive"  # tag of what belongs to the archive of finished and open tasks, not among the rules

_KINDS = {
    Kind.PREFERENCE: "preference pref",
    Kind.CONVENTION: "convention decision",
    Kind.CORRECTION: "correction lesson lesson_learned",
    Kind.PROCEDURE: "procedure howto steps",
    Kind.FACT: "fact remember note",
    Kind.TERMINOLOGY: "terminology term naming",
    Kind.SKILL: "skill",
    Kind.OBSERVATION: "observation task task_update todo archive",
}
_NAMES = {name: kind for kind, names in _KINDS.items() for name in names.split()}
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
    body: str  # what is to be remembered, on one line
    start: int
    end: int
    archived: bool = False

    def quote(self, typed: str) -> str:
        """The typed words, verbatim, as far as a quote may go."""
        return typed[self.start : self.end][:QUOTE_LIMIT].strip()


def find_directives(typed: str, quoted: Sequence[tuple[int, int]] = ()) -> list[Directive]:
    """Find the directives of a typed text, outside the quoted stretches, in order."""
    lines = typed.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    is_quoted = [
        any(start < max(ends - 1, begins + 1) and end > begins for start, end in quoted)
        for begins, ends in pairwise(starts)
    ]
    found: list[Directive] = []
    taken = -1  # last line that belongs to a directive
    for index, line in enumerate(lines):
        head = _HEAD.match(line)
        name = _name(head)
        if index <= taken or is_quoted[index] or not head or name not in _NAMES:
            continue
        body, taken = head["body"].strip(" \t\r*_"), index
        if not body:
            for below in _below(lines, index + 1, is_quoted):
                taken += 1
                part = _MARKER.sub("", below, count=1).strip()
                body += ("; " if _MARKER.match(below) else " ") * bool(body) + part
        if body:
            found.append(
                Directive(
                    kind=_NAMES[name],
                    scope=Scope.USER if (head["scope"] or "").strip().lower() in _USER_WORDS else Scope.WORKSPACE,
                    body=body,
                    start=starts[index] + len(line) - len(line.lstrip()),
                    end=starts[taken] + len(lines[taken]),
                    archived=name in _ARCHIVED,
                )
            )
    return found


def _name(head: re.Match[str] | None) -> str:
    return re.sub(r"[ -]", "_", head["name"].lower()).replace("how_to", "howto") if head else ""


def _below(lines: Sequence[str], first: int, is_quoted: Sequence[bool]) -> Iterator[str]:
    """Yield the lines below a head without a body: up to an empty one, a quoted one, another head, or less indented."""
    indented = first < len(lines) and bool(_INDENTED.match(lines[first]))
    for line, quoted in zip(lines[first:], is_quoted[first:], strict=True):
        ends = not line.strip() or (indented and not _INDENTED.match(line))
        if ends or quoted or _name(_HEAD.match(line)) in _NAMES:
            return
        yield line
