"""From a fact to a suggestion: which file, where in it, and the exact edit. Pure.

In this order: what may not stand in any file is refused; what some file says already is left alone; a line that the
fact corrects or completes is replaced; else it is added to the best file, or a new one is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from memsuggest.memory.duplicates import similarity
from memsuggest.model import (
    Edit,
    MemoryFact,
    MemorySuggestion,
    Scope,
    Section,
    Skipped,
    Target,
    TargetType,
    suggestion_id,
)
from memsuggest.suggestions import hooks
from memsuggest.suggestions.match import FITS, Ranked, Rule, Shelf, ranked
from memsuggest.suggestions.merge import Replacement, find_replacement, replace_line
from memsuggest.suggestions.new_file import new_file
from memsuggest.suggestions.place import place
from memsuggest.suggestions.sayings import Saying, Sayings
from memsuggest.suggestions.style import why_forbidden
from memsuggest.suggestions.verify import why_unsafe

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

TRIES = 5
"""Places that are tried when the best one cannot be edited safely."""
SIMILAR = 0.5
"""Similarity from which two facts for one file are offered together (SYSTEM.md F.7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadySaid:
    """A fact that a file says already."""

    uri: str
    line: int
    """From 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place for a bare rule, with its edit."""

    target_type: TargetType
    uri: str
    heading: str | None
    score: float
    why: str
    edit: Edit | None


class Bench:
    """The customization files of a workspace and of a person, ready for many facts."""

    def __init__(self, targets: Sequence[Target], *, tracked_paths: Sequence[str] = (), root: str = "") -> None:
        self._targets = tuple(targets)
        self._tracked_paths = tuple(tracked_paths)
        self._root = root

    @cached_property
    def shelves(self) -> dict[Scope, Shelf]:
        """The files of each scope, ready to be ranked."""
        return {scope: Shelf(self.of(scope), tracked_paths=self._tracked_paths, root=self._root) for scope in Scope}

    @cached_property
    def sayings(self) -> dict[Scope, Sayings]:
        """What the files of each scope say."""
        return {scope: Sayings(self.of(scope)) for scope in Scope}

    @cached_property
    def by_uri(self) -> dict[str, Target]:
        """The files by their names."""
        return {target.uri: target for target in self._targets}

    def of(self, scope: Scope) -> tuple[Target, ...]:
        """Return the files that facts of a scope may go to."""
        return tuple(target for target in self._targets if target.scope is scope)


def rule_of(content: str, *, paths: Iterable[str] = ()) -> Rule:
    """Return a bare rule, to be ranked."""
    return Rule(content=content, paths=tuple(paths))


def _rule(fact: MemoryFact) -> Rule:
    return Rule(content=fact.content, paths=cited_paths(fact), kind=fact.kind, scope=fact.scope)


def cited_paths(fact: MemoryFact) -> tuple[str, ...]:
    """Return the files that the evidence mentions, each once."""
    found = [*fact.paths, *(path for citation in fact.citations for path in citation.paths)]
    return tuple(dict.fromkeys(found))


def suggest(
    fact: MemoryFact, bench: Bench, *, decided: Collection[str] = ()
) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Say where a fact belongs; `decided` are the files that are closed to it.

    Returns AlreadySaid where a file says it, Skipped with the reason where no file may hold it, None for nowhere.
    """
    why = why_forbidden(fact.content)
    if why:
        return Skipped(what=fact.content[:80], why=f"it holds {why}, which no customization file may get from a chat")
    said = bench.sayings[fact.scope].said(fact.content)
    if said:
        return AlreadySaid(uri=said.uri, line=said.line, text=said.text)
    hook = _hook(fact, bench)
    if hook:
        return None if hook.edit.path in decided else hook
    return _replacing(fact, bench, decided) or _adding(fact, bench, decided) or _founding(fact, bench, decided)


def _replacing(fact: MemoryFact, bench: Bench, decided: Collection[str]) -> MemorySuggestion | None:
    found = find_replacement(fact.content, bench.sayings[fact.scope].like(fact.content))
    if found is None or found.saying.uri in decided:
        return None
    return _replaced(fact, bench.by_uri[found.saying.uri], found)


def _replaced(fact: MemoryFact, target: Target, found: Replacement) -> MemorySuggestion | None:
    after, line = replace_line(target.text, fact.content, found.saying)
    if after == target.text or why_unsafe(target.text, after, replaced=found.saying.lines):
        return None
    made = _made(fact, target, after=after, content=line, heading=_heading_at(target, found.saying), why=found.why)
    return replace(made, replaces=found.saying.lines.rstrip("\r\n"))


def _heading_at(target: Target, saying: Saying) -> str | None:
    around = [section for section in target.sections if section.start < saying.line <= section.end]
    return (around[-1].heading or None) if around else None


def _adding(fact: MemoryFact, bench: Bench, decided: Collection[str]) -> MemorySuggestion | None:
    found = [one for one in ranked(_rule(fact), bench.shelves[fact.scope]) if one.target.uri not in decided]
    for one in found[:TRIES]:
        if one.score < FITS:
            return None
        made = _added(fact, one)
        if made:
            return made
    return None


def _added(fact: MemoryFact, one: Ranked) -> MemorySuggestion | None:
    if one.target.type is TargetType.HOOK:
        return None
    placed = place(fact.content, one.target, section=one.section, kind=fact.kind)
    if why_unsafe(one.target.text, placed.text):
        return None
    return _made(fact, one.target, after=placed.text, content=placed.content, heading=placed.heading, why=one.why)


def _founding(fact: MemoryFact, bench: Bench, decided: Collection[str]) -> MemorySuggestion | None:
    """Make a new file, or take the always-on file that the workspace uses for what is about no file in particular."""
    always_on = [
        target for target in bench.of(fact.scope) if target.always_on and "/" not in target.uri.removeprefix(".github/")
    ]
    usual = next((target for target in always_on if target.uri not in decided), None)
    if usual and not cited_paths(fact):
        made = _added(
            fact,
            Ranked(
                target=usual, section=None, score=0.0, why="no other file is about this, and this one is always loaded"
            ),
        )
        if made:
            return made
    uri, text = new_file(fact, paths=cited_paths(fact), taken=bench.by_uri.keys(), has_always_on=bool(always_on))
    if uri in decided:
        return None
    return MemorySuggestion(
        id=suggestion_id(fact.id, uri),
        fact=fact,
        target_type=TargetType.NEW_FILE,
        suggested_file_name=uri,
        suggested_merge_content=text,
        why="no customization file is about this yet",
        edit=Edit(path=uri, before=None, after=text),
    )


def _hook(fact: MemoryFact, bench: Bench) -> MemorySuggestion | None:
    wish = hooks.wish_of(fact) if fact.scope is Scope.WORKSPACE else None
    if wish is None:
        return None
    why = f"it says what to run, and when: that is a hook on {wish.event}"
    for target in bench.of(fact.scope):
        added = hooks.with_entry(target.text, wish) if target.type is TargetType.HOOK else None
        if added:
            made = _made(fact, target, after=added[0], content=added[1], heading=wish.event, why=why)
            return replace(made, executable=True)
    text = hooks.first_file(wish)
    return MemorySuggestion(
        id=suggestion_id(fact.id, hooks.NEW_FILE),
        fact=fact,
        target_type=TargetType.HOOK,
        suggested_file_name=hooks.NEW_FILE,
        suggested_merge_content=text,
        heading=wish.event,
        why=why,
        edit=Edit(path=hooks.NEW_FILE, before=None, after=text),
        executable=True,
    )


def _made(
    fact: MemoryFact, target: Target, *, after: str, content: str, heading: str | None, why: str
) -> MemorySuggestion:
    return MemorySuggestion(
        id=suggestion_id(fact.id, target.uri),
        fact=fact,
        target_type=target.type,
        target_uri=target.uri,
        suggested_merge_content=content,
        heading=heading,
        why=why,
        base_digest=target.digest,
        edit=Edit(path=target.uri, before=target.text, after=after),
    )


def replan(suggestion: MemorySuggestion, target: Target | None) -> MemorySuggestion | None:
    """Plan a suggestion anew for its file as it is now (None: there is none); None when the file says it already."""
    fact = suggestion.fact
    if target is None:
        return _renewed(suggestion)
    sayings = Sayings([target])
    if sayings.said(fact.content):
        return None
    if suggestion.executable:
        made = _hook(fact, Bench([target]))
        return made if made and made.target_uri == target.uri else None
    found = find_replacement(fact.content, sayings.like(fact.content))
    section = _named_section(target, suggestion.heading)
    ranked_there = Ranked(target=target, section=section, score=1.0, why=suggestion.why)
    return (_replaced(fact, target, found) if found else None) or _added(fact, ranked_there)


def _renewed(suggestion: MemorySuggestion) -> MemorySuggestion:
    """Put a suggestion's present words into its new file."""
    fact = suggestion.fact
    uri, text = new_file(fact, paths=cited_paths(fact), taken=(), has_always_on=True)
    if suggestion.executable or uri.rpartition("/")[2] != suggestion.edit.path.rpartition("/")[2]:
        return suggestion
    return replace(suggestion, suggested_merge_content=text, edit=replace(suggestion.edit, before=None, after=text))


def _named_section(target: Target, heading: str | None) -> Section | None:
    return next((section for section in target.sections if section.heading == (heading or "")), None)


def rank(rule: Rule, bench: Bench, *, limit: int) -> list[Place]:
    """Return the best places for a bare rule, each with its edit; places that cannot be edited have none."""
    fact = MemoryFact(id="", content=rule.content, kind=rule.kind, scope=rule.scope, confidence=1.0, timestamp=0)
    places = []
    for one in ranked(rule, bench.shelves[rule.scope])[:limit]:
        made = _added(fact, one)
        places.append(
            Place(
                target_type=one.target.type,
                uri=one.target.uri,
                heading=one.section.heading or None if one.section else made.heading if made else None,
                score=one.score,
                why=one.why,
                edit=made.edit if made else None,
            )
        )
    return places


def similar(suggestion: MemorySuggestion, others: Iterable[MemorySuggestion]) -> list[MemorySuggestion]:
    """Return the suggestions that go to the same file and are about the same, or say nearly the same for another."""
    return [
        other
        for other in others
        if other.id != suggestion.id
        and other.edit.path == suggestion.edit.path
        and (other.heading == suggestion.heading or similarity(other.fact.content, suggestion.fact.content) >= SIMILAR)
    ]
