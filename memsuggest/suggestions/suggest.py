"""From a fact to a suggestion: which file, where in it, and the exact edit. Pure.

In this order: what may not stand in any file is refused; what is to run by itself becomes a hook; what some file says
already in nearly the same words is left alone; a line that it contradicts is replaced; else it is added to the best
file, or a new one is made.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import islice

from memsuggest.core.model import MemoryFact, MemorySuggestion, Scope, Skipped, Target, TargetType
from memsuggest.judging.verdicts.verdict import NEW_FILE, Becomes, Verdict
from memsuggest.suggestions.existing_rules import ExistingRule, ExistingRules, line_named, said_among
from memsuggest.suggestions.hook_wishes import has_entry, hook, run_already, wish_of, with_hook
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.line_format import as_rule, without_redacted
from memsuggest.suggestions.placement.new_file import new_file
from memsuggest.suggestions.placement.place import (
    Replacement,
    find_contradictions,
    named_section,
    put_beside,
    put_in_place,
    with_cost,
)
from memsuggest.suggestions.ranking.match import Ranked
from memsuggest.suggestions.ranking.workspace_index import (
    AlreadySaid,
    Case,
    WorkspaceIndex,
    founded,
    is_grounded,
    needs_a_file,
    places_of,
)

CHOSEN = "a model chose this place from several suitable ones"
FILE_CHOSEN = "a model chose this file from several suitable ones"
NO_RULE = "the model decided that this rule does not belong in a customization file"
_NAMED = 80  # characters of a rule that is skipped
TRIES = 5
"""Places that are tried when the best one cannot be edited safely."""


def places_for(
    fact: MemoryFact, workspace_index: WorkspaceIndex, *, decided: Collection[str]
) -> tuple[tuple[str, ...], list[Ranked]]:
    """Return the files that a fact is about, and the places that it may go to, best first."""
    case = Case(fact=fact, workspace_index=workspace_index, shut=workspace_index.closed.union(decided), likes=[])
    files = tuple(workspace_index.indexes[fact.scope].tracked.existing(case.paths))
    return files, [place for place in places_of(case) if place.target.type is not TargetType.HOOK]


def suggest(
    fact: MemoryFact,
    workspace_index: WorkspaceIndex,
    *,
    decided: Collection[str] = (),
    verdict: Verdict | None = None,
) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Say where a fact belongs; `decided` are the files that are closed to it, `verdict` is what a model says of it.

    Returns AlreadySaid where a file says it, Skipped with the reason where no file may hold it, None for nowhere.
    """
    if why := why_forbidden(fact.content):
        return _skipped(fact, f"the rule contains {why}, which is not allowed in customization files")
    words = without_redacted(fact.content)
    if not words:
        return _skipped(fact, "the rule refers to a secret that was redacted")
    rule = replace(fact, content=as_rule(words))
    case = Case(
        fact=rule,
        workspace_index=workspace_index,
        shut=workspace_index.closed.union(decided),
        likes=workspace_index.existing_rules[fact.scope].like(rule.content),
        decided=frozenset(decided),
    )
    wish = wish_of(fact) if fact.scope is Scope.WORKSPACE else None
    made = (run_already(wish, workspace_index) or hook(case, wish)) if wish else _placed(case, verdict)
    return replace(made, fact=fact) if isinstance(made, MemorySuggestion) else made


def _skipped(fact: MemoryFact, why: str) -> Skipped:
    return Skipped(what=fact.content[:_NAMED], why=why)


def _already(said: ExistingRule) -> AlreadySaid:
    return AlreadySaid(uri=said.uri, line=said.line, text=said.raw)


def _placed(case: Case, verdict: Verdict | None) -> MemorySuggestion | AlreadySaid | Skipped | None:
    by_uri = case.workspace_index.by_uri
    said = said_among(case.likes, case.fact.content)
    if there := next((rule for rule in said if case.is_in_force(by_uri[rule.uri])), None):
        return _already(there)
    made = (_judged(case, verdict) if verdict else None) or _by_our_rules(case)
    if not isinstance(made, MemorySuggestion):
        return made
    # A file elsewhere says it; where the rule would go to that very file after all, it is said.
    if there := next((rule for rule in said if rule.uri == made.edit.path), None):
        return _already(there)
    made = replace(made, weakens=verdict is not None and verdict.weakens)
    target = by_uri.get(made.edit.path)
    return with_cost(made, target) if target else made


