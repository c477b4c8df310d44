"""From candidates to facts: which are new, which are known already, which may not come back, which retire others.

Pure. Identity comes first: a candidate whose evidence belongs to a known or forgotten fact *is* that fact, however it
is worded now. So reading the same chats again changes nothing, what was forgotten stays forgotten, and what was
dismissed stays dismissed until the person says it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memsuggest.core.identity import fact_id, hash_of, normalised, session_hash
from memsuggest.core.model import (
    AGAIN,
    SUGGEST_FROM,
    UPDATE,
    Candidate,
    Citation,
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
from memsuggest.core.text.likeness import likeness, opposed
from memsuggest.facts.contradictions import KnownFacts, last_said
from memsuggest.facts.entries import shared_name

# What others wrote waits for the person's decision, below the usual threshold.
CEILINGS = {
    Trust.TYPED: 1.0,
    Trust.CONFIRMED: 0.75,
    Trust.SHARED: 0.75,
    Trust.DOUBTFUL: 0.55,
    Trust.AGENT: 0.5,
    Trust.CLAIMED: 0.5,
}
_OTHERS = (Trust.AGENT, Trust.CLAIMED, Trust.QUOTED)
_NOTED = 0.7  # what an assistant noted was judged once; it is suggested, and needs the person's own yes
_SESSION_GAIN, _CEILING = 0.2, 0.97  # of what is missing to certainty, for every further session; and no more


def fact_from(candidate: Candidate, *, now: int) -> MemoryFact:
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
        tags=tuple(tag for tag in candidate.tags if tag not in (AGAIN, UPDATE)),  # of other facts
    )


def united(fact: MemoryFact, candidate: Candidate, *, now: int) -> MemoryFact:
    """Return a fact with a candidate's evidence: words stay, the earliest citation comes first."""
    before = tuple(citation for citation in fact.citations if citation.trust is not Trust.SHARED)
    # What was doubtful or claimed is typed, where its session now turns out to be the person's.
    typed = {citation.evidence_key: citation for citation in candidate.citations if citation.trust is Trust.TYPED}
    sessions = {citation.session_id for citation in typed.values()}
    own = tuple(
        typed.get(item.evidence_key, item)
        if item.session_id in sessions and item.trust in (Trust.CLAIMED, Trust.DOUBTFUL)
        else item
        for item in before
    )
    keys = {citation.evidence_key for citation in of_same_sessions(fact, candidate)}
    fresh = tuple(citation for citation in candidate.citations if citation.evidence_key not in keys)
    is_sure = _confidence(candidate.confidence, candidate.citations) >= SUGGEST_FROM and not is_maybe(candidate)
    is_raised = is_maybe(fact) and is_sure and _is_said(candidate)
    if not fresh and own == before and not is_raised:
        return fact
    citations = _earliest_first((*own, *fresh))
    confidence = fact.confidence
    if _is_said(candidate) or not own_turns(before):  # what others wrote makes nobody's own words surer
        confidence = max(confidence, _confidence(candidate.confidence, candidate.citations))
    if own and SUGGEST_FROM <= confidence < _CEILING:
        confidence = _raised(confidence, len(_typed_sessions(citations)) - len(_typed_sessions(own)))
    is_owned = bool(own_turns(candidate.citations)) and all(citation.trust in _OTHERS for citation in before)
    is_reworded = is_raised or (is_owned and bool(before))  # theirs, now that they said it, or said it clearly
    return replace(
        fact,
        content=candidate.content if is_reworded else fact.content,
        reason=candidate.reason or fact.reason if is_raised else fact.reason,
        kind=candidate.kind if is_raised else fact.kind,
        citations=citations,
        confidence=confidence,
        timestamp=min(fact.timestamp, _time_of(citations, now)),
        source_session_id=session_hash(citations[0].session_id),
    )


def of_same_sessions(fact: MemoryFact, candidate: Candidate) -> list[Citation]:
    """Return the evidence of a fact that is from where a candidate was said: of thousands, the few to compare."""
    names = {citation.session_id for citation in candidate.citations}
    names |= {session_hash(name) for name in names}  # as the shared file calls them
    return [citation for citation in fact.citations if citation.session_id in names]


def _is_said(candidate: Candidate) -> bool:
    return not all(citation.trust in _OTHERS for citation in candidate.citations)


