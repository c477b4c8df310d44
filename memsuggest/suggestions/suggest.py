"""From a fact to a suggestion: which file, where in it, and the exact edit. Pure.

In this order: what may not stand in any file is refused; what some file says already is left alone; what is to run by
itself becomes a hook; a line that the fact corrects or completes is replaced; else it is added to the best file, or a
new one is made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.model import MemoryFact, MemorySuggestion, Scope, Skipped, TargetType
from memsuggest.suggestions.advice import NEW_FILE as NEW_PLACE
from memsuggest.suggestions.bench import is_general
from memsuggest.suggestions.case import AlreadySaid, Case
from memsuggest.suggestions.conditions import is_wider
from memsuggest.suggestions.founding import deserves_a_file, founded, founding
from memsuggest.suggestions.hooking import hook, run_already
from memsuggest.suggestions.hooks import HookWish, wish_of
from memsuggest.suggestions.hosts import why_read
from memsuggest.suggestions.inert import why_forbidden
from memsuggest.suggestions.match import FITS, Ranked
from memsuggest.suggestions.merge import Replacement, find_contradictions, find_earlier_wording
from memsuggest.suggestions.placing import places_of, ranked_for
from memsuggest.suggestions.planning import named_section, put_beside, put_in_place, with_cost
from memsuggest.suggestions.ruling import as_rule, without_redacted
from memsuggest.suggestions.sayings import Like, Saying, said_among
from memsuggest.suggestions.settling import settled
from memsuggest.suggestions.steps import said_otherwise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memsuggest.suggestions.advice import Advice
    from memsuggest.suggestions.bench import Bench

__all__ = ["AlreadySaid", "places_for", "spot_for", "suggest"]

TRIES = 5
"""Places that are tried when the best one cannot be edited safely."""
_CHOSEN = "a model chose it among the places that fit"
_FILE_CHOSEN = "a model chose the file among those that fit"


def places_for(fact: MemoryFact, bench: Bench, *, decided: Collection[str]) -> tuple[tuple[str, ...], list[Ranked]]:
    """Return the files that a fact is about, and the places that it may go to, best first."""
    case = Case(fact=fact, bench=bench, shut=bench.closed.union(decided), likes=[])
    files = tuple(bench.shelves[fact.scope].tracked.existing(case.paths))
    return files, [one for one in places_of(case) if one.target.type is not TargetType.HOOK]


def spot_for(fact: MemoryFact, one: Ranked) -> MemorySuggestion | None:
    """Return the edit that adds a fact at a place where our own ranking would put it; None where it cannot stand."""
    return put_beside(fact, settled(one.located, fact.content))


def suggest(
    fact: MemoryFact, bench: Bench, *, decided: Collection[str] = (), advice: Advice | None = None
) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Say where a fact belongs; `decided` are the files that are closed to it, `advice` is what a model said of it.

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
    made = _suggested(rule, wish, bench, decided=decided, advice=advice)
    return replace(made, fact=fact) if isinstance(made, MemorySuggestion) else made


def _suggested(
    fact: MemoryFact, wish: HookWish | None, bench: Bench, *, decided: Collection[str], advice: Advice | None
) -> MemorySuggestion | AlreadySaid | None:
    likes = bench.sayings[fact.scope].like(fact.content)
    shut = bench.closed.union(decided, _for_less(likes, fact, bench))
    case = Case(fact=fact, bench=bench, shut=shut, likes=likes, advice=advice, decided=frozenset(decided))
    if wish:
        return run_already(wish, bench) or hook(case, wish)
    said = said_among(likes, fact.content) or said_otherwise(fact.content, bench.sayings[fact.scope])
    holding = [saying for saying in said if bench.holds_for(saying, fact.cited_paths)]
    if holding:
        return _already(holding[0])
    against = find_contradictions(fact.content, likes)
    made = _with_doubts(_replacing(case, against) or _advised(case) or _added(case), against)
    # A file elsewhere says it; where the rule would go to that very file after all, it is said.
    there = [saying for saying in said if made and saying.uri == made.edit.path]
    if there:
        return _already(there[0])
    target = bench.by_uri.get(made.edit.path) if made else None
    made = _with_readers(made) if made else None
    return with_cost(made, target) if made and target else made


def _with_readers(made: MemorySuggestion) -> MemorySuggestion:
    """Say in the reason who reads the file, where that is not plain."""
    said = why_read(made.edit.path, made.fact) if made.fact else ""
    return replace(made, why=f"{made.why}; {said}") if said else made


def _already(said: Saying) -> AlreadySaid:
    return AlreadySaid(uri=said.uri, line=said.line, text=said.raw)


def _replacing(case: Case, against: Iterable[Replacement]) -> MemorySuggestion | None:
    """Replace what speaks against a fact, else what says a part of it, where that may give way."""
    found = next((one for one in against if _gives_way(one.saying, case)), None)
    found = found or find_earlier_wording(
        case.fact.content, (like for like in case.likes if _gives_way(like.saying, case))
    )
    return put_in_place(case.fact, case.bench.by_uri[found.saying.uri], found) if found else None


def _for_less(likes: Iterable[Like], fact: MemoryFact, bench: Bench) -> set[str]:
    """Return the files in which a rule for all would stand beside a line for certain cases, and hold for some files."""
    paths = fact.cited_paths
    return {
        like.saying.uri
        for like in likes
        if is_wider(like.text, fact.content)
        and not is_general(bench.by_uri[like.saying.uri])
        and not (paths and bench.holds_for(like.saying, paths))
    }


def _gives_way(saying: Saying, case: Case) -> bool:
    return saying.is_replaceable and saying.uri not in case.shut


def _with_doubts(made: MemorySuggestion | None, against: Sequence[Replacement]) -> MemorySuggestion | None:
    """Say in the reason what else speaks against a rule, and does not give way."""
    others = [one for one in against if made and not (made.replaces and one.why == made.why)]
    if made is None or not others:
        return made
    return replace(made, why=f"{made.why}; but {others[0].why} of {others[0].saying.uri}")


def _advised(case: Case) -> MemorySuggestion | None:
    """Take the place, the heading and the words that a model chose, as far as they are still there."""
    advice = case.advice
    if advice is None or advice.uri in case.shut:
        return None
    if advice.uri == NEW_PLACE:
        return founded(case) if deserves_a_file(case) else None
    chosen = next((one for one in ranked_for(case) if one.target.uri == advice.uri), None)
    if chosen is None:
        return None
    named = named_section(chosen.target, advice.heading) if advice.heading else None
    here = settled(chosen.located, advice.content)
    chose = _CHOSEN if named else _FILE_CHOSEN
    here = replace(here, section=named or here.section, why="; ".join(filter(None, (chose, here.why))))
    made = put_beside(replace(case.fact, content=advice.content), here)
    return made and replace(made, fact=case.fact)


def _added(case: Case) -> MemorySuggestion | None:
    found = ranked_for(case)
    return _adding(case, found) or founding(case, found)


def _adding(case: Case, found: Sequence[Ranked]) -> MemorySuggestion | None:
    if found and found[0].target.always_on and case.named and deserves_a_file(case):
        return None  # it names files, in a workspace that keeps instructions for certain files
    fitting = [one for one in found if one.score >= FITS and one.target.uri not in case.shut]
    tries = (settled(one.located, case.fact.content) for one in fitting[:TRIES])
    return next((made for made in (put_beside(case.fact, one) for one in tries) if made), None)
