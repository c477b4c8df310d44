"""From candidates to facts: which are new, which are known already, which may not come back, which retire others.

Pure. Identity comes first: a candidate whose evidence belongs to a known or forgotten fact *is* that fact, however it
is worded now. So reading the same chats again changes nothing, what was forgotten stays forgotten, and what was
dismissed stays dismissed until the person says it again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.identity import fact_id, hash_of, normalised, session_hash
from memsuggest.memory.contradictions import find_contradictions, last_said
from memsuggest.memory.duplicates import DEFAULT_SIMILARITY
from memsuggest.memory.entries import shared_name
from memsuggest.memory.recognition import Recognition
from memsuggest.memory.store import WIDE
from memsuggest.memory.tags import UPDATE
from memsuggest.memory.updates import replaces
from memsuggest.model import (
    Candidate,
    Contradiction,
    Decision,
    FactStatus,
    MemoryFact,
    Skipped,
    SuggestionStatus,
    Tombstone,
    Trust,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.model import Citation

SESSION_QUOTA = 40
"""New facts that one session may bring, directives apart: a flood must not push out what people taught (T6)."""

# SECURITY.md 4: what others wrote waits for the person's decision, below the usual threshold.
_CEILINGS = {Trust.TYPED: 1.0, Trust.CONFIRMED: 0.75, Trust.SHARED: 0.75, Trust.AGENT: 0.5, Trust.CLAIMED: 0.5}
_OTHERS = (Trust.AGENT, Trust.CLAIMED)
_SESSION_GAIN = 0.2  # of what is missing to certainty, for every further session
_CEILING = 0.97


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """What became of some candidates; nothing in it is stored yet."""

    added: tuple[MemoryFact, ...] = ()
    """New to this person: to be added with their evidence. A fact that so far only the team had is one of them."""
    updated: tuple[MemoryFact, ...] = ()
    """Known before, with more evidence or in force again."""
    retired: tuple[MemoryFact, ...] = ()
    """Known before, and replaced by what the person said since."""
    contradictions: tuple[Contradiction, ...] = ()
    """Pairs of which one is new."""
    revived: tuple[MemoryFact, ...] = ()
    """Those of `added` that had been forgotten: each store that has a tombstone of one must `add` it."""
    lifted: tuple[Decision, ...] = ()
    """Dismissals that new evidence ends, as `pending` decisions."""
    refused: tuple[Skipped, ...] = ()


def accept(
    candidates: Iterable[Candidate],
    *,
    known: Sequence[MemoryFact],
    tombstones: Iterable[Tombstone] = (),
    decisions: Iterable[Decision] = (),
    similarity: float = DEFAULT_SIMILARITY,
    now: int,
) -> Acceptance:
    """Say what the candidates change; `now` (milliseconds) dates evidence that has no time of its own."""
    intake = _Intake(known, tombstones, similarity=similarity, now=now)
    for candidate in candidates:
        intake.take(candidate)
    return intake.result(tuple(decisions))


def forgetting(fact: MemoryFact) -> Tombstone:
    """Return the tombstone under which neither the fact, nor its words, nor its evidence come back."""
    cited = () if WIDE in fact.tags else fact.citations  # the facts of the repos have that evidence too, and stay
    evidence = tuple(citation.evidence_key for citation in cited if citation.trust is not Trust.SHARED)
    return Tombstone(fact_id=fact.id, words=words_digest(fact.content), evidence=evidence)


def words_digest(content: str) -> str:
    """Return what a tombstone knows of a fact's words: enough to recognise, not to read."""
    return hash_of("words", normalised(content))


