"""The two stores as one: the team's file and this person's profile.

The file is written first: it fails more often, and a change that fails there has not happened anywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.identity import normalised
from memsuggest.core.model import Decision, FactStatus, MemoryFact, Scope, SuggestionStatus, Tombstone, Trust, is_maybe
from memsuggest.facts.accept import times_said
from memsuggest.facts.contradictions import find_contradictions, last_said
from memsuggest.facts.entries import DECIDED
from memsuggest.judging.danger import danger_of_rule

OWN_WORDS = {Trust.TYPED, Trust.CONFIRMED}
MOST_MAYBES = 300
"""How many are kept of a workspace, and of the person; beyond, the oldest that were said once go without a word."""


def open_stores(context: Context) -> None:
    """Open everything that a change needs; raises StoreError before anything is changed."""
    context.facts_file.contents()
    context.profile.contents()
    with store_errors(context.state):
        context.state.execute("SELECT COUNT(*) FROM pending, runs").fetchone()
        context.journal.unfinished()


def all_facts(context: Context) -> list[MemoryFact]:
    """Return the facts of this workspace and of the person that count, each once: all that are known but the maybes."""
    shared = {fact.id for fact in context.facts_file.contents().facts}
    return [fact for fact in known_facts(context) if fact.id in shared or not is_maybe(fact)]


def waiting_maybes(context: Context) -> list[MemoryFact]:
    """Return what is kept aside and was not decided yet, what was said most often first."""
    settled = _settled_ids(all_decisions(context)) | {fact.id for fact in context.facts_file.contents().facts}
    maybes = filter(is_maybe, known_facts(context))
    return most_repeated_first(fact for fact in maybes if fact.status is FactStatus.ACTIVE and fact.id not in settled)


def known_facts(context: Context) -> list[MemoryFact]:
    """Return all that is remembered here, maybes too: by it one tells what was said before.

    The team's file has the wording and the status, the profile has the evidence. What the team forgot is gone.
    """
    shared, own = context.facts_file.contents(), context.profile.contents()
    gone = {tombstone.fact_id for tombstone in shared.tombstones} - {fact.id for fact in shared.facts}
    facts = {fact.id: fact for fact in own.facts if fact.id not in gone}
    for fact in shared.facts:
        mine = facts.get(fact.id)
        facts[fact.id] = _united(fact, mine) if mine else fact
    return sorted(facts.values(), key=lambda fact: (fact.timestamp, fact.id))


def _united(shared: MemoryFact, own: MemoryFact) -> MemoryFact:
    """Return a fact of both: what the person typed vouches for their own words, not for what others made of them."""
    is_active = shared.status is FactStatus.ACTIVE and own.status is FactStatus.ACTIVE
    is_own_wording = normalised(shared.content) == normalised(own.content)
    of_the_team = shared.citations or tuple(replace(item, trust=Trust.SHARED, quote="") for item in own.citations)
    return replace(
        shared,
        citations=own.citations if is_own_wording and own.citations else of_the_team,
        confidence=max(shared.confidence, own.confidence) if is_own_wording else shared.confidence,
        status=FactStatus.ACTIVE if is_active else FactStatus.INACTIVE,
        superseded_by=shared.superseded_by or own.superseded_by,
    )


def all_tombstones(context: Context) -> list[Tombstone]:
    return [*context.facts_file.contents().tombstones, *context.profile.contents().tombstones]


def all_decisions(context: Context) -> list[Decision]:
    """Return what was decided, by the team or by this person; of two, applied counts before dismissed."""
    found: dict[tuple[str, str | None], Decision] = {}
    for decision in [*context.facts_file.contents().decisions, *context.profile.contents().decisions]:
        known = found.setdefault((decision.fact_id, decision.target), decision)
        if DECIDED.index(decision.status) < DECIDED.index(known.status):
            found[decision.fact_id, decision.target] = decision
    return list(found.values())


def store_decisions(context: Context, decisions: Iterable[Decision]) -> None:
    """Remember decisions: in the profile, and in the team's file about facts that are in it."""
    found = list(decisions)
    if not context.is_dry:
        context.facts_file.decide(found)
    context.profile.decide(found)


def drop_decisions(context: Context, decisions: Iterable[Decision]) -> None:
    """Make what was decided pending again."""
    store_decisions(context, [replace(decision, status=SuggestionStatus.PENDING) for decision in decisions])


def store_facts(context: Context, *, added: Iterable[MemoryFact], updated: Iterable[MemoryFact]) -> None:
    """Keep facts in the profile, and change those of the team's file that are in it."""
    changed = list(updated)
    if not context.is_dry:
        context.facts_file.update(changed)
    context.profile.add(added)
    own = ((fact, tuple(item for item in fact.citations if item.trust is not Trust.SHARED)) for fact in changed)
    context.profile.update(replace(fact, citations=citations) for fact, citations in own)


def most_repeated_first(maybes: Iterable[MemoryFact]) -> list[MemoryFact]:
    return sorted(maybes, key=lambda fact: (-times_said(fact), -last_said(fact), fact.id))


