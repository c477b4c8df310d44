"""Facts that become one, or get another wording: what that makes of the stores, and the way back. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from math import inf

from memsuggest.core.model import Decision, MemoryFact, Tombstone, Trust
from memsuggest.facts.accept import forgetting, words_digest
from memsuggest.facts.entries import DECIDED
from memsuggest.judging.model_reports import Merge


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A change of the stores, as values."""

    gone: tuple[Tombstone, ...] = ()
    facts: tuple[MemoryFact, ...] = ()  # facts that stay, as they are from then on
    decisions: tuple[Decision, ...] = ()  # all that is decided about `facts` from then on


def revision_of(
    merges: Iterable[Merge], *, decisions: Iterable[Decision], reworded: Iterable[MemoryFact] = ()
) -> Revision:
    """Return what merges come to: evidence and decisions of what goes pass to the fact that stays.

    `reworded` are facts that stay with another wording.
    """
    kept = {fact.id: fact for fact in reworded}
    gone: list[Tombstone] = []
    for merge in merges:
        fact, heir = merge.fact, merge.because
        # Of a merged fact its words are known again, of a replaced one its evidence (see `Recognition`).
        if merge.is_replacement:
            gone.append(replace(forgetting(fact), words="", into=heir.id))
        else:
            gone.append(Tombstone(fact_id=fact.id, words=words_digest(fact.content), into=heir.id))
            kept[heir.id] = _united(kept.get(heir.id, heir), fact)
    heirs = {tombstone.fact_id: tombstone.into for tombstone in gone if tombstone.words}
    decided: dict[tuple[str, str | None], Decision] = {}
    for decision in decisions:  # of two about one thing, the stronger one
        name = heirs.get(decision.fact_id, decision.fact_id)
        known = decided.get((name, decision.target))
        if name in kept and (known is None or DECIDED.index(decision.status) < DECIDED.index(known.status)):
            decided[name, decision.target] = replace(decision, fact_id=name)
    return Revision(gone=tuple(gone), facts=tuple(kept.values()), decisions=tuple(decided.values()))


def _united(heir: MemoryFact, gone: MemoryFact) -> MemoryFact:
    """Return a fact with the evidence of another that says the same; the earliest comes first."""
    known = {citation.evidence_key for citation in heir.citations}
    more = [item for item in gone.citations if item.trust is not Trust.SHARED and item.evidence_key not in known]
    citations = sorted((*heir.citations, *more), key=lambda item: item.at.timestamp() if item.at else inf)
    is_first = bool(more) and gone.timestamp < heir.timestamp
    return replace(
        heir,
        citations=tuple(citations),
        reason=heir.reason or gone.reason,
        confidence=max(heir.confidence, gone.confidence),
        timestamp=min(heir.timestamp, gone.timestamp),
        source_session_id=gone.source_session_id if is_first else heir.source_session_id,
        tags=tuple(dict.fromkeys((*heir.tags, *gone.tags))),
        paths=tuple(dict.fromkeys((*heir.paths, *gone.paths))),
    )


def restored(now: MemoryFact, *, after: MemoryFact, before: MemoryFact) -> MemoryFact:
    """Return a fact as it was before a change; what else changed in it since stays."""
    names = [field.name for field in fields(MemoryFact)]
    values = {name: getattr(before if getattr(now, name) == getattr(after, name) else now, name) for name in names}
    known = {citation.evidence_key for citation in (*after.citations, *before.citations)}
    since = (citation for citation in now.citations if citation.evidence_key not in known)
    return MemoryFact(**values | {"citations": (*before.citations, *since)})


def restored_decisions(
    now: Iterable[Decision], *, after: Iterable[Decision], before: Iterable[Decision]
) -> list[Decision]:
    """Return what was decided before a change, and what else was decided since."""
    changed = set(after)
    return list(dict.fromkeys((*before, *(decision for decision in now if decision not in changed))))
