"""What waits beside what contradicts it: facts of which only one can hold, none of them decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.memory.contradictions import find_contradictions
from memsuggest.workflows.pending import is_open
from memsuggest.workflows.stores import all_decisions, all_facts

if TYPE_CHECKING:
    from memsuggest.model import Contradiction, MemoryFact
    from memsuggest.reports.deciding import Shown
    from memsuggest.workflows.desk import Desk


def contradictions_of(desk: Desk, fact: MemoryFact) -> tuple[Contradiction, ...]:
    """Return each open fact that cannot hold beside one, with which of the two was said last."""
    decisions, threshold = all_decisions(desk), desk.settings.threshold
    others = [one for one in all_facts(desk) if is_open(one, decisions, threshold=threshold)]
    return find_contradictions([fact], among=others)


def with_contradictions(desk: Desk, shown: Shown) -> Shown:
    """Return a suggestion, as it is shown, with what contradicts it."""
    fact = shown.suggestion.fact
    return replace(shown, contradictions=contradictions_of(desk, fact)) if fact else shown
