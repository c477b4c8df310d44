"""The two stores as one: the team's file and this person's profile.

The file is written first: it fails more often, and a change that fails there has not happened anywhere.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.database import store_errors
from memsuggest.model import Decision, FactStatus, MemoryFact, Scope, SuggestionStatus, Tombstone, Trust
from memsuggest.suggestions.tally import tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.workflows.desk import Desk

_RANK = {SuggestionStatus.PENDING: 0, SuggestionStatus.DISMISSED: 1, SuggestionStatus.APPLIED: 2}
OWN_WORDS = {Trust.TYPED, Trust.CONFIRMED}


def open_stores(desk: Desk) -> None:
    """Open everything that a change needs; raises StoreError before anything is changed."""
    desk.facts_file.contents()
    desk.profile.contents()
    with store_errors(desk.state):
        tally(desk.state, desk.place.worktree_key)
        desk.journal.unfinished()


def all_facts(desk: Desk) -> list[MemoryFact]:
    """Return every fact of this workspace and of the person, each once.

    The team's file has the wording and the status, the profile has the evidence. What the team forgot is gone.
    """
    shared, own = desk.facts_file.contents(), desk.profile.contents()
    gone = {tombstone.fact_id for tombstone in shared.tombstones} - {fact.id for fact in shared.facts}
    facts = {fact.id: fact for fact in own.facts if fact.id not in gone}
    for fact in shared.facts:
        mine = facts.get(fact.id)
        facts[fact.id] = _united(fact, mine) if mine else fact
    return sorted(facts.values(), key=lambda fact: (fact.timestamp, fact.id))


def _united(shared: MemoryFact, own: MemoryFact) -> MemoryFact:
    is_active = shared.status is FactStatus.ACTIVE and own.status is FactStatus.ACTIVE
    return replace(
        shared,
        citations=own.citations or shared.citations,
        confidence=max(shared.confidence, own.confidence),
        status=FactStatus.ACTIVE if is_active else FactStatus.INACTIVE,
        superseded_by=shared.superseded_by or own.superseded_by,
    )


def all_tombstones(desk: Desk) -> list[Tombstone]:
    """Return what was forgotten, by the team or by this person."""
    return [*desk.facts_file.contents().tombstones, *desk.profile.contents().tombstones]


def all_decisions(desk: Desk) -> list[Decision]:
    """Return what was decided, by the team or by this person; of two, applied counts before dismissed."""
    found: dict[tuple[str, str | None], Decision] = {}
    for decision in [*desk.facts_file.contents().decisions, *desk.profile.contents().decisions]:
        key = (decision.fact_id, decision.target)
        if key not in found or _RANK[decision.status] > _RANK[found[key].status]:
            found[key] = decision
    return list(found.values())


def store_decisions(desk: Desk, decisions: Iterable[Decision]) -> None:
    """Remember decisions: in the profile, and in the team's file about facts that are in it."""
    found = list(decisions)
    if not desk.is_dry:
        desk.facts_file.decide(found)
    desk.profile.decide(found)


def drop_decisions(desk: Desk, decisions: Iterable[Decision]) -> None:
    """Make what was decided pending again."""
    store_decisions(desk, [replace(decision, status=SuggestionStatus.PENDING) for decision in decisions])


def store_facts(desk: Desk, *, added: Iterable[MemoryFact], updated: Iterable[MemoryFact]) -> None:
    """Keep facts in the profile, and change those of the team's file that are in it."""
    changed = list(updated)
    if not desk.is_dry:
        desk.facts_file.update(changed)
    desk.profile.add(added)
    desk.profile.update(changed)


def revive_facts(desk: Desk, facts: Iterable[MemoryFact]) -> None:
    """Bring facts back into the team's file that the person asked for anew after they had been forgotten."""
    if not desk.is_dry:
        desk.facts_file.add(facts)


def own_facts(desk: Desk) -> list[MemoryFact]:
    """Return what was said in this person's own words."""
    facts = desk.profile.contents().facts
    return [fact for fact in facts if any(citation.trust in OWN_WORDS for citation in fact.citations)]


def only_written(facts: Iterable[MemoryFact]) -> list[MemoryFact]:
    """Return the facts in force that wait for the person's word, since only documents say them."""
    return [fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.is_only_written]


def share_facts(desk: Desk) -> None:
    """Write what is worth sharing, and was said in this person's own words, into the team's file."""
    own = [fact for fact in own_facts(desk) if fact.scope is Scope.WORKSPACE]
    desk.facts_file.project(own, threshold=desk.settings.threshold)
