"""Facts that wait and contradict each other: only one can hold, and none is decided."""

from __future__ import annotations

from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.model import Contradiction, MemoryFact
from memsuggest.facts.contradictions import find_contradictions
from memsuggest.facts.stores import all_decisions, all_facts
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.listed import is_open


def contradictions_of(context: Context, fact: MemoryFact) -> tuple[Contradiction, ...]:
    """Return each open fact that cannot hold beside one, with which of the two was said last."""
    decisions, threshold = all_decisions(context), context.settings.threshold
    others = [one for one in all_facts(context) if is_open(one, decisions, threshold=threshold)]
    return find_contradictions([fact], among=others)


def with_contradictions(context: Context, shown: Shown) -> Shown:
    """Return a suggestion, as it is shown, with what contradicts it."""
    fact = shown.suggestion.fact
    return replace(shown, contradictions=contradictions_of(context, fact)) if fact else shown
