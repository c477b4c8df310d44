"""From candidates to facts: which are new, which are known already, which may not come back, which retire others.

Pure. Identity comes first: a candidate whose evidence belongs to a known or forgotten fact *is* that fact, however it
is worded now. So reading the same chats again changes nothing, what was forgotten stays forgotten, and what was
dismissed stays dismissed until the person says it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memsuggest.core.identity import hash_of, normalised
from memsuggest.core.model import (
    AGAIN,
    UPDATE,
    Candidate,
    Contradiction,
    Decision,
    FactStatus,
    MemoryFact,
    Outcome,
    Skipped,
    SuggestionStatus,
    Tombstone,
    Trust,
    is_maybe,
)
from memsuggest.core.text.likeness import opposed
from memsuggest.facts.contradictions import find_contradictions, last_said
from memsuggest.facts.recognition import Recognition
from memsuggest.facts.unite_candidate import CEILINGS, fact_from, of_same_sessions, own_turns, turns_of, united

SESSION_QUOTA = 40
"""New facts that one session may bring, directives apart: a flood must not push out what people taught (T6).

As many maybes may come beside them.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The outcome for some candidates; nothing in it is stored yet."""

    added: tuple[MemoryFact, ...] = ()
    """New to this person: to be added with their evidence. A fact that so far only the team had is one of them."""
    updated: tuple[MemoryFact, ...] = ()
    """Known before, with more evidence or in force again."""
    raised: tuple[MemoryFact, ...] = ()
    """Those of `updated` that were maybes so far, and are to be suggested now."""
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
    now: int,
) -> Acceptance:
    """Say what the candidates change; `now` (milliseconds) dates evidence that has no time of its own."""
    decided = tuple(decisions)
    intake = _Intake(known, tombstones, decided, now=now)
    for candidate in candidates:
        intake.take(candidate)
    return intake.result(decided)


def forgetting(fact: MemoryFact) -> Tombstone:
    """Return the tombstone under which neither the fact, nor its words, nor its evidence come back."""
    evidence = tuple(
        citation.evidence_key for citation in fact.citations if citation.trust not in (Trust.SHARED, Trust.QUOTED)
    )
    return Tombstone(fact_id=fact.id, words=words_digest(fact.content), evidence=evidence)


def words_digest(content: str) -> str:
    return hash_of("words", normalised(content))


class _Intake:
    """The facts as they are while candidates are taken in, one after the other."""

    def __init__(
        self,
        known: Sequence[MemoryFact],
        tombstones: Iterable[Tombstone],
        decisions: Iterable[Decision],
        *,
        now: int,
    ) -> None:
        self._before = {fact.id: fact for fact in known}
        self._facts = dict(self._before)
        self._recognition = Recognition(known, tombstones)
        self._now = now
        self._refused: list[Skipped] = []
        self._dismissed = {
            decision.fact_id
            for decision in decisions
            if decision.status is SuggestionStatus.DISMISSED and decision.target is None
        }
        self._per_session = Counter((fact.source_session_id, is_maybe(fact)) for fact in known)
        self._heard_again: set[str] = set()
        self._revived: set[str] = set()

    def take(self, candidate: Candidate) -> None:
        """Take in one candidate: as evidence of a fact, as a new fact, or not at all."""
        if not any(citation.trust in CEILINGS for citation in candidate.citations):
            self._refuse(candidate, "you did not say it: it was only quoted or read")
            return
        is_noted = any(citation.is_note for citation in candidate.citations)  # what led to a note is shown beside it
        citations = tuple(one for one in candidate.citations if one.trust in CEILINGS or is_noted)
        seen = replace(candidate, citations=citations)
        if _is_weak(seen) and all(citation.trust is Trust.CLAIMED for citation in citations):
            return  # nobody knows who said it, and it hardly says anything
        if is_maybe(seen):
            seen = replace(seen, explicit=False)  # an order in words that are perhaps pasted is none
        found = self._recognition.fact_of(seen)
        if found is not None:
            self._take_again(self._facts[found], seen)
        elif self._recognition.is_forgotten(seen, words_digest(seen.content)):
            self._refuse(seen, "you had forgotten it on purpose")
        else:
            self._take_new(seen)

    def _take_again(self, fact: MemoryFact, candidate: Candidate) -> None:
        """Take it as evidence of a fact; a mere maybe ends no dismissal, and brings nothing back that was replaced.

        But for one that says itself that it was said before: no model is needed to hear that the person means it.
        """
        is_weak = is_maybe(candidate) and AGAIN not in candidate.tags
        if is_weak and fact.id in self._dismissed:
            return
        after = united(fact, candidate, now=self._now)
        if is_maybe(fact) and not is_maybe(after):
            self._recognition.raise_maybe(fact.id)
        if not is_weak and own_turns(candidate.citations) - turns_of(of_same_sessions(fact, candidate)):
            self._heard_again.add(fact.id)
            if fact.status is FactStatus.INACTIVE and self._is_newer_than_winner(candidate, fact):
                after = replace(after, status=FactStatus.ACTIVE, superseded_by=None)
        self._facts[fact.id] = after
        self._retire_for(after, candidate)

    def _is_newer_than_winner(self, candidate: Candidate, fact: MemoryFact) -> bool:
        winner = self._facts.get(fact.superseded_by or "")
        return winner is not None and self._said_at(candidate) > last_said(winner)

    def _said_at(self, candidate: Candidate) -> float:
        """Return the time at which a candidate was said, in milliseconds; what has no time was said by now."""
        times = [citation.at.timestamp() * 1000 for citation in candidate.citations if citation.at]
        return max(times, default=self._now)

    def _take_new(self, candidate: Candidate) -> None:
        fact = fact_from(candidate, now=self._now)
        session = (fact.source_session_id, is_maybe(fact))
        if not candidate.explicit and self._per_session[session] >= SESSION_QUOTA:
            self._refuse(candidate, f"its chat already added {SESSION_QUOTA} new facts, the limit per chat")
            return
        self._per_session[session] += 1
        if self._recognition.has_forgotten_words(fact.id, words_digest(fact.content)):
            self._revived.add(fact.id)
        self._facts[fact.id] = fact
        self._recognition.learn(fact)
        self._retire_for(fact, candidate)

    def _retire_for(self, fact: MemoryFact, candidate: Candidate) -> None:
        """Retire what the person's newer words are the opposite of, where they say that something changes."""
        if not own_turns(candidate.citations) or fact.status is not FactStatus.ACTIVE or UPDATE not in candidate.tags:
            return
        said = self._said_at(candidate)
        for other in list(self._facts.values()):
            is_rival = other.id != fact.id and other.status is FactStatus.ACTIVE and other.scope is fact.scope
            is_rival = is_rival and (is_maybe(other) or not is_maybe(candidate))
            if is_rival and last_said(other) <= said and opposed(candidate.content, other.content):
                self._facts[other.id] = replace(other, status=FactStatus.INACTIVE, superseded_by=fact.id)

    def _refuse(self, candidate: Candidate, why: str) -> None:
        if is_maybe(candidate):
            return
        content = candidate.content if len(candidate.content) <= 80 else candidate.content[:79] + "…"
        self._refused.append(Skipped(what=f"“{content}”", why=why))

    def result(self, decisions: Sequence[Decision]) -> Acceptance:
        """Sum up what changed."""
        changed = [fact for key, fact in self._facts.items() if fact != self._before.get(key)]
        added = [fact for fact in changed if fact.id not in self._before or _is_only_shared(self._before[fact.id])]
        new = {fact.id for fact in added}
        others = [fact for fact in changed if fact.id not in new]
        retired = [fact for fact in others if _is_retired(fact, self._before[fact.id])]
        certain = [fact for fact in self._facts.values() if not is_maybe(fact)]
        fresh = [fact for fact in changed if fact.status is FactStatus.ACTIVE and not is_maybe(fact)]
        updated = tuple(fact for fact in others if fact not in retired)
        return Acceptance(
            added=tuple(added),
            revived=tuple(fact for fact in added if fact.id in self._revived),
            updated=updated,
            raised=tuple(fact for fact in updated if is_maybe(self._before[fact.id]) and not is_maybe(fact)),
            retired=tuple(retired),
            contradictions=find_contradictions(fresh, certain),
            lifted=tuple(_lifted(decisions, self._heard_again)),
            refused=tuple(self._refused),
        )


def _is_weak(candidate: Candidate) -> bool:
    return candidate.outcome is Outcome.MAYBE


def _is_retired(fact: MemoryFact, before: MemoryFact) -> bool:
    return fact.status is FactStatus.INACTIVE and before.status is FactStatus.ACTIVE


def _is_only_shared(fact: MemoryFact) -> bool:
    """Tell whether so far only the team's file had it, so that this person's profile must take it in."""
    return all(citation.trust is Trust.SHARED for citation in fact.citations)


def _lifted(decisions: Iterable[Decision], heard_again: Iterable[str]) -> Iterable[Decision]:
    again = set(heard_again)
    for decision in decisions:
        if decision.fact_id in again and decision.status is SuggestionStatus.DISMISSED:
            yield replace(decision, status=SuggestionStatus.PENDING)
