"""From a fact to a suggestion: which file, where in it, and the exact edit. Pure.

In this order: what may not stand in any file is refused; what some file says already is left alone; what is to run by
itself becomes a hook; a line that the fact corrects or completes is replaced; else it is added to the best file, or a
new one is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.model import (
    Edit,
    MemoryFact,
    MemorySuggestion,
    Scope,
    Skipped,
    TargetType,
)
from memsuggest.suggestions.advice import NEW_FILE as NEW_PLACE
from memsuggest.suggestions.calling import called_first
from memsuggest.suggestions.hook_files import CLAUDE_FILE, NEW_FILE, first_file, has_entry, is_of_claude, with_entry
from memsuggest.suggestions.hooks import SAYS_WHEN, HookWish, wish_of
from memsuggest.suggestions.inert import why_forbidden
from memsuggest.suggestions.match import FITS, Ranked, Rule, ranked
from memsuggest.suggestions.merge import Replacement, find_contradictions, find_earlier_wording
from memsuggest.suggestions.new_file import new_file, pattern_of
from memsuggest.suggestions.planning import named_section, planned, put_beside, put_in_place, with_cost
from memsuggest.suggestions.ruling import as_rule
from memsuggest.suggestions.sayings import Like, Saying, said_among
from memsuggest.suggestions.settling import settled
from memsuggest.suggestions.steps import said_otherwise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memsuggest.suggestions.advice import Advice
    from memsuggest.suggestions.bench import Bench

TRIES = 5
"""Places that are tried when the best one cannot be edited safely."""
_CHOSEN = "a model chose it among the places that fit"
_ALWAYS_LOADED = "no other file is about this, and this one is always loaded"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadySaid:
    """A fact that a file says already."""

    uri: str
    line: int
    """From 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A fact, the files, and those of them that it may not go to."""

    fact: MemoryFact
    bench: Bench
    shut: frozenset[str]
    likes: list[Like]
    """What files say that is like the fact."""
    advice: Advice | None = None
    """What a model said of it."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that the fact is about: those of its evidence, else those that it names."""
        tracked = self.bench.shelves[self.fact.scope].tracked
        return tuple(tracked.as_files(self.fact.cited_paths)) or self.named

    @property
    def named(self) -> tuple[str, ...]:
        """The files that the fact itself names."""
        return tuple(self.bench.shelves[self.fact.scope].tracked.named_in(self.fact.content))


def places_for(fact: MemoryFact, bench: Bench, *, decided: Collection[str]) -> tuple[tuple[str, ...], list[Ranked]]:
    """Return the files that a fact is about, and the places that it may go to, best first."""
    case = _Case(fact=fact, bench=bench, shut=bench.closed.union(decided), likes=[])
    open_places = (one for one in _ranked_for(case) if one.target.uri not in case.shut)
    return case.paths, [one for one in open_places if one.target.type is not TargetType.HOOK]


