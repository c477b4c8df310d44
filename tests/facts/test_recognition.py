"""Knowing a fact again when another one has taken its place."""

from __future__ import annotations

from cases import cases

from memsuggest.core.model import Candidate, Citation, FactStatus, MemoryFact, Scope, Tombstone, fact_id
from memsuggest.facts.accept import accept, words_digest

CENTS, WHOLE = "Keep prices in cents.", "Amounts of money are whole numbers of the smallest coin."


def said(text: str, *, session: str) -> Citation:
    return Citation(session_id=session, turn=1, quote=text)


def candidate(text: str, *, session: str) -> Candidate:
    return Candidate(content=text, confidence=0.8, citations=(said(text, session=session),), found_by="test")


KEPT = MemoryFact(
    id=fact_id(Scope.WORKSPACE, CENTS),
    content=CENTS,
    confidence=0.8,
    citations=(said(CENTS, session="a"), said(WHOLE, session="b")),
    timestamp=1,
)
WHOLE_ID = fact_id(Scope.WORKSPACE, WHOLE)
MERGED = Tombstone(fact_id=WHOLE_ID, words=words_digest(WHOLE), into=KEPT.id)


def test_what_was_merged_is_the_other_fact() -> None:
    """Said in another session, a merged fact is evidence for the one it was merged into."""
    found = accept([candidate(WHOLE, session="c")], known=[KEPT], tombstones=[MERGED], now=2)
    assert not found.added
    assert [fact.id for fact in found.updated] == [KEPT.id]
    assert len(found.updated[0].citations) == 3


def test_reading_again_changes_nothing() -> None:
    """The chat that a merged fact came from brings nothing new."""
    found = accept([candidate(WHOLE, session="b")], known=[KEPT], tombstones=[MERGED], now=2)
    assert not (found.added or found.updated or found.refused)


def test_it_is_forgotten_with_the_other() -> None:
    """When the person forgets the fact that others were merged into, those stay away too."""
    tombstone = Tombstone(fact_id=KEPT.id, words=words_digest(CENTS), evidence=("x",))
    found = accept([candidate(WHOLE, session="c")], known=[], tombstones=[MERGED, tombstone], now=2)
    assert not found.added
    assert found.refused


def test_what_was_replaced_may_be_said_again() -> None:
    """A rule that another one replaced comes back when the person says it anew, but not from the old chat."""
    old = "We deploy with make."
    before = candidate(old, session="a")
    tombstone = Tombstone(
        fact_id=fact_id(Scope.WORKSPACE, old), evidence=(before.citations[0].evidence_key,), into=KEPT.id
    )
    assert not accept([before], known=[KEPT], tombstones=[tombstone], now=2).added
    (again,) = accept([candidate(old, session="z")], known=[KEPT], tombstones=[tombstone], now=2).added
    assert again.status is FactStatus.ACTIVE


@cases("into", [WHOLE_ID, "e" * 16])
def test_circles_end(into: str) -> None:
    """Tombstones that name each other, or nothing, do no harm."""
    tombstones = [
        Tombstone(fact_id=WHOLE_ID, words="w", into=into),
        Tombstone(fact_id="e" * 16, words="w", into=WHOLE_ID),
    ]
    found = accept([candidate(WHOLE, session="c")], known=[], tombstones=tombstones, now=2)
    assert len(found.added) == 1
