"""Facts that are still to be suggested, and the files for which they were decided. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import FactStatus, SuggestionStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import Decision, MemoryFact


def is_open(fact: MemoryFact, decisions: Iterable[Decision], *, threshold: float) -> bool:
    """Tell whether a fact is to be suggested: in force, sure enough, and neither applied nor dismissed everywhere."""
    if fact.status is not FactStatus.ACTIVE or fact.confidence < threshold:
        return False
    return not any(
        decision.fact_id == fact.id and (decision.status is SuggestionStatus.APPLIED or decision.target is None)
        for decision in decisions
    )


def closed_targets(fact: MemoryFact, decisions: Iterable[Decision]) -> frozenset[str]:
    """Return the files for which a fact was decided already."""
    return frozenset(
        decision.target for decision in decisions if decision.fact_id == fact.id and decision.target is not None
    )
