"""Rules of two files that are always loaded together, and that choose differently: tabs here, spaces there. Pure.

Only choices of one thing out of a group of alternatives count, in short items: whatever else sounds like a
contradiction is mostly a rule and its exception, said in two places.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.blocks.passages import Passage, PassageKind, passages
from memsuggest.customizations.lint.style_rules import read_style_rule
from memsuggest.memory.alternatives import ALTERNATIVES
from memsuggest.memory.contradictions import CHOICE, why_contradicting
from memsuggest.model import Cause, TargetType
from memsuggest.suggestions.maintenance import made

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.model import MemorySuggestion, Target

_WORD = re.compile(r"[\w-]+")
_MEMBERS = frozenset(member for members in ALTERNATIVES.values() for member in members.split())
_LONGEST = 120  # characters of a rule that says one thing
_ALWAYS_ON = re.compile(r"(?:\.github/|\.claude/)?[^/]+\Z")
"""Files that are always on for the whole repository, not for a folder of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """A rule of a file that is always loaded."""

    target: Target
    passage: Passage

    @property
    def first_line(self) -> str:
        """The line of the file that it begins with, without its end."""
        return self.passage.written.split("\n")[0].rstrip("\r")


def clashing_rules(targets: Iterable[Target]) -> list[tuple[RuleLine, RuleLine]]:
    """Return the pairs of rules, each of another file, that choose differently."""
    found = [line for target in targets if _is_always_loaded(target) for line in _choices(target)]
    return [
        (one, other) for one, other in combinations(found, 2) if one.target is not other.target and _clash(one, other)
    ]


def of_clash(older: RuleLine, newer: RuleLine, *, day: str) -> MemorySuggestion:
    """Suggest taking out the older of two rules; the day is that on which the newer one was written."""
    lines, passage = split_lines(older.target.text), older.passage
    return made(
        older.target,
        cause=Cause.CONTRADICTION,
        name="contradiction",
        content=f"It contradicts line {newer.passage.start + 1} of `{newer.target.uri}`: “{newer.passage.text}”",
        why=f"both files are loaded together, and that line was written later, on {day}",
        after="".join([*lines[: passage.start], *lines[passage.end :]]),
    )


def _is_always_loaded(target: Target) -> bool:
    if target.type is not TargetType.INSTRUCTIONS or target.uri.startswith("~/"):
        return False
    return _ALWAYS_ON.match(target.uri) is not None if target.always_on else is_unconditional(target.applies_to)


def _choices(target: Target) -> Iterator[RuleLine]:
    for passage in passages(target.text):
        is_short = passage.kind is PassageKind.ITEM and passage.is_whole and len(passage.text) <= _LONGEST
        if is_short and _MEMBERS.intersection(_WORD.findall(passage.text.lower())):
            yield RuleLine(target=target, passage=passage)


def _clash(one: RuleLine, other: RuleLine) -> bool:
    first, second = read_style_rule(one.passage.text), read_style_rule(other.passage.text)
    if first and second:
        is_same_code = first.language == second.language
        return is_same_code and first.matter == second.matter and first.value != second.value
    return why_contradicting(one.passage.text, other.passage.text) == CHOICE