def _judged(case: Case, verdict: Verdict) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Do what a model said, None where that is not possible any more."""
    if verdict.becomes is Becomes.NOWHERE:
        return _skipped(case.fact, NO_RULE)
    target = case.workspace_index.by_uri.get(verdict.uri or "")
    if verdict.line:
        line = line_named(target, verdict.line) if target else None
        if target is None or line is None:
            return None
        if verdict.becomes is Becomes.SAID:
            return _already(line)
        is_free = line.is_replaceable and line.uri not in case.shut
        made = _in_place(case.fact, target, line, verdict) if is_free else None
        if made is None and verdict.becomes is Becomes.CONTRADICTS:
            why = f"the rule contradicts {_named(line)}, which only you can change: edit it by hand"
            return _skipped(case.fact, why)
        return made
    if verdict.uri == NEW_FILE:
        return founded(case)
    chosen = next((place for place in places_of(case) if place.target.uri == verdict.uri), None)
    if chosen is None:
        return None
    here = chosen.located
    named = named_section(here.target, verdict.heading) if verdict.heading else None
    why = "; ".join(filter(None, (CHOSEN if named else FILE_CHOSEN, here.why)))
    return _beside(case.fact, replace(here, section=named or here.section, why=why), verdict)


def _beside(fact: MemoryFact, spot: Ranked, verdict: Verdict) -> MemorySuggestion | None:
    made = put_beside(replace(fact, content=verdict.content or fact.content), spot)
    return made and replace(made, fact=fact)


def _in_place(fact: MemoryFact, target: Target, line: ExistingRule, verdict: Verdict) -> MemorySuggestion | None:
    is_against = verdict.becomes is Becomes.CONTRADICTS
    why = f"the rule {'contradicts' if is_against else 'extends'} {_named(line)}"
    made = put_in_place(replace(fact, content=verdict.content or fact.content), target, Replacement(line, why))
    return made and replace(made, fact=fact, contradicts=is_against)


def _named(line: ExistingRule) -> str:
    return f"line {line.line} of {line.uri} (“{line.shown}”)"


def _by_our_rules(case: Case) -> MemorySuggestion | Skipped | None:
    """Put a fact in the place of a line that it contradicts, else beside others in the best file, or in a new one."""
    against = find_contradictions(case.fact.content, case.likes)
    lines = ((clash, clash.existing_rule) for clash in against)
    free = next((clash for clash, line in lines if line.is_replaceable and line.uri not in case.shut), None)
    made = put_in_place(case.fact, case.workspace_index.by_uri[free.existing_rule.uri], free) if free else None
    if made is None:
        found = list(islice((place for place in places_of(case) if is_grounded(place, case)), TRIES))
        made = founded(case) if needs_a_file(case, found) else None
        spots = (put_beside(case.fact, place.located) for place in found)
        made = made or next(filter(None, spots), None) or founded(case)
    if made is None:
        return None
    below = next((clash for clash in against if clash.existing_rule.uri == made.edit.path), None)
    if below and not made.replaces:
        return _skipped(case.fact, f"{below.why}; only you can change that line: edit it by hand")
    other = next((clash for clash in against if not (made.replaces and clash.why == made.why)), None)
    return replace(made, why=f"{made.why}; but {other.why}") if other else made


def replan(
    suggestion: MemorySuggestion, target: Target | None, verdict: Verdict | None = None
) -> MemorySuggestion | None:
    """Plan a suggestion anew for its file as it is now (None: there is none); None when the file says it already.

    `verdict` is what a model says of it, where that still counts.
    """
    fact = suggestion.fact
    if fact is None or why_forbidden(fact.content):
        return None
    if verdict and target and verdict.uri == target.uri:
        judged, spot = None, _here(suggestion, target)
        if verdict.line:
            line = line_named(target, verdict.line)
            judged = _in_place(fact, target, line, verdict) if line else None
        elif spot.section:
            judged = _beside(fact, spot, verdict)
        if judged:
            return judged
    rule = replace(fact, content=as_rule(fact.content))
    if target is None:
        uri, text = new_file(rule, paths=fact.cited_paths, taken=(), has_always_on=True)
        if suggestion.executable or uri.rpartition("/")[2] != suggestion.edit.path.rpartition("/")[2]:
            return suggestion
        return replace(suggestion, suggested_merge_content=text, edit=replace(suggestion.edit, before=None, after=text))
    if suggestion.executable:
        wish = wish_of(fact)
        is_needed = wish and not has_entry(target.text, wish)
        return with_hook(fact, wish, target, why=suggestion.why) if wish and is_needed else None
    likes = ExistingRules([target]).like(rule.content)
    if said_among(likes, rule.content):
        return None
    against = find_contradictions(rule.content, likes)
    free = next((clash for clash in against if clash.existing_rule.is_replaceable), None)
    made = (put_in_place(rule, target, free) if free else None) or put_beside(rule, _here(suggestion, target))
    return made and replace(made, fact=fact)


def _here(suggestion: MemorySuggestion, target: Target) -> Ranked:
    return Ranked(target=target, section=named_section(target, suggestion.heading), score=1.0, why=suggestion.why)