def suggest(
    fact: MemoryFact, bench: Bench, *, decided: Collection[str] = (), advice: Advice | None = None
) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Say where a fact belongs; `decided` are the files that are closed to it, `advice` is what a model said of it.

    Returns AlreadySaid where a file says it, Skipped with the reason where no file may hold it, None for nowhere.
    """
    why = why_forbidden(fact.content)
    if why:
        return Skipped(what=fact.content[:80], why=f"it holds {why}, which no customization file may get from a chat")
    rule = replace(fact, content=as_rule(fact.content))
    wish = wish_of(fact) if fact.scope is Scope.WORKSPACE else None
    made = _suggested(rule, wish, bench, decided=decided, advice=advice)
    return replace(made, fact=fact) if isinstance(made, MemorySuggestion) else made


def _suggested(
    fact: MemoryFact, wish: HookWish | None, bench: Bench, *, decided: Collection[str], advice: Advice | None
) -> MemorySuggestion | AlreadySaid | None:
    likes = bench.sayings[fact.scope].like(fact.content)
    case = _Case(fact=fact, bench=bench, shut=bench.closed.union(decided), likes=likes, advice=advice)
    if wish:
        return _run_already(wish, bench) or _hook(case, wish)
    said = said_among(likes, fact.content) or said_otherwise(fact.content, bench.sayings[fact.scope])
    holding = [saying for saying in said if bench.holds_for(saying, fact.cited_paths)]
    if holding:
        return _already(holding[0])
    against = find_contradictions(fact.content, likes)
    made = _with_doubts(_replacing(case, against) or _advised(case) or _adding(case) or _founding(case), against)
    # A file elsewhere says it; where the rule would go to that very file after all, it is said.
    there = [saying for saying in said if made and saying.uri == made.edit.path]
    if there:
        return _already(there[0])
    target = bench.by_uri.get(made.edit.path) if made else None
    return with_cost(made, target) if made and target else made


def _already(said: Saying) -> AlreadySaid:
    return AlreadySaid(uri=said.uri, line=said.line, text=said.raw)


def _replacing(case: _Case, against: Iterable[Replacement]) -> MemorySuggestion | None:
    """Replace what speaks against a fact, else what says a part of it, where that may give way."""
    found = next((one for one in against if _gives_way(one.saying, case)), None)
    found = found or find_earlier_wording(
        case.fact.content, (like for like in case.likes if _gives_way(like.saying, case))
    )
    return put_in_place(case.fact, case.bench.by_uri[found.saying.uri], found) if found else None


def _gives_way(saying: Saying, case: _Case) -> bool:
    return saying.is_replaceable and saying.uri not in case.shut


def _with_doubts(made: MemorySuggestion | None, against: Sequence[Replacement]) -> MemorySuggestion | None:
    """Say in the reason what else speaks against a rule, and does not give way."""
    others = [one for one in against if made and not (made.replaces and one.why == made.why)]
    if made is None or not others:
        return made
    return replace(made, why=f"{made.why}; but {others[0].why} of {others[0].saying.uri}")


def _ranked_for(case: _Case) -> list[Ranked]:
    fact = case.fact
    rule = Rule(
        content=fact.content,
        paths=fact.cited_paths,
        in_use=tuple(name for citation in fact.citations for name in citation.in_use),
        kind=fact.kind,
        scope=fact.scope,
    )
    found = ranked(rule, case.bench.shelves[case.fact.scope], with_section=0)
    return called_first(found, case.fact.content, paths=case.paths, root=case.bench.root or "/")


def _advised(case: _Case) -> MemorySuggestion | None:
    """Take the place, the heading and the words that a model chose, as far as they are still there."""
    advice = case.advice
    if advice is None or advice.uri in case.shut:
        return None
    if advice.uri == NEW_PLACE:
        return _founded(case) if _deserves_a_file(case) else None
    chosen = next((one for one in _ranked_for(case) if one.target.uri == advice.uri), None)
    if chosen is None:
        return None
    named = named_section(chosen.target, advice.heading) if advice.heading else None
    here = settled(chosen.located, advice.content)
    here = replace(here, section=named or here.section, why="; ".join(filter(None, (_CHOSEN, here.why))))
    made = put_beside(replace(case.fact, content=advice.content), here)
    return made and replace(made, fact=case.fact)


def _adding(case: _Case) -> MemorySuggestion | None:
    found = _ranked_for(case)
    if found and found[0].target.always_on and case.named and _deserves_a_file(case):
        return None  # it names files for which there is no file yet, in a workspace that keeps such files
    fitting = [one for one in found if one.score >= FITS and one.target.uri not in case.shut]
    tries = (settled(one.located, case.fact.content) for one in fitting[:TRIES])
    return next((made for made in (put_beside(case.fact, one) for one in tries) if made), None)


def _founding(case: _Case) -> MemorySuggestion | None:
    """Take the file that holds for everything for what is about no files in particular; else make a new one."""
    general = case.bench.general(case.fact.scope)
    if not _deserves_a_file(case):
        for target in general:
            if target.uri not in case.shut:
                made = put_beside(case.fact, Ranked(target=target, section=None, score=0.0, why=_ALWAYS_LOADED))
                if made:
                    return made
    return _founded(case)


def _founded(case: _Case) -> MemorySuggestion | None:
    general = case.bench.general(case.fact.scope)
    uri, text = new_file(case.fact, paths=case.paths, taken=case.bench.by_uri.keys(), has_always_on=bool(general))
    if uri in case.shut:
        return None
    return MemorySuggestion(
        id=case.fact.id,
        fact=case.fact,
        target_type=TargetType.NEW_FILE,
        suggested_file_name=uri,
        suggested_merge_content=text,
        why="no customization file is about this yet",
        edit=Edit(path=uri, before=None, after=text),
    )


def _deserves_a_file(case: _Case) -> bool:
    """Whether a fact is about certain files, in a workspace that keeps instructions for certain files."""
    if case.fact.scope is Scope.USER or pattern_of(case.paths) is None:
        return False
    others = [target for target in case.bench.of(case.fact.scope) if target.type is TargetType.INSTRUCTIONS]
    return not others or any(not target.always_on for target in others)


def _run_already(wish: HookWish, bench: Bench) -> AlreadySaid | None:
    for target in bench.hooks():
        if has_entry(target.text, wish):
            before = target.text.partition(wish.command)[0]
            return AlreadySaid(uri=target.uri, line=before.count("\n") + 1, text=wish.command)
    return None


def _hook(case: _Case, wish: HookWish) -> MemorySuggestion | None:
    why = f"it says what to run, and when: that is a hook, which hosts run by themselves {SAYS_WHEN[wish.event]}"
    for_claude = _is_said_to_claude(case.fact)
    for target in sorted(case.bench.hooks(), key=lambda one: (is_of_claude(one.uri) is not for_claude, one.uri)):
        if is_of_claude(target.uri) is not for_claude and '"hooks"' not in target.text:
            continue  # another host's settings, in which it keeps no hooks
        grouped = is_of_claude(target.uri)
        if target.uri not in case.shut and (added := with_entry(target.text, wish, is_grouped=grouped)):
            made = planned(case.fact, target, after=added.text, content=added.lines, heading=wish.event, why=why)
            return replace(made, executable=True)
    name = CLAUDE_FILE if for_claude and case.bench.keeps_to_claude else NEW_FILE
    if name in case.shut or name in case.bench.by_uri:
        return None
    text = first_file(wish, is_grouped=name == CLAUDE_FILE)
    return MemorySuggestion(
        id=case.fact.id,
        fact=case.fact,
        target_type=TargetType.HOOK,
        suggested_file_name=name,
        suggested_merge_content=text,
        heading=wish.event,
        why=why,
        edit=Edit(path=name, before=None, after=text),
        executable=True,
    )


def _is_said_to_claude(fact: MemoryFact) -> bool:
    """Whether Claude Code alone was told, which has hooks of its own."""
    told = {citation.format for citation in fact.citations}
    return bool(told) and all(name.startswith("claude") for name in told)
