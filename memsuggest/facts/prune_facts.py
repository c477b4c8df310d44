"""Keeping to the limits: the person's own facts that are worth least are forgotten, and said.

What was applied stands in a file and counts against no limit. A run prunes only what the person has seen or decided,
so that of a backlog nothing goes unseen. Of the rest, what was replaced goes first, then what is
worth least: `recency · age + signal · vote + relevance · usage`, each of the three from 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memsuggest.core.config import EDITOR_FILE, REPO_FILE, SETTINGS, Settings
from memsuggest.core.context import Context
from memsuggest.core.model import Decision, FactStatus, MemoryFact, Scope, SuggestionStatus, Trust
from memsuggest.facts.accept import forgetting
from memsuggest.facts.change_facts import rewrite_stores
from memsuggest.facts.fact_reports import Pruned
from memsuggest.facts.facts_by_hand import changing
from memsuggest.facts.revision import Revision
from memsuggest.facts.stores import all_decisions, own_facts
from memsuggest.suggestions.new_suggestions import seen_before

HALF_LIFE = 90 * 24 * 3600 * 1000
"""Milliseconds after which a fact counts half as recent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningWeights:
    """The weights of the three."""

    recency: float = 1.0
    signal: float = 1.0
    relevance: float = 1.0


def worth(fact: MemoryFact, *, is_dismissed: bool, weights: PruningWeights, now: int) -> float:
    """Return what a fact is worth keeping for.

    The vote is the fact's confidence: how outright the person said it, and whether they voted up or kept what the
    assistant made of it, is weighed there. Usage is in how many chats they came back to it; none once dismissed.
    """
    said = [int(citation.at.timestamp() * 1000) for citation in fact.citations if citation.at]
    age = max(0, now - max(said, default=fact.timestamp))
    sessions = len({citation.session_id for citation in fact.citations if citation.trust is Trust.TYPED})
    usage = 0.0 if is_dismissed else 1 - math.exp2(-sessions)
    return weights.recency * math.exp2(-age / HALF_LIFE) + weights.signal * fact.confidence + weights.relevance * usage


def beyond_limits(
    facts: Iterable[MemoryFact],
    *,
    decisions: Iterable[Decision],
    limits: Mapping[Scope, int],
    weights: PruningWeights,
    now: int,
) -> list[MemoryFact]:
    """Return the facts that are too many, worth least first; `facts` are this person's own."""
    decided = list(decisions)
    dismissed = {
        decision.fact_id
        for decision in decided
        if decision.status is SuggestionStatus.DISMISSED and decision.target is None
    }
    waiting = unapplied(facts, decided)
    found: list[MemoryFact] = []
    for scope, limit in limits.items():
        of_scope = [fact for fact in waiting if fact.scope is scope]
        ordered = _least_first(of_scope, dismissed, weights=weights, now=now)
        found += ordered[: max(0, len(of_scope) - limit)]
    return found


def unapplied(facts: Iterable[MemoryFact], decisions: Iterable[Decision]) -> list[MemoryFact]:
    """Return the facts that count against a limit: those that were not applied anywhere."""
    applied = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
    return [fact for fact in facts if fact.id not in applied]


def _least_first(
    facts: Sequence[MemoryFact], dismissed: Collection[str], *, weights: PruningWeights, now: int
) -> list[MemoryFact]:
    def key(fact: MemoryFact) -> tuple[bool, float, str]:
        is_active = fact.status is FactStatus.ACTIVE
        return (is_active, worth(fact, is_dismissed=fact.id in dismissed, weights=weights, now=now), fact.id)

    return sorted(facts, key=key)


def own_unapplied(context: Context) -> dict[Scope, tuple[int, int]]:
    """Return by scope how many facts count against the limit, and the limit."""
    waiting = unapplied(_own(context), all_decisions(context))
    return {
        scope: (sum(fact.scope is scope for fact in waiting), limit)
        for scope, limit in _limits(context.settings).items()
    }


def _own(context: Context) -> list[MemoryFact]:
    shared = {fact.id: fact.source_session_id for fact in context.facts_file.contents().facts}
    return [
        fact for fact in own_facts(context) if shared.get(fact.id, fact.source_session_id) == fact.source_session_id
    ]


def too_many(context: Context, *, is_seen: bool = False) -> list[MemoryFact]:
    """Return the person's own facts beyond the limits, worth least first; `is_seen`: of those that they know alone."""
    own = _own(context)
    return beyond_limits(
        _seen(context, own) if is_seen else own,
        decisions=all_decisions(context),
        limits=_limits(context.settings),
        weights=_weights(context.settings),
        now=context.now(),
    )


def _seen(context: Context, facts: Sequence[MemoryFact]) -> list[MemoryFact]:
    known = seen_before(context) | {decision.fact_id for decision in all_decisions(context)}
    return [
        fact
        for fact in facts
        if fact.id in known
        or fact.status is not FactStatus.ACTIVE
        or any(citation.is_by_hand for citation in fact.citations)
    ]


def _limits(settings: Settings) -> dict[Scope, int]:
    is_repos = settings.values["maxUserFacts"].source in (REPO_FILE, EDITOR_FILE)
    of_user = SETTINGS["maxUserFacts"].default if is_repos else settings.number("maxUserFacts")
    return {Scope.WORKSPACE: int(settings.number("maxWorkspaceFacts")), Scope.USER: int(float(str(of_user)))}


def _weights(settings: Settings) -> PruningWeights:
    return PruningWeights(
        recency=settings.number("pruneRecency"),
        signal=settings.number("pruneSignal"),
        relevance=settings.number("pruneRelevance"),
    )


def prune_facts(context: Context) -> Pruned:
    """Prune, and bring the team's file and the pending suggestions up to date."""
    if context.is_dry:
        return Pruned(facts=tuple(too_many(context)), is_dry=True)
    with changing(context):
        return Pruned(facts=tuple(prune(context)))


def prune(context: Context, *, is_seen: bool = False) -> list[MemoryFact]:
    """Forget the facts beyond the limits, as if the person had; return them. `is_seen`: those that they know alone.

    They do not come back by themselves, but `undo` brings them.
    """
    facts = too_many(context, is_seen=is_seen)
    if facts and not context.is_dry:
        rewrite_stores(context, Revision(gone=tuple(forgetting(fact) for fact in facts)))
    return facts
