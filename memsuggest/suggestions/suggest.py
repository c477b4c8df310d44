"""From a fact to a suggestion: which file, where in it, and the exact edit. Pure.

In this order: what may not stand in any file is refused; what some file says already is left alone; what is to run by
itself becomes a hook; a line that the fact corrects or completes is replaced; else it is added to the best file, or a
new one is made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.model import MemoryFact, MemorySuggestion, Scope, Skipped, TargetType
from memsuggest.suggestions.by_verdict import judged
from memsuggest.suggestions.existing.conditions import is_wider
from memsuggest.suggestions.existing.existing_rules import Like, said_among
from memsuggest.suggestions.fact_targets import AlreadySaid, Case
from memsuggest.suggestions.hooks.hook_entry import hook, run_already
from memsuggest.suggestions.hooks.hook_wishes import HookWish, wish_of
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.line_replacement import Replacement, find_contradictions, find_earlier_wording
from memsuggest.suggestions.placement.plan import put_beside, put_in_place, with_cost
from memsuggest.suggestions.placement.rule_text import as_rule, without_redacted
from memsuggest.suggestions.placement.section_veto import settled
from memsuggest.suggestions.placement.steps import said_otherwise
from memsuggest.suggestions.ranking.candidates import places_of, ranked_for
from memsuggest.suggestions.ranking.fallback import deserves_a_file, founding
from memsuggest.suggestions.ranking.grounds import is_grounded
from memsuggest.suggestions.ranking.hosts import why_read
from memsuggest.suggestions.ranking.match import FITS, Ranked
from memsuggest.suggestions.ranking.workspace_index import is_general
from memsuggest.text.german import is_german
from memsuggest.text.words import main_language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memsuggest.judging.verdict import Verdict
    from memsuggest.model import Target
    from memsuggest.suggestions.existing.rule_lines import ExistingRule
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

__all__ = ["AlreadySaid", "places_for", "spot_for", "suggest"]

TRIES = 5
"""Places that are tried when the best one cannot be edited safely."""


def places_for(
    fact: MemoryFact, workspace_index: WorkspaceIndex, *, decided: Collection[str]
) -> tuple[tuple[str, ...], list[Ranked]]:
    """Return the files that a fact is about, and the places that it may go to, best first."""
    case = Case(fact=fact, workspace_index=workspace_index, shut=workspace_index.closed.union(decided), likes=[])
    files = tuple(workspace_index.indexes[fact.scope].tracked.existing(case.paths))
    return files, [one for one in places_of(case) if one.target.type is not TargetType.HOOK]


def spot_for(fact: MemoryFact, one: Ranked) -> MemorySuggestion | None:
    """Return the edit that adds a fact at a place where our own ranking would put it; None where it cannot stand."""
    return put_beside(fact, settled(one.located, fact.content))


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
        return Skipped(what=fact.content[:80], why=f"it holds {why}, which no customization file may get from a chat")
    told = without_redacted(fact.content)
    if not told:
        return Skipped(what=fact.content[:80], why="it is about something secret that was taken out")
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
    shut = workspace_index.closed.union(decided, _for_less(likes, fact, workspace_index))
    case = Case(
        fact=fact, workspace_index=workspace_index, shut=shut, likes=likes, verdict=verdict, decided=frozenset(decided)
    )
    if wish:
        return run_already(wish, workspace_index) or hook(case, wish)
    said = said_among(likes, fact.content) or said_otherwise(fact.content, workspace_index.existing_rules[fact.scope])
    holding = [existing_rule for existing_rule in said if workspace_index.holds_for(existing_rule, fact.cited_paths)]
    if holding:
        return _already(holding[0])
    done = judged(case, verdict) if verdict else None
    if isinstance(done, AlreadySaid | Skipped):
        return done
    made = done or _by_our_rules(case)
    # A file elsewhere says it; where the rule would go to that very file after all, it is said.
    there = [existing_rule for existing_rule in said if made and existing_rule.uri == made.edit.path]
    if there:
        return _already(there[0])
    target = workspace_index.by_uri.get(made.edit.path) if made else None
    made = replace(_with_readers(made), weakens=verdict is not None and verdict.weakens) if made else None
    return with_cost(made, target) if made and target else made


def _by_our_rules(case: Case) -> MemorySuggestion | None:
    against = find_contradictions(case.fact.content, case.likes)
    return _with_doubts(_replacing(case, against) or _added(case), against)


def _with_readers(made: MemorySuggestion) -> MemorySuggestion:
    """Say in the reason who reads the file, where that is not plain."""
    said = why_read(made.edit.path, made.fact) if made.fact else ""
    return replace(made, why=f"{made.why}; {said}") if said else made


def _already(said: ExistingRule) -> AlreadySaid:
    return AlreadySaid(uri=said.uri, line=said.line, text=said.raw)


def _replacing(case: Case, against: Iterable[Replacement]) -> MemorySuggestion | None:
    """Replace what speaks against a fact, else what says a part of it, where that may give way."""
    found = next((one for one in against if _gives_way(one.existing_rule, case)), None)
    found = found or find_earlier_wording(
        case.fact.content, (like for like in case.likes if _gives_way(like.existing_rule, case))
    )
    return put_in_place(case.fact, case.workspace_index.by_uri[found.existing_rule.uri], found) if found else None


def _for_less(likes: Iterable[Like], fact: MemoryFact, workspace_index: WorkspaceIndex) -> set[str]:
    """Return the files in which a rule for all would stand beside a line for certain cases, and hold for some files."""
    paths = fact.cited_paths
    return {
        like.existing_rule.uri
        for like in likes
        if is_wider(like.text, fact.content)
        and not is_general(workspace_index.by_uri[like.existing_rule.uri])
        and not (paths and workspace_index.holds_for(like.existing_rule, paths))
    }


def _gives_way(existing_rule: ExistingRule, case: Case) -> bool:
    if not existing_rule.is_replaceable or existing_rule.uri in case.shut:
        return False
    return not is_german(case.fact.content) or _is_german(case.workspace_index.by_uri[existing_rule.uri])


def _is_german(target: Target) -> bool:
    """Tell whether a file is written in German: a German rule puts nothing in the place of what others can read."""
    return main_language([target.text]) == "de"


def _with_doubts(made: MemorySuggestion | None, against: Sequence[Replacement]) -> MemorySuggestion | None:
    """Say in the reason what else speaks against a rule, and does not give way."""
    others = [one for one in against if made and not (made.replaces and one.why == made.why)]
    if made is None or not others:
        return made
    return replace(made, why=f"{made.why}; but {others[0].why} of {others[0].existing_rule.uri}")


def _added(case: Case) -> MemorySuggestion | None:
    found = ranked_for(case)
    return _adding(case, found) or founding(case, found)


def _adding(case: Case, found: Sequence[Ranked]) -> MemorySuggestion | None:
    if found and found[0].target.always_on and is_general(found[0].target) and case.named and deserves_a_file(case):
        return None  # it names files, in a workspace that keeps instructions for certain files
    fitting = [one for one in found if one.score >= FITS and one.target.uri not in case.shut and is_grounded(one, case)]
    tries = (settled(one.located, case.fact.content) for one in fitting[:TRIES])
    return next((made for made in (put_beside(case.fact, one) for one in tries) if made), None)
