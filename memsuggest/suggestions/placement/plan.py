"""The edit that puts a fact into a given file: in the place of other words, or beside them. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.customizations.lint.budget import CHARACTERS_PER_TOKEN, SMALLEST, cost_of
from memsuggest.model import Edit, MemoryFact, MemorySuggestion, Section, Target, TargetType
from memsuggest.suggestions.placement.line_replacement import Replacement, rewritten
from memsuggest.suggestions.placement.place import place
from memsuggest.suggestions.placement.verify import why_unsafe

if TYPE_CHECKING:
    from memsuggest.suggestions.existing.rule_lines import ExistingRule
    from memsuggest.suggestions.ranking.match import Ranked


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
    return replace(made, why=f"{made.why}; the file costs about {cost.tokens:,} tokens then, of {cost.budget:,}")


def named_section(target: Target, heading: str | None) -> Section | None:
    """Return the section with this heading; the preface for none."""
    return next((section for section in target.sections if section.heading == (heading or "")), None)
