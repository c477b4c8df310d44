"""Pruning: what a fact is worth, the limits, and forgetting the facts beyond them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass

from memsuggest.core.config import EDITOR_FILE, REPO_FILE, SETTINGS, Settings
from memsuggest.core.context import Context
from memsuggest.core.model import Decision, FactStatus, MemoryFact, Scope, SuggestionStatus, Trust
from memsuggest.facts.accept import forgetting
from memsuggest.facts.change_facts import rewrite_stores
from memsuggest.facts.fact_reports import Pruned
from memsuggest.facts.facts_by_hand import changing
from memsuggest.facts.revision import Revision
from memsuggest.facts.stores import all_decisions, applied_ids, own_facts
from memsuggest.suggestions.list_and_show import seen_before

HALF_LIFE = 90 * 24 * 3600 * 1000  # milliseconds after which a fact counts half as recent


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningWeights:
    """The weights of what a fact is worth."""

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
    everywhere = (item for item in decided if item.target is None)
    dismissed = {item.fact_id for item in everywhere if item.status is SuggestionStatus.DISMISSED}

    def value(fact: MemoryFact) -> tuple[bool, float, str]:
        is_active = fact.status is FactStatus.ACTIVE
        return is_active, worth(fact, is_dismissed=fact.id in dismissed, weights=weights, now=now), fact.id

    waiting = sorted(unapplied(facts, decided), key=value)
    by_scope = {scope: [fact for fact in waiting if fact.scope is scope] for scope in limits}
    return [fact for scope, found in by_scope.items() for fact in found[: max(0, len(found) - limits[scope])]]


def unapplied(facts: Iterable[MemoryFact], decisions: Iterable[Decision]) -> list[MemoryFact]:
    """Return the facts that count against a limit."""
    applied = applied_ids(decisions)
    return [fact for fact in facts if fact.id not in applied]


def own_unapplied(context: Context) -> dict[Scope, tuple[int, int]]:
    """Return by scope how many facts count against the limit, and the limit."""
    counts = Counter(fact.scope for fact in unapplied(_own(context), all_decisions(context)))
    return {scope: (counts[scope], limit) for scope, limit in _limits(context.settings).items()}


def _own(context: Context) -> list[MemoryFact]:
    shared = {fact.id: fact.source_session_id for fact in context.facts_file.contents().facts}
    return [fact for fact in own_facts(context) if shared.get(fact.id) in (None, fact.source_session_id)]


def _limits(settings: Settings) -> dict[Scope, int]:
    is_repos = settings.values["maxUserFacts"].source in (REPO_FILE, EDITOR_FILE)
    of_user = SETTINGS["maxUserFacts"].default if is_repos else settings.number("maxUserFacts")
    return {Scope.WORKSPACE: int(settings.number("maxWorkspaceFacts")), Scope.USER: int(float(str(of_user)))}


def prune_facts(context: Context) -> Pruned:
    """Prune, and bring the team's file and the pending suggestions up to date."""
    with nullcontext() if context.is_dry else changing(context):
        return Pruned(facts=tuple(prune(context)), is_dry=context.is_dry)


def prune(context: Context, *, is_seen: bool = False) -> list[MemoryFact]:
    """Forget the facts beyond the limits, as if the person had; return them, worth least first.

    `is_seen`: of those that the person knows alone. They do not come back by themselves, but `undo` brings them.
    """
    own, decisions, number = _own(context), all_decisions(context), context.settings.number
    if is_seen:
        known = seen_before(context) | {decision.fact_id for decision in decisions}
        known |= {fact.id for fact in own if fact.status is not FactStatus.ACTIVE}
        known |= {fact.id for fact in own if any(citation.is_by_hand for citation in fact.citations)}
        own = [fact for fact in own if fact.id in known]
    facts = beyond_limits(
        own,
        decisions=decisions,
        limits=_limits(context.settings),
        weights=PruningWeights(
            recency=number("pruneRecency"), signal=number("pruneSignal"), relevance=number("pruneRelevance")
        ),
        now=context.now(),
    )
    if facts and not context.is_dry:
        rewrite_stores(context, Revision(gone=tuple(forgetting(fact) for fact in facts)))
    return facts