def _confidence(confidence: float, citations: Sequence[Citation]) -> float:
    ceiling = max(_NOTED if citation.is_note else CEILINGS.get(citation.trust, 0.0) for citation in citations)
    return _raised(min(confidence, ceiling), len(_typed_sessions(citations)) - 1)


def _raised(confidence: float, sessions: int) -> float:
    """Raise a confidence for further sessions; a maybe is none the surer for being said again."""
    if confidence < SUGGEST_FROM:
        return confidence
    raised = 1 - (1 - confidence) * (1 - _SESSION_GAIN) ** max(0, sessions)
    return round(max(confidence, min(raised, _CEILING)), 3)


def _typed_sessions(citations: Iterable[Citation]) -> set[str]:
    return sessions_of(citation for citation in citations if citation.trust is Trust.TYPED)


def own_turns(citations: Iterable[Citation]) -> set[tuple[str, int]]:
    return turns_of(citation for citation in citations if citation.trust in (Trust.TYPED, Trust.CONFIRMED))


def turns_of(citations: Iterable[Citation]) -> set[tuple[str, int]]:
    """Return where something was said: the session, as it is called in the shared file, and the turn."""
    return {(shared_name(citation), citation.turn) for citation in citations}


def _earliest_first(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    return tuple(sorted(citations, key=lambda item: item.at.timestamp() if item.at else float("inf")))


def _time_of(citations: Iterable[Citation], now: int) -> int:
    times = [int(citation.at.timestamp() * 1000) for citation in citations if citation.at]
    return min(times, default=now)


def sessions_of(citations: Iterable[Citation]) -> set[str]:
    """Return the sessions; the same words of the same moment in two of them are a copy, and count once."""
    first: dict[tuple[object, str], str] = {}
    found: set[str] = set()
    for citation in citations:
        moment = (citation.at or citation.session_id, normalised(citation.quote))
        found.add(first.setdefault(moment, citation.session_id))
    return found


def times_said(fact: MemoryFact) -> int:
    """Return how often it was said, in one session or in several."""
    return len({(citation.session_id, citation.turn) for citation in fact.citations})


_NO_EVIDENCE = (Trust.SHARED, Trust.QUOTED)


class Recognition:
    """Tells which known fact a candidate is, and whether it was forgotten."""

    def __init__(self, known: Sequence[MemoryFact], tombstones: Iterable[Tombstone]) -> None:
        self._known = known
        self._by_words = KnownFacts(known)
        self.maybes = {fact.id: fact.citations for fact in known if is_maybe(fact)}
        self._contents = {fact.id: fact.content for fact in known}
        self._by_evidence: dict[str, dict[str, set[str]]] = {}  # for each session that was asked about
        tombstones = tuple(tombstones)
        gone = [tombstone for tombstone in tombstones if tombstone.fact_id not in self._contents]
        meant = [tombstone for tombstone in tombstones if not tombstone.into]
        self._forgotten_ids = {tombstone.fact_id for tombstone in gone if not tombstone.into}
        self._forgotten_words = {tombstone.words for tombstone in meant if tombstone.words}
        self._forgotten_evidence = {key for tombstone in tombstones for key in tombstone.evidence}
        self._merged_into = {item.fact_id: item.into for item in gone if item.into and item.words}

    def learn(self, fact: MemoryFact) -> None:
        """Know a new fact by its id and words: another candidate of the same utterance may be another fact."""
        self._contents[fact.id] = fact.content
        self._by_words.add(fact)

    def fact_of(self, candidate: Candidate) -> str | None:
        """Return the id of the known fact that a candidate is; None for one not known."""
        exact = self._heir_of(fact_id(candidate.scope, candidate.content))
        if exact in self._contents:
            return exact
        cited: set[str] = set()
        for citation in candidate.citations:  # a key is made of the evidence of its session alone
            cited |= self._of_session(citation.session_id).get(citation.evidence_key, set())
        if candidate.outcome is Outcome.SUGGEST:
            pairs = (
                (name, normalised(citation.quote), normalised(other.quote))
                for name, citations in self.maybes.items()
                for citation in citations
                for other in candidate.citations
                if (citation.session_id, citation.turn) == (other.session_id, other.turn)
            )
            cited -= self.maybes.keys()
            cited = cited or {name for name, mine, its in pairs if mine and its and (mine in its or its in mine)}
        if cited and not self._has_forgotten_evidence(candidate):
            return max(sorted(cited), key=lambda key: likeness(self._contents[key], candidate.content))
        same = self._by_words.same_as(candidate.content, candidate.scope)
        return None if same is None else same.id

    def _of_session(self, session: str) -> dict[str, set[str]]:
        """Return the facts that rest on words of a session, by the keys of their evidence."""
        if session not in self._by_evidence:
            found = self._by_evidence[session] = {}
            for fact in self._known:
                for citation in fact.citations:
                    if citation.session_id == session and citation.trust not in _NO_EVIDENCE:
                        found.setdefault(citation.evidence_key, set()).add(fact.id)
        return self._by_evidence[session]

    def is_forgotten(self, candidate: Candidate, words: str) -> bool:
        """Tell whether a candidate is a forgotten fact, or made of its words; what the person asks for anew is not."""
        if self._has_forgotten_evidence(candidate):
            return True
        identity = self._heir_of(fact_id(candidate.scope, candidate.content))
        return self.has_forgotten_words(identity, words) and not candidate.explicit

    def has_forgotten_words(self, identity: str, words: str) -> bool:
        return identity in self._forgotten_ids or words in self._forgotten_words

    def _heir_of(self, identity: str) -> str:
        seen: set[str] = set()
        while identity in self._merged_into and identity not in seen:
            seen.add(identity)
            identity = self._merged_into[identity]
        return identity

    def _has_forgotten_evidence(self, candidate: Candidate) -> bool:
        return any(citation.evidence_key in self._forgotten_evidence for citation in candidate.citations)


def recognised(candidate: Candidate, known: Sequence[MemoryFact], tombstones: Iterable[Tombstone]) -> MemoryFact | None:
    """Return the known fact that a statement by hand is; that one was forgotten does not count beside it."""
    merged = (replace(tombstone, evidence=()) for tombstone in tombstones if tombstone.into)
    name = Recognition(known, merged).fact_of(candidate)
    return next((fact for fact in known if fact.id == name), None)


SESSION_QUOTA = 40
"""New facts that one session may bring, directives apart, and as many maybes: a flood must not push out others (T6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The outcome for some candidates; nothing in it is stored yet."""

    added: tuple[MemoryFact, ...] = ()
    """New to this person: to be added with their evidence. A fact that so far only the team had is one of them."""
    updated: tuple[MemoryFact, ...] = ()  # known before, with more evidence or in force again
    raised: tuple[MemoryFact, ...] = ()
    """Those of `updated` that were maybes so far, and are to be suggested now."""
    retired: tuple[MemoryFact, ...] = ()  # known before, and replaced by what the person said since
    revived: tuple[MemoryFact, ...] = ()
    """Those of `added` that had been forgotten: each store that has a tombstone of one must `add` it."""
    lifted: tuple[Decision, ...] = ()  # dismissals that new evidence ends, as `pending` decisions
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
    intake = _Intake(known, tombstones, decisions, now)
    for candidate in candidates:
        intake.take(candidate)
    return intake.result()


def forgetting(fact: MemoryFact) -> Tombstone:
    """Return the tombstone under which neither the fact, nor its words, nor its evidence come back."""
    evidence = tuple(citation.evidence_key for citation in fact.citations if citation.trust not in _NO_EVIDENCE)
    return Tombstone(fact_id=fact.id, words=words_digest(fact.content), evidence=evidence)


def words_digest(content: str) -> str:
    return hash_of("words", normalised(content))


class _Intake:
    """The facts as they are while candidates are taken in, one after the other."""

    def __init__(
        self, known: Sequence[MemoryFact], tombstones: Iterable[Tombstone], decisions: Iterable[Decision], now: int
    ) -> None:
        self._before = {fact.id: fact for fact in known}
        self._facts = dict(self._before)
        self._recognition = Recognition(known, tombstones)
        self._now = now
        self._refused: list[Skipped] = []
        self._dismissals = [item for item in decisions if item.status is SuggestionStatus.DISMISSED]
        self._dismissed = {item.fact_id for item in self._dismissals if item.target is None}
        self._per_session = Counter((fact.source_session_id, is_maybe(fact)) for fact in known)
        self._heard_again: set[str] = set()
        self._revived: set[str] = set()

    def take(self, candidate: Candidate) -> None:
        """Take in one candidate: as evidence of a fact, as a new fact, or not at all."""
        if not any(citation.trust in CEILINGS for citation in candidate.citations):
            self._refuse(candidate, "not your own statement; the text was only quoted or read")
            return
        is_noted = any(citation.is_note for citation in candidate.citations)  # what led to a note is shown beside it
        citations = tuple(item for item in candidate.citations if item.trust in CEILINGS or is_noted)
        seen = replace(candidate, citations=citations)
        if seen.outcome is Outcome.MAYBE and all(citation.trust is Trust.CLAIMED for citation in citations):
            return  # nobody knows who said it, and it hardly says anything
        if is_maybe(seen):
            seen = replace(seen, explicit=False)  # an order in words that are perhaps pasted is none
        found = self._recognition.fact_of(seen)
        if found is not None:
            self._take_again(self._facts[found], seen)
            return
        words = words_digest(seen.content)
        if self._recognition.is_forgotten(seen, words):
            self._refuse(seen, "you asked memsuggest to forget this fact")
            return
        fact = fact_from(seen, now=self._now)
        session = (fact.source_session_id, is_maybe(fact))
        if not seen.explicit and self._per_session[session] >= SESSION_QUOTA:
            self._refuse(seen, f"the limit of {SESSION_QUOTA} new facts per chat has been reached")
            return
        self._per_session[session] += 1
        if self._recognition.has_forgotten_words(fact.id, words):
            self._revived.add(fact.id)
        self._facts[fact.id] = fact
        self._recognition.learn(fact)
        self._retire_for(fact, seen)

    def _take_again(self, fact: MemoryFact, candidate: Candidate) -> None:
        """Take it as evidence of a fact; a mere maybe ends no dismissal, and brings nothing back that was replaced.

        But for one that says itself that it was said before: no model is needed to hear that the person means it.
        """
        is_weak = is_maybe(candidate) and AGAIN not in candidate.tags
        if is_weak and fact.id in self._dismissed:
            return
        after = united(fact, candidate, now=self._now)
        if is_maybe(fact) and not is_maybe(after):
            self._recognition.maybes.pop(fact.id, None)
        if not is_weak and own_turns(candidate.citations) - turns_of(of_same_sessions(fact, candidate)):
            self._heard_again.add(fact.id)
            winner = self._facts.get(fact.superseded_by or "")
            is_newer = winner is not None and self._said_at(candidate) > last_said(winner)
            if fact.status is FactStatus.INACTIVE and is_newer:
                after = replace(after, status=FactStatus.ACTIVE, superseded_by=None)
        self._facts[fact.id] = after
        self._retire_for(after, candidate)

    def _said_at(self, candidate: Candidate) -> float:
        """Return the time at which a candidate was said, in milliseconds; what has no time was said by now."""
        times = [citation.at.timestamp() * 1000 for citation in candidate.citations if citation.at]
        return max(times, default=self._now)

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

    def result(self) -> Acceptance:
        before = self._before
        changed = [fact for fact in self._facts.values() if fact != before.get(fact.id)]
        shared = {name for name, fact in before.items() if all(item.trust is Trust.SHARED for item in fact.citations)}
        added = [fact for fact in changed if fact.id not in before or fact.id in shared]
        updated, retired = list[MemoryFact](), list[MemoryFact]()
        for fact in (fact for fact in changed if fact.id in before and fact.id not in shared):
            is_retired = before[fact.id].status is FactStatus.ACTIVE and fact.status is FactStatus.INACTIVE
            (retired if is_retired else updated).append(fact)
        lifted = (item for item in self._dismissals if item.fact_id in self._heard_again)
        return Acceptance(
            added=tuple(added),
            revived=tuple(fact for fact in added if fact.id in self._revived),
            updated=tuple(updated),
            raised=tuple(fact for fact in updated if is_maybe(before[fact.id]) and not is_maybe(fact)),
            retired=tuple(retired),
            lifted=tuple(replace(decision, status=SuggestionStatus.PENDING) for decision in lifted),
            refused=tuple(self._refused),
        )
