"""Statements of one person in several repos: proposed as a fact about themselves, wherever they work.

Pure. Nothing is decided here: the proposal is a fact of user scope with the evidence of all those repos, which is
suggested for the person's own files like any other; it is withdrawn when the repos no longer agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.identity import fact_id
from memsuggest.memory.contradictions import KnownFacts, find_contradictions, last_said
from memsuggest.memory.fact_store import WIDE
from memsuggest.model import FactStatus, Kind, MemoryFact, Scope, Trust
from memsuggest.text.likeness import same_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from memsuggest.memory.fact_store import Place

REPO = "repo:"
"""What the tags begin with that name the repos."""
LEAST = 2
"""Repos in which it must have been said."""

_GAIN, _CEILING = 0.2, 0.97
_OWN = (Trust.TYPED, Trust.CONFIRMED)
_KINDS = frozenset(Kind) - {Kind.TERMINOLOGY, Kind.OBSERVATION}
_OF_A_REPO = re.compile(r"[\w.-]/[\w.*]|\b\w+\.[a-z]{1,4}\b(?!\.\w)|\b(?:https?|#)\b")
"""A path, a file or an address: what it says holds in one place."""
_HERE = re.compile(r",? (?:in|for|of) (?:this|our|the) (?:repo|repository|project|codebase)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Widened:
    """New proposals, and the outcome of earlier ones."""

    added: tuple[MemoryFact, ...] = ()
    changed: tuple[MemoryFact, ...] = ()


def widened(
    everywhere: Mapping[str, Sequence[MemoryFact]],
    *,
    here: Place,
    places: Iterable[Place],
    decided: Collection[str],
    forgotten: Collection[str],
    threshold: float,
) -> Widened:
    """Compare the facts of one workspace with those of all (user facts under "").

    Facts whose ids are in `decided` stay as they are, those in `forgotten` stay away.
    """
    own = {fact.id: fact for fact in everywhere.get("", ())}
    said = KnownFacts(fact for fact in own.values() if WIDE not in fact.tags)
    earlier = [fact for fact in own.values() if WIDE in fact.tags]
    agreed: dict[str, MemoryFact] = {}
    for best, group in _agreed(everywhere, here, places, threshold):
        proposed = _proposal(best, group)
        names = {fact_id(Scope.USER, _general(fact.content)) for fact in group.facts.values()}
        if names.isdisjoint(forgotten) and said.same_as(best.content, Scope.USER) is None:
            known = next((one for one in earlier if one.id in names or same_words(one.content, best.content)), proposed)
            agreed[known.id] = proposed
    clashing = find_contradictions(tuple(agreed.values()), [fact for fact in own.values() if WIDE not in fact.tags])
    out = {fact.id for pair in clashing for fact in (pair.winner, pair.loser)}
    agreed = {key: fact for key, fact in agreed.items() if fact.id not in out}
    concerned = [fact for fact in earlier if fact.id in agreed or f"{REPO}{here.name}" in fact.tags]
    changed = [_now(fact, agreed.get(fact.id)) for fact in concerned if fact.id not in decided]
    return Widened(
        added=tuple(fact for key, fact in agreed.items() if key not in own),
        changed=tuple(fact for fact in changed if fact != own[fact.id]),
    )


def _now(before: MemoryFact, found: MemoryFact | None) -> MemoryFact:
    """Return a proposal as it is now: with the evidence of today, or withdrawn."""
    if found is None:
        return replace(before, status=FactStatus.INACTIVE)
    keys = {citation.evidence_key for citation in before.citations}
    fresh = tuple(citation for citation in found.citations if citation.evidence_key not in keys)
    return replace(
        before,
        status=FactStatus.ACTIVE,
        citations=(*before.citations, *fresh),
        tags=found.tags,
        confidence=max(before.confidence, found.confidence),
    )


@dataclass(slots=True)
class _Group:
    """Facts that say the same, by repository."""

    facts: dict[str, MemoryFact]
    names: dict[str, str]
    sessions: set[str]


def _agreed(
    everywhere: Mapping[str, Sequence[MemoryFact]], here: Place, places: Iterable[Place], threshold: float
) -> Iterator[tuple[MemoryFact, _Group]]:
    """Yield what holds here and in other repos and is contradicted in none, by its best wording."""
    known = {place.key: place for place in places}
    keys = sorted(filter(None, everywhere), key=lambda key: (key != here.key, key))
    held = [(key, fact) for key in keys for fact in everywhere[key] if _holds(fact, threshold)]
    wide = [
        (max(group.facts.values(), key=lambda fact: (fact.confidence, last_said(fact), fact.id)), group)
        for group in _groups([(known[key], fact) for key, fact in held if key in known], here)
        if len(group.facts) >= LEAST
    ]
    clashing = find_contradictions([best for best, _ in wide], [fact for _, fact in held])
    out = {fact.id for pair in clashing for fact in (pair.winner, pair.loser)}
    yield from ((best, group) for best, group in wide if best.id not in out)


def _holds(fact: MemoryFact, threshold: float) -> bool:
    is_own = any(citation.trust in _OWN for citation in fact.citations)
    is_portable = fact.kind in _KINDS and not _OF_A_REPO.search(fact.content)
    return is_own and is_portable and fact.status is FactStatus.ACTIVE and fact.confidence >= threshold


def _groups(held: Iterable[tuple[Place, MemoryFact]], here: Place) -> list[_Group]:
    """Put together what says the same as a fact from here; a chat that several repos have read counts once."""
    groups: dict[str, _Group] = {}
    known = KnownFacts()
    for place, fact in held:
        sessions = {citation.session_id for citation in fact.citations if not citation.is_by_hand}
        found = known.same_as(fact.content, fact.scope)
        if found is None and place.key == here.key:
            known.add(fact)
            groups[fact.id] = _Group({place.repository: fact}, {place.repository: place.name}, sessions)
        elif found is not None:
            group = groups[found.id]
            if place.repository not in group.facts and sessions.isdisjoint(group.sessions):
                group.facts[place.repository] = fact
                group.names[place.repository] = place.name
                group.sessions |= sessions
    return list(groups.values())


def _general(content: str) -> str:
    """Return a rule without the words that tie it to one repo."""
    return _HERE.sub("", content) or content


def _proposal(best: MemoryFact, group: _Group) -> MemoryFact:
    cited = sorted(
        (citation for fact in group.facts.values() for citation in fact.citations if citation.trust in _OWN),
        key=lambda one: one.at.timestamp() if one.at else float("inf"),
    )
    earliest = min(group.facts.values(), key=lambda fact: (fact.timestamp, fact.id))
    content = _general(best.content)
    missing = (1 - best.confidence) * (1 - _GAIN) ** (len(group.facts) - 1)
    return replace(
        best,
        id=fact_id(Scope.USER, content),
        content=content,
        scope=Scope.USER,
        confidence=round(max(best.confidence, min(1 - missing, _CEILING)), 3),
        citations=tuple(replace(citation, paths=()) for citation in cited),
        timestamp=earliest.timestamp,
        source_session_id=earliest.source_session_id,
        tags=(WIDE, *sorted(f"{REPO}{name}" for name in group.names.values())),
        paths=(),
        unknown={},
    )
