"""A candidate united with a fact, or made a new one: with its evidence, and how sure that is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memsuggest.core.identity import fact_id, normalised, session_hash
from memsuggest.core.model import AGAIN, SUGGEST_FROM, UPDATE, Candidate, Citation, MemoryFact, Trust, is_maybe
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
_NOTED = 0.7
"""What an assistant noted was judged once; it is suggested, and needs the person's own yes."""
_SESSION_GAIN = 0.2  # of what is missing to certainty, for every further session
_CEILING = 0.97


def fact_from(candidate: Candidate, *, now: int) -> MemoryFact:
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
        tags=tuple(tag for tag in candidate.tags if tag not in (AGAIN, UPDATE)),  # of other facts
    )


def united(fact: MemoryFact, candidate: Candidate, *, now: int) -> MemoryFact:
    """Return a fact with a candidate's evidence: words stay, the earliest citation comes first."""
    before = tuple(citation for citation in fact.citations if citation.trust is not Trust.SHARED)
    own = _trusted_since(before, candidate.citations)
    keys = {citation.evidence_key for citation in of_same_sessions(fact, candidate)}
    fresh = tuple(citation for citation in candidate.citations if citation.evidence_key not in keys)
    is_raised = is_maybe(fact) and _is_sure(candidate) and _is_said(candidate)
    if not fresh and own == before and not is_raised:
        return fact
    citations = _earliest_first((*own, *fresh))
    confidence = fact.confidence
    if _is_said(candidate) or not own_turns(before):  # what others wrote makes nobody's own words surer
        confidence = max(confidence, _confidence(candidate.confidence, candidate.citations))
    if own and SUGGEST_FROM <= confidence < _CEILING:
        confidence = _raised(confidence, len(_typed_sessions(citations)) - len(_typed_sessions(own)))
    is_owned = bool(own_turns(candidate.citations)) and all(one.trust in _OTHERS for one in before)
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


def _is_sure(candidate: Candidate) -> bool:
    return _confidence(candidate.confidence, candidate.citations) >= SUGGEST_FROM and not is_maybe(candidate)


def _trusted_since(known: tuple[Citation, ...], now: Sequence[Citation]) -> tuple[Citation, ...]:
    typed = {citation.evidence_key: citation for citation in now if citation.trust is Trust.TYPED}
    sessions = {citation.session_id for citation in typed.values()}
    unsure = (Trust.CLAIMED, Trust.DOUBTFUL)
    return tuple(
        typed.get(citation.evidence_key, citation)
        if citation.session_id in sessions and citation.trust in unsure
        else citation
        for citation in known
    )


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
    return tuple(sorted(citations, key=lambda one: one.at.timestamp() if one.at else float("inf")))


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
