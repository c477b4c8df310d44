"""How hard to merge: replace the line that a rule corrects or completes, or leave it to be added. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.lines import bare, item_of, split_lines
from memsuggest.memory.contradictions import why_contradicting
from memsuggest.memory.duplicates import is_said_by, similarity
from memsuggest.suggestions.style import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.suggestions.sayings import Saying

PARTLY = 0.6
"""Similarity from which a line that says a part of the rule is its earlier wording, not a neighbour."""

_LEAD_IN = re.compile(r"(?:\[[ xX]\] )?(\*\*[^*\n]{1,40}?:?\*\*:?\s+|__[^_\n]{1,40}?:?__:?\s+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A line that gives way to a rule, and why."""

    saying: Saying
    why: str


def find_replacement(rule: str, sayings: Iterable[Saying]) -> Replacement | None:
    """Return the line that a rule contradicts, or else the one whose fuller wording it is."""
    candidates = [saying for saying in sayings if saying.is_whole_item]
    for saying in candidates:
        why = why_contradicting(rule, saying.text)
        if why:
            return Replacement(saying=saying, why=f"it contradicts line {saying.line} ({why})")
    for saying in candidates:
        if similarity(rule, saying.text) >= PARTLY and is_said_by(rule, saying.text):
            return Replacement(saying=saying, why=f"line {saying.line} says only a part of it")
    return None


def replace_line(text: str, rule: str, saying: Saying) -> tuple[str, str]:
    """Return the text with the rule in the line's place, and the new line; its mark and its lead-in stay."""
    lines = split_lines(text)
    first = saying.line - 1
    old = split_lines(saying.lines)
    mark = item_of(bare(old[0]))
    if mark is None:
        return text, ""
    words = bare(old[0])[len(bare(old[0])) - len(mark.text) :] if mark.text else ""
    lead_in = _LEAD_IN.match(words)
    start = bare(old[0]).removesuffix(words) if words else bare(old[0]) + " "
    kept = lead_in.group() if lead_in else ("[ ] " if words.startswith(("[ ] ", "[x] ", "[X] ")) else "")
    end = lines[first + len(old) - 1][len(bare(lines[first + len(old) - 1])) :]
    new = f"{start}{kept}{one_line(rule)}"
    return "".join([*lines[:first], new + end, *lines[first + len(old) :]]), new
