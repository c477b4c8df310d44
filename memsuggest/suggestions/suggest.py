"""From a fact to a suggestion: which file, where in it, and the exact edit. Pure.

In this order: what may not stand in any file is refused; what is to run by itself becomes a hook; what some file says
already in nearly the same words is left alone; a line that it contradicts is replaced; else it is added to the best
file, or a new one is made.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice

from memsuggest.core.model import MemoryFact, MemorySuggestion, Scope, Skipped, Target, TargetType
from memsuggest.judging.verdicts.verdict import NEW_FILE, Becomes, Verdict
from memsuggest.suggestions.existing_rules import ExistingRule, ExistingRules, line_named, said_among
from memsuggest.suggestions.hook_wishes import HookWish, has_entry, hook, run_already, wish_of, with_hook
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.line_format import as_rule, without_redacted
from memsuggest.suggestions.placement.new_file import new_file
from memsuggest.suggestions.placement.plan import (
    Replacement,
    find_contradictions,
    named_section,
    put_beside,
    put_in_place,
    with_cost,
)
from memsuggest.suggestions.ranking.fact_places import (
    AlreadySaid,
    Case,
    founded,
    is_grounded,
    needs_a_file,
    places_of,
    ranked_for,
)
from memsuggest.suggestions.ranking.hosts import why_read
from memsuggest.suggestions.ranking.match import Ranked
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

CHOSEN = "a model chose it from the places that fit"
FILE_CHOSEN = "a model chose the file from those that fit"
NO_RULE = "not a rule for a file, according to the model that judged it"
_SHOWN = 90  # characters of the old words that a reason shows


def judged(case: Case, verdict: Verdict) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Return what comes of a fact by its verdict; None where our own rules have to say it."""
    if verdict.becomes is Becomes.NOWHERE:
        return Skipped(what=case.fact.content[:80], why=NO_RULE)
    if verdict.line:
        return _at_line(case, verdict)
    if verdict.uri == NEW_FILE:
        return founded(case)
    chosen = next((ranked for ranked in ranked_for(case) if ranked.target.uri == verdict.uri), None)
    return _beside(case.fact, chosen.located, verdict) if chosen and verdict.uri not in case.shut else None


def _as_judged(
    suggestion: MemorySuggestion, fact: MemoryFact, verdict: Verdict, target: Target
) -> MemorySuggestion | None:
    if verdict.uri != target.uri:
        return None
    if verdict.line:
        line = line_named(target, verdict.line)
        return _in_place(fact, target, line, verdict) if line else None
    here = Ranked(target=target, section=named_section(target, suggestion.heading), score=1.0, why=suggestion.why)
    made = put_beside(_worded(fact, verdict), here) if here.section else None
    return made and replace(made, fact=fact)


def _at_line(case: Case, verdict: Verdict) -> MemorySuggestion | AlreadySaid | Skipped | None:
    target = case.workspace_index.by_uri.get(verdict.uri or "")
    line = line_named(target, verdict.line) if target else None
    if target is None or line is None:
        return None
    if verdict.becomes is Becomes.SAID:
        return AlreadySaid(uri=line.uri, line=line.line, text=line.raw)
    is_free = line.is_replaceable and line.uri not in case.shut
    made = _in_place(case.fact, target, line, verdict) if is_free else None
    if made is None and verdict.becomes is Becomes.CONTRADICTS:
        return Skipped(
            what=case.fact.content[:80],
            why=f"it contradicts {_named(line)}, which only you can change: edit it by hand",
        )
    return made


def _in_place(fact: MemoryFact, target: Target, line: ExistingRule, verdict: Verdict) -> MemorySuggestion | None:
    is_against = verdict.becomes is Becomes.CONTRADICTS
    why = f"it {'contradicts' if is_against else 'extends'} {_named(line)}"
    made = put_in_place(_worded(fact, verdict), target, Replacement(existing_rule=line, why=why))
    return made and replace(made, fact=fact, contradicts=is_against)


def _beside(fact: MemoryFact, located: Ranked, verdict: Verdict) -> MemorySuggestion | None:
    named = named_section(located.target, verdict.heading) if verdict.heading else None
    here = located
    chose = CHOSEN if named else FILE_CHOSEN
    here = replace(here, section=named or here.section, why="; ".join(filter(None, (chose, here.why))))
    made = put_beside(_worded(fact, verdict), here)
    return made and replace(made, fact=fact)


def _worded(fact: MemoryFact, verdict: Verdict) -> MemoryFact:
    return replace(fact, content=verdict.content) if verdict.content else fact


def _named(line: ExistingRule) -> str:
    words = line.raw if len(line.raw) <= _SHOWN else f"{line.raw[:_SHOWN].rstrip()} …"
    return f"line {line.line} of {line.uri} (“{words}”)"


TRIES = 5
"""Places that are tried when the best one cannot be edited safely."""


