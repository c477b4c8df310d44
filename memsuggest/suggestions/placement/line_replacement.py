"""Replacement of the words that a rule contradicts: both are shown, and the new ones stand in their place. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.customizations.blocks.line_kinds import bare, item_of
from memsuggest.suggestions.existing.existing_rules import Like, opposed_among
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.layouts import layout_of
from memsuggest.suggestions.placement.line_format import (
    NARROWEST,
    as_item,
    begin_like,
    end_like,
    lead_in_of,
    line_end,
    wrap_width,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.customizations.blocks.sections import Layout
    from memsuggest.suggestions.existing.rule_lines import ExistingRule
_SHOWN = 90  # characters of the old words that a reason shows


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Words that give way to a rule, or that it speaks against, and why."""

    existing_rule: ExistingRule
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A file in which a rule stands in the place of other words."""

    text: str
    content: str
    """The new lines of the item or paragraph."""


def find_contradictions(content: str, likes: Iterable[Like]) -> list[Replacement]:
    """Return the words that cannot hold beside a rule, whether or not they may give way."""
    return [
        Replacement(existing_rule=line, why=f"it contradicts {_shown(line)}: {why}")
        for line, why in opposed_among(likes, content)
    ]


def _shown(existing_rule: ExistingRule) -> str:
    words = existing_rule.raw if len(existing_rule.raw) <= _SHOWN else f"{existing_rule.raw[:_SHOWN].rstrip()} …"
    return f"“{words}” in line {existing_rule.line}"


def rewritten(text: str, rule: str, existing_rule: ExistingRule) -> Rewritten | None:
    """Return the text with a rule in the place of the words: mark, number, box, lead-in and what is nested stay.

    None where the words cannot be told apart from the rest of their item.
    """
    found = layout_of(text)
    block = existing_rule.block
    if existing_rule.lines != "".join(found.lines[block.start : block.end]) or block.text.count(existing_rule.raw) != 1:
        return None
    words = block.text.replace(existing_rule.raw, _worded(rule, existing_rule, found))
    old = found.lines[block.start : block.end]
    rows = _rows(words, old, found, is_item=block.kind is BlockKind.ITEM)
    end = line_end(found.lines)
    last_end = old[-1][len(bare(old[-1])) :]
    new = end.join(rows) + last_end
    return Rewritten(
        text="".join([*found.lines[: block.start], new, *found.lines[block.end :]]),
        content="\n".join(rows),
    )


def _worded(rule: str, existing_rule: ExistingRule, found: Layout) -> str:
    """Return the rule in the manner of the words that it replaces, behind their lead-in."""
    lead_in = lead_in_of(existing_rule.raw)
    old = existing_rule.raw[len(lead_in) :]
    return lead_in + end_like(begin_like(one_line(rule), [old], code="".join(found.lines)), [old])


def _rows(words: str, old: Sequence[str], found: Layout, *, is_item: bool) -> list[str]:
    first = bare(old[0]).rstrip()
    item = item_of(first) if is_item else None
    own = item.text if item else first.strip("\ufeff \t")
    lead = first[: len(first) - len(own)]
    width = wrap_width(found)
    if len(old) > 1 and width is None:
        width = max(NARROWEST, *(len(bare(line)) for line in old))
    return as_item(words, lead=lead, hang=item.content_indent if item else len(lead), width=width)
