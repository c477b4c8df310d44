"""Keeping to the limits: the person's own facts that are worth least are forgotten, and said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import EDITOR_FILE, REPO_FILE, SETTINGS
from memsuggest.memory.accept import forgetting
from memsuggest.memory.pruning import PruningWeights, beyond_limits, unapplied
from memsuggest.memory.revision import Revision
from memsuggest.model import Scope
from memsuggest.reports.fact_reports import Pruned
from memsuggest.workflows.facts.change_facts import rewrite_stores
from memsuggest.workflows.facts.facts_by_hand import changing
from memsuggest.workflows.facts.stores import all_decisions, own_facts

if TYPE_CHECKING:
    from memsuggest.config import Settings
    from memsuggest.model import MemoryFact
    from memsuggest.workflows.context import Context


def own_unapplied(context: Context) -> dict[Scope, tuple[int, int]]:
    """Return by scope how many facts count against the limit, and the limit."""
    waiting = unapplied(_own(context), all_decisions(context))
    return {
        scope: (sum(fact.scope is scope for fact in waiting), limit)
        for scope, limit in _limits(context.settings).items()
    }


def _own(context: Context) -> list[MemoryFact]:
    """Return the person's own: an entry of the team's file that somebody else brought is not theirs to prune."""
    shared = {fact.id: fact.source_session_id for fact in context.facts_file.contents().facts}
    return [
        fact for fact in own_facts(context) if shared.get(fact.id, fact.source_session_id) == fact.source_session_id
    ]


def too_many(context: Context) -> list[MemoryFact]:
    """Return the person's own facts beyond the limits, worth least first."""
    return beyond_limits(
        _own(context),
        decisions=all_decisions(context),
        limits=_limits(context.settings),
        weights=_weights(context.settings),
        now=context.now(),
    )


def _limits(settings: Settings) -> dict[Scope, int]:
    """Return how many facts may wait; a repo has no say about those that the person takes everywhere."""
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


def prune(context: Context) -> list[MemoryFact]:
    """Forget the facts beyond the limits, as if the person had; return them.

    They do not come back by themselves, but `undo` brings them.
    """
    facts = too_many(context)
    if facts and not context.is_dry:
        rewrite_stores(context, Revision(gone=tuple(forgetting(fact) for fact in facts)))
    return facts