def places_for(
    fact: MemoryFact, workspace_index: WorkspaceIndex, *, decided: Collection[str]
) -> tuple[tuple[str, ...], list[Ranked]]:
    """Return the files that a fact is about, and the places that it may go to, best first."""
    case = Case(fact=fact, workspace_index=workspace_index, shut=workspace_index.closed.union(decided), likes=[])
    files = tuple(workspace_index.indexes[fact.scope].tracked.existing(case.paths))
    return files, [place for place in places_of(case) if place.target.type is not TargetType.HOOK]


def spot_for(fact: MemoryFact, one: Ranked) -> MemorySuggestion | None:
    """Return the edit that adds a fact at a place where our own ranking would put it; None where it cannot stand."""
    return put_beside(fact, one.located)


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
    why = why_forbidden(fact.content)
    if why:
        return Skipped(what=fact.content[:80], why=f"it contains {why}, which is not allowed in customization files")
    told = without_redacted(fact.content)
    if not told:
        return Skipped(what=fact.content[:80], why="it refers to a secret that was redacted")
    rule = replace(fact, content=as_rule(told))
    wish = wish_of(fact) if fact.scope is Scope.WORKSPACE else None
    made = _suggested(rule, wish, workspace_index, decided=decided, verdict=verdict)
    return replace(made, fact=fact) if isinstance(made, MemorySuggestion) else made


def _suggested(
    fact: MemoryFact,
    wish: HookWish | None,
    workspace_index: WorkspaceIndex,
    *,
    decided: Collection[str],
    verdict: Verdict | None,
) -> MemorySuggestion | AlreadySaid | Skipped | None:
    likes = workspace_index.existing_rules[fact.scope].like(fact.content)
    shut = workspace_index.closed.union(decided)
    case = Case(
        fact=fact, workspace_index=workspace_index, shut=shut, likes=likes, verdict=verdict, decided=frozenset(decided)
    )
    if wish:
        return run_already(wish, workspace_index) or hook(case, wish)
    said = said_among(likes, fact.content)
    holding = [existing_rule for existing_rule in said if workspace_index.holds_for(existing_rule, fact.cited_paths)]
    if holding:
        return _already(holding[0])
    made = (judged(case, verdict) if verdict else None) or _by_our_rules(case)
    if isinstance(made, AlreadySaid | Skipped):
        return made
    # A file elsewhere says it; where the rule would go to that very file after all, it is said.
    there = [existing_rule for existing_rule in said if made and existing_rule.uri == made.edit.path]
    if there:
        return _already(there[0])
    target = workspace_index.by_uri.get(made.edit.path) if made else None
    made = replace(_with_readers(made), weakens=verdict is not None and verdict.weakens) if made else None
    return with_cost(made, target) if made and target else made


def _by_our_rules(case: Case) -> MemorySuggestion | Skipped | None:
    against = find_contradictions(case.fact.content, case.likes)
    made = _replacing(case, against) or _added(case)
    below = next(
        (contradiction for contradiction in against if made and contradiction.existing_rule.uri == made.edit.path), None
    )
    if made and below and not made.replaces:
        return Skipped(what=case.fact.content[:80], why=f"{below.why}; only you can change that line: edit it by hand")
    return _with_doubts(made, against)


def _with_readers(made: MemorySuggestion) -> MemorySuggestion:
    said = why_read(made.edit.path, made.fact) if made.fact else ""
    return replace(made, why=f"{made.why}; {said}") if said else made


def _already(said: ExistingRule) -> AlreadySaid:
    return AlreadySaid(uri=said.uri, line=said.line, text=said.raw)


def _replacing(case: Case, against: Sequence[Replacement]) -> MemorySuggestion | None:
    found = next((replacement for replacement in against if _gives_way(replacement.existing_rule, case)), None)
    return put_in_place(case.fact, case.workspace_index.by_uri[found.existing_rule.uri], found) if found else None


def _gives_way(existing_rule: ExistingRule, case: Case) -> bool:
    return existing_rule.is_replaceable and existing_rule.uri not in case.shut


def _with_doubts(made: MemorySuggestion | None, against: Sequence[Replacement]) -> MemorySuggestion | None:
    others = [replacement for replacement in against if made and not (made.replaces and replacement.why == made.why)]
    if made is None or not others:
        return made
    return replace(made, why=f"{made.why}; but {others[0].why} of {others[0].existing_rule.uri}")


def _added(case: Case) -> MemorySuggestion | None:
    """Add a fact to the best file that is loaded where it is needed, or make a new one."""
    places = places_of(case)
    found = list(islice((place for place in places if is_grounded(place, case)), TRIES))
    if needs_a_file(case, found, places) and (made := founded(case)):
        return made
    tries = (put_beside(case.fact, one.located) for one in found)
    return next(filter(None, tries), None) or founded(case)


def replan(
    suggestion: MemorySuggestion, target: Target | None, verdict: Verdict | None = None
) -> MemorySuggestion | None:
    """Plan a suggestion anew for its file as it is now (None: there is none); None when the file says it already.

    `verdict` is what a model says of it, where that still counts.
    """
    fact = suggestion.fact
    if fact is None or why_forbidden(fact.content):
        return None
    if verdict and target and (made := _as_judged(suggestion, fact, verdict, target)):
        return made
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
