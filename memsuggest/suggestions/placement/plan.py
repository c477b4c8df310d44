"""The edit that puts a fact into a given file: in the place of other words, or beside them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memsuggest.core.model import Edit, MemoryFact, MemorySuggestion, Section, Target, TargetType
from memsuggest.customizations.blocks.line_kinds import bare, item_of
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.blocks.sections import Layout, layout
from memsuggest.customizations.loading import CHARACTERS_PER_TOKEN, SMALLEST, cost_of
from memsuggest.suggestions.existing_rules import ExistingRule, Like, opposed_among
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.line_format import (
    NARROWEST,
    as_item,
    begin_like,
    end_like,
    lead_in_of,
    line_end,
    wrap_width,
)
from memsuggest.suggestions.placement.place import place, why_unsafe
from memsuggest.suggestions.ranking.match import Ranked

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
    found = layout(text)
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


def put_in_place(fact: MemoryFact, target: Target, found: Replacement) -> MemorySuggestion | None:
    """Put a fact in the place of other words; None where that is not safe."""
    done = rewritten(target.text, fact.content, found.existing_rule)
    if done is None or why_unsafe(target.text, done.text, replaced=found.existing_rule.lines):
        return None
    heading = _heading_at(target, found.existing_rule)
    made = planned(fact, target, after=done.text, content=done.content, heading=heading, why=found.why)
    return replace(made, replaces=found.existing_rule.lines.rstrip("\r\n"))


def _heading_at(target: Target, existing_rule: ExistingRule) -> str | None:
    around = [section for section in target.sections if section.start < existing_rule.line <= section.end]
    return (around[-1].heading or None) if around else None


def put_beside(fact: MemoryFact, one: Ranked, *, new_heading: str | None = None) -> MemorySuggestion | None:
    """Add a fact at a place, or under a new heading of the file; None where there is none."""
    if one.target.type is TargetType.HOOK:
        return None
    placed = place(fact.content, one.target, section=one.section, kind=fact.kind, new_heading=new_heading)
    if placed is None:
        return None
    return planned(fact, one.target, after=placed.text, content=placed.content, heading=placed.heading, why=one.why)


def planned(
    fact: MemoryFact, target: Target, *, after: str, content: str, heading: str | None, why: str
) -> MemorySuggestion:
    """Return the suggestion that a file's text becomes another."""
    return MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=target.type,
        target_uri=target.uri,
        suggested_merge_content=content,
        heading=heading,
        why=why,
        base_digest=target.digest,
        edit=Edit(path=target.uri, before=target.text, after=after),
    )


def with_cost(made: MemorySuggestion, target: Target) -> MemorySuggestion:
    """Say in the reason when a file is past its budget with what is added to it."""
    if made.replaces or len(target.text) < CHARACTERS_PER_TOKEN * SMALLEST:
        return made
    cost = cost_of(target, added=made.suggested_merge_content)
    if not cost.is_over:
        return made
    return replace(made, why=f"{made.why}; the file will cost about {cost.tokens:,} of {cost.budget:,} tokens")


def named_section(target: Target, heading: str | None) -> Section | None:
    """Return the section with this heading; the preface for none."""
    return next((section for section in target.sections if section.heading == (heading or "")), None)