def maybes_beyond_bound(facts: Iterable[MemoryFact], *, dismissed: Collection[str]) -> list[MemoryFact]:
    """Return the maybes beyond the bound of their scope; dismissed ones stay, so that they do not come back."""

    def value(fact: MemoryFact) -> tuple[bool, bool, float, str]:
        return fact.status is FactStatus.ACTIVE, times_said(fact) > 1, last_said(fact), fact.id

    maybes = sorted((fact for fact in facts if is_maybe(fact) and fact.id not in dismissed), key=value, reverse=True)
    return [fact for scope in Scope for fact in [fact for fact in maybes if fact.scope is scope][MOST_MAYBES:]]


def drop_old_maybes(context: Context) -> None:
    if not context.is_dry:
        own = context.profile.contents()
        dismissed = {decision.fact_id for decision in own.decisions if decision.status is SuggestionStatus.DISMISSED}
        shared = {fact.id for fact in context.facts_file.contents().facts}
        facts = (fact for fact in own.facts if fact.id not in shared)
        context.profile.drop(maybes_beyond_bound(facts, dismissed=dismissed))


def revive_facts(context: Context, facts: Iterable[MemoryFact]) -> None:
    """Bring facts back into the team's file that the person asked for anew after they had been forgotten."""
    if not context.is_dry:
        context.facts_file.add(facts)


def own_facts(context: Context) -> list[MemoryFact]:
    """Return what was said in this person's own words, and is no mere maybe."""
    facts = [fact for fact in context.profile.contents().facts if not is_maybe(fact)]
    return [fact for fact in facts if any(citation.trust in OWN_WORDS for citation in fact.citations)]


def only_written(facts: Iterable[MemoryFact]) -> list[MemoryFact]:
    """Return the facts in force that wait for the person's word, since only documents say them."""
    written = (fact for fact in facts if fact.is_only_written and not fact.is_noted)  # notes are suggested
    return [fact for fact in written if fact.status is FactStatus.ACTIVE]


def share_facts(context: Context) -> int:
    """Write what is worth sharing, and was said in this person's own words, into the team's file; return how many.

    With the setting `writeFacts: decision`, and of rules that weaken safety, only what was applied or confirmed, or
    added by hand.
    """
    needs_decision, keep = context.settings.text("writeFacts") == "decision", context.kept_index.of
    applied, dismissed = applied_ids(all_decisions(context)), dismissed_ids(context)
    missing = [
        fact
        for fact in own_facts(context)
        if fact.scope is Scope.WORKSPACE and fact.id not in dismissed
        if fact.id in applied
        or any(citation.is_by_hand for citation in fact.citations)
        or not (needs_decision or danger_of_rule(fact.content, fact.citations, keep))
    ]
    return len(context.facts_file.project(missing, threshold=context.settings.threshold))


def dismissed_ids(context: Context) -> frozenset[str]:
    """Return the facts that were dismissed for everywhere, by the team or by this person."""
    found = (decision for decision in all_decisions(context) if decision.target is None)
    return frozenset(item.fact_id for item in found if item.status is SuggestionStatus.DISMISSED)


def applied_ids(decisions: Iterable[Decision]) -> set[str]:
    """Return the facts that the person took into a file."""
    return {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}


def _settled_ids(decisions: Iterable[Decision]) -> set[str]:
    return {item.fact_id for item in decisions if item.status is SuggestionStatus.APPLIED or item.target is None}


class Known(NamedTuple):
    """All that planning rests on beside the files: what is known, and what was decided."""

    facts: Sequence[MemoryFact]
    decisions: Sequence[Decision]
    open: Mapping[str, MemoryFact]
    """By their ids, the facts that are to be suggested unless a file says them already."""
    closed: Mapping[str, frozenset[str]]
    """By their ids, the files for which open facts were decided."""


def read_known(context: Context, *, changed: Iterable[MemoryFact] = (), decided: Iterable[Decision] = ()) -> Known:
    """Return what the stores have, or will have once facts are `changed` and more is `decided`."""
    facts = list({fact.id: fact for fact in (*all_facts(context), *changed)}.values())
    decisions = [*all_decisions(context), *decided]
    found = open_among(facts, decisions, threshold=context.settings.threshold)
    losers = context.known_pairs.losers(found) | overruled(found, taken_in(facts, decisions))
    is_open = {fact.id: fact for fact in found if fact.id not in losers}
    return Known(facts, decisions, is_open, {fact.id: closed_targets(fact, decisions) for fact in is_open.values()})


def open_among(facts: Iterable[MemoryFact], decisions: Iterable[Decision], *, threshold: float) -> list[MemoryFact]:
    """Return the facts that are active, sure enough, and neither applied nor dismissed everywhere."""
    settled = _settled_ids(decisions)
    sure = (fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.confidence >= threshold)
    return [fact for fact in sure if fact.id not in settled]


def closed_targets(fact: MemoryFact, decisions: Iterable[Decision]) -> frozenset[str]:
    """Return the files for which a fact was decided."""
    return frozenset(item.target for item in decisions if item.fact_id == fact.id and item.target is not None)


def taken_in(facts: Iterable[MemoryFact], decisions: Iterable[Decision]) -> list[MemoryFact]:
    """Return the facts that the person took into a file."""
    applied = applied_ids(decisions)
    return [fact for fact in facts if fact.id in applied]


def overruled(found: Sequence[MemoryFact], applied: Sequence[MemoryFact]) -> set[str]:
    """Return the ids of facts that would replace what the person said later and applied."""
    chosen = {fact.id for fact in applied}
    return {pair.loser.id for pair in find_contradictions(found, among=applied) if pair.winner.id in chosen}