class _Intake:
    """The facts as they are while candidates are taken in, one after the other."""

    def __init__(
        self, known: Sequence[MemoryFact], tombstones: Iterable[Tombstone], *, similarity: float, now: int
    ) -> None:
        self._before = {fact.id: fact for fact in known}
        self._facts = dict(self._before)
        self._recognition = Recognition(known, tombstones, threshold=similarity)
        self._now = now
        self._refused: list[Skipped] = []
        self._per_session = Counter(fact.source_session_id for fact in known)
        self._heard_again: set[str] = set()
        self._revived: set[str] = set()

    def take(self, candidate: Candidate) -> None:
        """Take in one candidate: as evidence of a fact, as a new fact, or not at all."""
        citations = tuple(citation for citation in candidate.citations if citation.trust in _CEILINGS)
        if not citations:
            self._refuse(candidate, "it was only quoted or read, not said")
            return
        seen = replace(candidate, citations=citations)
        found = self._recognition.fact_of(seen)
        if found is not None:
            self._take_again(self._facts[found], seen)
        elif self._recognition.is_forgotten(seen, words_digest(seen.content)):
            self._refuse(seen, "it was forgotten on purpose")
        else:
            self._take_new(seen)

    def _take_again(self, fact: MemoryFact, candidate: Candidate) -> None:
        united = _united(fact, candidate, now=self._now)
        if _own_turns(candidate.citations) - _turns(fact.citations):
            self._heard_again.add(fact.id)
            if fact.status is FactStatus.INACTIVE and self._is_newer_than_winner(candidate, fact):
                united = replace(united, status=FactStatus.ACTIVE, superseded_by=None)
        self._facts[fact.id] = united
        self._retire_for(united, candidate)

    def _is_newer_than_winner(self, candidate: Candidate, fact: MemoryFact) -> bool:
        """Whether a retired fact is said again after what replaced it was said."""
        winner = self._facts.get(fact.superseded_by or "")
        return winner is not None and self._said_at(candidate) > last_said(winner)

    def _said_at(self, candidate: Candidate) -> float:
        """When a candidate was said, in milliseconds; what has no time was said by now."""
        times = [citation.at.timestamp() * 1000 for citation in candidate.citations if citation.at]
        return max(times, default=self._now)

    def _take_new(self, candidate: Candidate) -> None:
        fact = _first(candidate, now=self._now)
        if not candidate.explicit and self._per_session[fact.source_session_id] >= SESSION_QUOTA:
            self._refuse(candidate, f"its session brought {SESSION_QUOTA} new facts already")
            return
        self._per_session[fact.source_session_id] += 1
        if self._recognition.has_forgotten_words(fact.id, words_digest(fact.content)):
            self._revived.add(fact.id)
        self._facts[fact.id] = fact
        self._recognition.learn(fact)
        self._retire_for(fact, candidate)

    def _retire_for(self, fact: MemoryFact, candidate: Candidate) -> None:
        """Retire what the person's newer words replace, unless that was said later."""
        if not _own_turns(candidate.citations) or fact.status is not FactStatus.ACTIVE:
            return
        said, is_change = self._said_at(candidate), UPDATE in candidate.tags
        for other in list(self._facts.values()):
            is_rival = other.id != fact.id and other.status is FactStatus.ACTIVE and other.scope is fact.scope
            if not is_rival or last_said(other) > said:
                continue
            if replaces(candidate.content, other.content, is_change=is_change):
                self._facts[other.id] = replace(other, status=FactStatus.INACTIVE, superseded_by=fact.id)

    def _refuse(self, candidate: Candidate, why: str) -> None:
        content = candidate.content if len(candidate.content) <= 80 else candidate.content[:79] + "…"
        self._refused.append(Skipped(what=f"“{content}”", why=why))

    def result(self, decisions: Sequence[Decision]) -> Acceptance:
        """Sum up what changed."""
        changed = [fact for key, fact in self._facts.items() if fact != self._before.get(key)]
        added = [fact for fact in changed if fact.id not in self._before or _is_only_shared(self._before[fact.id])]
        others = [fact for fact in changed if fact not in added]
        retired = [fact for fact in others if _is_retired(fact, self._before[fact.id])]
        fresh = [fact for fact in changed if fact.status is FactStatus.ACTIVE and fact not in retired]
        return Acceptance(
            added=tuple(added),
            revived=tuple(fact for fact in added if fact.id in self._revived),
            updated=tuple(fact for fact in others if fact not in retired),
            retired=tuple(retired),
            contradictions=find_contradictions(fresh, list(self._facts.values())),
            lifted=tuple(_lifted(decisions, self._heard_again)),
            refused=tuple(self._refused),
        )


def _is_retired(fact: MemoryFact, before: MemoryFact) -> bool:
    return fact.status is FactStatus.INACTIVE and before.status is FactStatus.ACTIVE


def _is_only_shared(fact: MemoryFact) -> bool:
    """Whether so far only the team's file had it, so that this person's profile must take it in."""
    return all(citation.trust is Trust.SHARED for citation in fact.citations)


