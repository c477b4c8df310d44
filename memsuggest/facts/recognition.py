"""Knowing a fact again: by its evidence, by its id, by words that say the same. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from memsuggest.core.identity import fact_id, normalised
from memsuggest.core.model import Candidate, Citation, MemoryFact, Outcome, Tombstone, Trust, is_maybe
from memsuggest.core.text.likeness import likeness
from memsuggest.facts.contradictions import KnownFacts

_NO_EVIDENCE = (Trust.SHARED, Trust.QUOTED)


class Recognition:
    """Tells which known fact a candidate is, and whether it was forgotten."""

    def __init__(self, known: Sequence[MemoryFact], tombstones: Iterable[Tombstone]) -> None:
        self._contents: dict[str, str] = {}
        self._known = known
        self._by_words = KnownFacts(known)
        self._maybes = {fact.id: fact.citations for fact in known if is_maybe(fact)}
        self._contents |= {fact.id: fact.content for fact in known}
        self._by_evidence: dict[str, dict[str, set[str]]] = {}
        """The facts by the evidence of a session, for each session that was asked about."""
        stones = tuple(tombstones)
        meant = [stone for stone in stones if not stone.into]
        self._forgotten_ids = {stone.fact_id for stone in meant} - set(self._contents)
        self._forgotten_words = {stone.words for stone in meant if stone.words}
        self._forgotten_evidence = {key for stone in stones for key in stone.evidence}
        self._merged_into = {
            stone.fact_id: stone.into
            for stone in stones
            if stone.into and stone.words and stone.fact_id not in self._contents
        }

    def learn(self, fact: MemoryFact) -> None:
        """Know a new fact by its id and words: another candidate of the same utterance may be another fact."""
        self._contents[fact.id] = fact.content
        self._by_words.add(fact)

    def fact_of(self, candidate: Candidate) -> str | None:
        """Return the id of the known fact that a candidate is; None for one not known."""
        exact = self._heir_of(fact_id(candidate.scope, candidate.content))
        if exact in self._contents:
            return exact
        cited = {key for citation in candidate.citations for key in self._citing(citation)}
        if candidate.outcome is Outcome.SUGGEST:
            cited = (cited - self._maybes.keys()) or self._maybes_of_the_same_words(candidate)
        if cited and not self._has_forgotten_evidence(candidate):
            return max(sorted(cited), key=lambda key: likeness(self._contents[key], candidate.content))
        same = self._by_words.same_as(candidate.content, candidate.scope)
        return None if same is None else same.id

    def _citing(self, cited: Citation) -> Collection[str]:
        """Return the facts that rest on the same words; a key is made of the evidence of its session alone."""
        session = cited.session_id
        if session not in self._by_evidence:
            of_session = self._by_evidence[session] = {}
            for fact in self._known:
                for citation in fact.citations:
                    if citation.session_id == session and citation.trust not in _NO_EVIDENCE:
                        of_session.setdefault(citation.evidence_key, set()).add(fact.id)
        return self._by_evidence[session].get(cited.evidence_key, ())

    def raise_maybe(self, name: str) -> None:
        self._maybes.pop(name, None)

    def _maybes_of_the_same_words(self, candidate: Candidate) -> set[str]:
        return {
            name
            for name, citations in self._maybes.items()
            for citation in citations
            for other in candidate.citations
            if (citation.session_id, citation.turn) == (other.session_id, other.turn)
            and _is_cut_of_the_same(citation.quote, other.quote)
        }

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
    merged = (replace(stone, evidence=()) for stone in tombstones if stone.into)
    name = Recognition(known, merged).fact_of(candidate)
    return next((fact for fact in known if fact.id == name), None)


def _is_cut_of_the_same(one: str, other: str) -> bool:
    first, second = normalised(one), normalised(other)
    return bool(first and second) and (first in second or second in first)
