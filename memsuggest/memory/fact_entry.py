"""Facts as entries of the knowledge layer. Pure."""

from __future__ import annotations

from memsuggest.core.model import FactStatus, Kind, MemoryFact, Outcome, Scope, Trust
from memsuggest.memory.entry import EVERYWHERE, Entry, Layer, Source

_ARCHIVED = "archive"  # the tag of a fact that tells of a task (`task: …`): what was done, not what is known
_OWN = frozenset({Trust.TYPED, Trust.CONFIRMED})


def fact_entry(fact: MemoryFact, *, project: str) -> Entry | None:
    """Return the entry for a fact; None for what is never recalled: corrected, not sure, or nobody's word."""
    source = _source(fact)
    if source is None or fact.status is not FactStatus.ACTIVE or fact.outcome is not Outcome.SUGGEST:
        return None
    times = [round(citation.at.timestamp() * 1000) for citation in fact.citations if citation.at]
    return Entry(
        id=fact.id,
        layer=Layer.ARCHIVE if _ARCHIVED in fact.tags else Layer.KNOWLEDGE,
        content=fact.content,
        source=source,
        created_at=fact.timestamp,
        updated_at=max([fact.timestamp, *times]),
        project=project if fact.scope is Scope.WORKSPACE else EVERYWHERE,
        tags=(fact.kind.value, *fact.tags),
        session=fact.source_session_id,
        is_correction=fact.kind is Kind.CORRECTION,
    )


def _source(fact: MemoryFact) -> Source | None:
    trusts = {citation.trust for citation in fact.citations}
    if trusts & _OWN:
        return Source.USER
    return Source.AGENT if Trust.AGENT in trusts else None
