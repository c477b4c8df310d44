"""A suggestion for its file as it is now: planned anew, or needless. Pure."""

from __future__ import annotations

from dataclasses import replace

from memsuggest.core.model import MemoryFact, MemorySuggestion, Target
from memsuggest.suggestions.existing_rules import ExistingRules, said_among
from memsuggest.suggestions.hook_wishes import has_entry, wish_of, with_hook
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.line_format import as_rule
from memsuggest.suggestions.placement.new_file import new_file
from memsuggest.suggestions.placement.plan import find_contradictions, named_section, put_beside, put_in_place
from memsuggest.suggestions.ranking.match import Ranked


def replan(suggestion: MemorySuggestion, target: Target | None) -> MemorySuggestion | None:
    """Plan a suggestion anew for its file as it is now (None: there is none); None when the file says it already."""
    fact = suggestion.fact
    if fact is None or why_forbidden(fact.content):
        return None
    if target is None:
        return _renewed(suggestion, replace(fact, content=as_rule(fact.content)))
    if suggestion.executable:
        return _replanned_hook(suggestion, fact, target)
    made = _replanned(suggestion, replace(fact, content=as_rule(fact.content)), target)
    return made and replace(made, fact=fact)


def _replanned(suggestion: MemorySuggestion, fact: MemoryFact, target: Target) -> MemorySuggestion | None:
    likes = ExistingRules([target]).like(fact.content)
    if said_among(likes, fact.content):
        return None
    against = find_contradictions(fact.content, likes)
    found = next((contradiction for contradiction in against if contradiction.existing_rule.is_replaceable), None)
    section = named_section(target, suggestion.heading)
    here = Ranked(target=target, section=section, score=1.0, why=suggestion.why)
    return (put_in_place(fact, target, found) if found else None) or put_beside(fact, here)


def _replanned_hook(suggestion: MemorySuggestion, fact: MemoryFact, target: Target) -> MemorySuggestion | None:
    wish = wish_of(fact)
    if wish is None or has_entry(target.text, wish):
        return None
    return with_hook(fact, wish, target, why=suggestion.why)


def _renewed(suggestion: MemorySuggestion, fact: MemoryFact) -> MemorySuggestion:
    uri, text = new_file(fact, paths=fact.cited_paths, taken=(), has_always_on=True)
    if suggestion.executable or uri.rpartition("/")[2] != suggestion.edit.path.rpartition("/")[2]:
        return suggestion
    return replace(suggestion, suggested_merge_content=text, edit=replace(suggestion.edit, before=None, after=text))