def _lifted(decisions: Iterable[Decision], heard_again: Iterable[str]) -> Iterable[Decision]:
    again = set(heard_again)
    for decision in decisions:
        if decision.fact_id in again and decision.status is SuggestionStatus.DISMISSED:
            yield replace(decision, status=SuggestionStatus.PENDING)


def _first(candidate: Candidate, *, now: int) -> MemoryFact:
    """Return the fact that a candidate becomes."""
    citations = _earliest_first(candidate.citations)
    return MemoryFact(
        id=fact_id(candidate.scope, candidate.content),
        content=candidate.content,
        reason=candidate.reason,
        kind=candidate.kind,
        scope=candidate.scope,
        confidence=_confidence(candidate.confidence, citations),
        citations=citations,
        timestamp=_time_of(citations, now),
        source_session_id=session_hash(citations[0].session_id),
        tags=tuple(tag for tag in candidate.tags if tag != UPDATE),  # which concerns the old facts, not this one
    )


def _united(fact: MemoryFact, candidate: Candidate, *, now: int) -> MemoryFact:
    """Return a fact with a candidate's evidence: words stay, the earliest citation comes first."""
    before = tuple(citation for citation in fact.citations if citation.trust is not Trust.SHARED)
    own = _trusted_since(before, candidate.citations)
    keys = {citation.evidence_key for citation in own}
    fresh = tuple(citation for citation in candidate.citations if citation.evidence_key not in keys)
    if not fresh and own == before:
        return fact
    citations = _earliest_first((*own, *fresh))
    sessions = len(_typed_sessions(citations)) - len(_typed_sessions(own))
    confidence = max(fact.confidence, _confidence(candidate.confidence, candidate.citations))
    is_owned = bool(_own_turns(candidate.citations)) and all(one.trust in _OTHERS for one in before)
    return replace(
        fact,
        content=candidate.content if is_owned and before else fact.content,  # theirs, now that they said it
        citations=citations,
        confidence=_raised(confidence, sessions if own else 0),
        timestamp=min(fact.timestamp, _time_of(citations, now)),
        source_session_id=session_hash(citations[0].session_id),
        tags=tuple(tag for tag in fact.tags if tag != WIDE),  # said as such now, it is a proposal no more
    )


def _trusted_since(known: tuple[Citation, ...], now: Sequence[Citation]) -> tuple[Citation, ...]:
    """Return known evidence, with what was only claimed as it is now: the person has trusted its transcript since."""
    typed = {citation.evidence_key: citation for citation in now if citation.trust is Trust.TYPED}
    return tuple(
        typed.get(citation.evidence_key, citation) if citation.trust is Trust.CLAIMED else citation
        for citation in known
    )


def _confidence(confidence: float, citations: Sequence[Citation]) -> float:
    """Cap a confidence by who said it, and raise it for every further session in which the person did."""
    ceiling = max(_CEILINGS.get(citation.trust, 0.0) for citation in citations)
    return _raised(min(confidence, ceiling), len(_typed_sessions(citations)) - 1)


def _raised(confidence: float, sessions: int) -> float:
    raised = 1 - (1 - confidence) * (1 - _SESSION_GAIN) ** max(0, sessions)
    return round(max(confidence, min(raised, _CEILING)), 3)


def _typed_sessions(citations: Iterable[Citation]) -> set[str]:
    return {citation.session_id for citation in citations if citation.trust is Trust.TYPED}


def _own_turns(citations: Iterable[Citation]) -> set[tuple[str, int]]:
    """Return where the person said it in their own words; another cut of the same words is nothing new."""
    return _turns(one for one in citations if one.trust in (Trust.TYPED, Trust.CONFIRMED))


def _turns(citations: Iterable[Citation]) -> set[tuple[str, int]]:
    return {(shared_name(citation), citation.turn) for citation in citations}


def _earliest_first(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """Sort by time; those without a time keep their order, behind."""
    return tuple(sorted(citations, key=lambda one: one.at.timestamp() if one.at else float("inf")))


def _time_of(citations: Iterable[Citation], now: int) -> int:
    times = [int(citation.at.timestamp() * 1000) for citation in citations if citation.at]
    return min(times, default=now)
