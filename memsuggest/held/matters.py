"""Matters of several chats or people: facts that say nearly the same, with their evidence. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.core.model import Trust
from memsuggest.facts.contradictions import KnownFacts, last_said
from memsuggest.facts.unite_candidate import sessions_of, times_said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memsuggest.core.model import Citation, MemoryFact

_OWN = (Trust.TYPED, Trust.CONFIRMED)
LEAST = 2
"""Chats in which it must have been said, the person's or others'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidMatter:
    """Facts about one thing, the one with the most evidence first."""

    facts: tuple[MemoryFact, ...]
    times: int
    chats: int
    others: int
    first: int | None
    last: int | None
    citations: tuple[Citation, ...]


def matters_among(
    facts: Iterable[MemoryFact], *, others: Mapping[str, frozenset[str]], since: int | None = None
) -> Iterator[SaidMatter]:
    """Yield what was said in several chats; `others` are chats of other people, by the ids of facts."""
    for group in _groups(sorted(facts, key=lambda fact: (-times_said(fact), -last_said(fact), fact.id))):
        foreign = frozenset[str]().union(*(others.get(fact.id, frozenset()) for fact in group)) if since is None else ()
        cited = _own_citations(group, since)
        chats = len(sessions_of(cited)) + len(foreign)
        if chats >= LEAST and cited:
            told = [round(one.at.timestamp() * 1000) for one in cited if one.at]
            yield SaidMatter(
                facts=tuple(group),
                times=len({(one.session_id, one.turn) for one in cited}) + len(foreign),
                chats=chats,
                others=len(foreign),
                first=min(told, default=None),
                last=max(told, default=None),
                citations=tuple(cited),
            )


def _groups(facts: Sequence[MemoryFact]) -> list[list[MemoryFact]]:
    """Put together what says nearly the same, of one scope."""
    groups: dict[str, list[MemoryFact]] = {}
    known = KnownFacts()
    for fact in facts:
        same = known.same_as(fact.content, fact.scope)
        if same is None:
            known.add(fact)
        groups.setdefault((same or fact).id, []).append(fact)
    return list(groups.values())


def _own_citations(facts: Iterable[MemoryFact], since: int | None) -> list[Citation]:
    """Return the person's own words, each once, the oldest first."""
    found: dict[str, Citation] = {}
    for fact in facts:
        for one in fact.citations:
            at = one.at.timestamp() * 1000 if one.at else None
            if one.trust in _OWN and not one.is_by_hand and (since is None or (at is not None and at >= since)):
                found.setdefault(one.evidence_key, one)
    return sorted(found.values(), key=lambda one: (one.at.timestamp() if one.at else 0.0, one.session_id, one.turn))
