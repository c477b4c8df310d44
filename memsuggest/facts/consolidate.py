"""Consolidation of what is remembered, in two steps: what could be done, shown; then as much of it as is chosen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

from memsuggest.core.context import Context
from memsuggest.core.errors import EditConflict, MemsuggestError
from memsuggest.core.model import Edit, FactStatus, MemoryFact, Trust
from memsuggest.core.render.page import SHORT, count
from memsuggest.customizations.diff import unified
from memsuggest.facts.change_facts import planned_change, rewrite_stores
from memsuggest.facts.contradictions import KnownFacts
from memsuggest.facts.facts_file import PLACE
from memsuggest.facts.revision import revision_of
from memsuggest.facts.store_journal import Side
from memsuggest.facts.stores import all_decisions, all_facts
from memsuggest.judging.model_reports import Consolidated, Merge
from memsuggest.suggestions.suggesting import refresh_pending
from memsuggest.suggestions.writing import settle

# Only what has nearly the same words goes by itself; what says the same in other words is for question two
# (`judging`), which sees the rules beside each other.

MOST_DELETED = 0.2  # share of the facts that may go in one run without a look at each
_BYTES_PER_TOKEN = 4


class Tier(StrEnum):
    """The fullness of a store; what was replaced goes where room is short, and without a budget there is room."""

    GENEROUS = "generous"
    SELECTIVE = "selective"
    HEAVY_CUT = "heavy cut"


def size_of(facts: Sequence[MemoryFact]) -> int:
    """Return about how many tokens facts take: `ceil(json length / 4)`."""
    rows = [{"id": fact.id, "content": fact.content, "kind": fact.kind, "scope": fact.scope} for fact in facts]
    return -(-len(json.dumps(rows, ensure_ascii=False)) // _BYTES_PER_TOKEN)


def tier_of(facts: Sequence[MemoryFact], *, budget: int | None) -> Tier:
    share = size_of(facts) / budget if budget else 0.0
    return Tier.GENEROUS if share < 0.3 else Tier.SELECTIVE if share <= 0.5 else Tier.HEAVY_CUT


def find_merges(facts: Sequence[MemoryFact], *, tier: Tier = Tier.GENEROUS) -> list[Merge]:
    """Return which facts could go: of two with nearly the same words the later; what was replaced, when room is short.

    What a person said goes for nothing that nobody said; beyond the share that may go at once, each needs a look.
    """
    ordered = sorted(facts, key=lambda fact: (not is_own(fact), fact.timestamp, fact.id))
    found, staying = list[Merge](), KnownFacts()
    for fact in (fact for fact in ordered if fact.status is FactStatus.ACTIVE):
        if same := staying.same_as(fact.content, fact.scope):
            found.append(Merge(fact=fact, because=same, why="says the same thing as"))
        else:
            staying.add(fact)
    if tier is not Tier.GENEROUS:  # there, what was replaced is kept to be looked at
        gone = {merge.fact.id for merge in found}
        active = {fact.id: fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.id not in gone}
        for fact in (fact for fact in ordered if fact.status is FactStatus.INACTIVE):
            heir = active.get(fact.superseded_by or "")
            if heir and heir.scope is fact.scope and (is_own(heir) or not is_own(fact)):
                found.append(Merge(fact=fact, because=heir, why="replaced by", is_replacement=True))
    room = max(1, int(len(facts) * MOST_DELETED))
    return [merge if number < room else merge.to_look_at for number, merge in enumerate(found)]


def is_own(fact: MemoryFact) -> bool:
    return any(citation.trust in (Trust.TYPED, Trust.CONFIRMED) for citation in fact.citations)


def consolidate(context: Context) -> Consolidated:
    """Return what could be done to the facts; nothing is changed."""
    facts = all_facts(context)
    budget = int(context.settings.number("consolidationBudget"))
    tier = tier_of(facts, budget=budget)
    merges = find_merges(facts, tier=tier)
    after = _left(facts, merges)
    diff = ""
    if merges:  # of the team's file as it is written, of the profile as a list
        change = planned_change(context, revision_of(merges, decisions=all_decisions(context)))
        shared = Edit(path=PLACE, before=change.before.shared or "", after=change.after.shared or "")
        own = Edit(path="profile.db", before=_listed(change.before), after=_listed(change.after))
        diff = unified(shared) + unified(own)
    return Consolidated(
        facts=len(facts),
        tokens=size_of(facts),
        facts_after=len(after),
        tokens_after=size_of(after),
        budget=budget,
        tier=tier,
        operations=tuple(merges),
        diff=diff,
        is_dry=context.is_dry,
    )


def _left(facts: Sequence[MemoryFact], merges: Iterable[Merge]) -> list[MemoryFact]:
    """Return the facts that would be left if all were done."""
    revision = revision_of(merges, decisions=())
    gone = {tombstone.fact_id for tombstone in revision.gone}
    changed = {fact.id: fact for fact in revision.facts}
    return [changed.get(fact.id, fact) for fact in facts if fact.id not in gone]


def _listed(side: Side) -> str:
    decided = dict.fromkeys((decision.fact_id, decision.status.value) for decision in side.decisions)
    lines = []
    for fact in sorted(side.facts, key=lambda fact: fact.id):
        marks = [fact.scope.value, fact.kind.value, *(status for key, status in decided if key == fact.id)]
        quotes = count(len(fact.citations), "quote", "quotes")
        lines.append(f"{fact.id[:SHORT]} {fact.content} ({', '.join(marks)}; {quotes})\n")
    return "".join(lines)


def carry_out(context: Context, report: Consolidated, chosen: Sequence[Merge]) -> Consolidated:
    """Do what was chosen of a report, as one entry of the journal, or nothing.

    Raises EditConflict when the facts are not those that were shown any more, and StoreError.
    """
    with context.exclusive():
        settle(context)
        now = {fact.id: fact for fact in all_facts(context)}
        for fact in (fact for merge in chosen for fact in (merge.fact, merge.because)):
            if now.get(fact.id) != fact:
                hint = "run `memsuggest memory clean` again to see the change"
                raise EditConflict(f"a fact has changed: {fact.content}", hint=hint)
        left = _left(all_facts(context), chosen)
        rewrite_stores(context, revision_of(chosen, decisions=all_decisions(context)))
        with suppress(MemsuggestError):  # it is done; what is pending is made anew by the next run too
            refresh_pending(context)
    return replace(report, operations=tuple(chosen), facts_after=len(left), tokens_after=size_of(left), is_changed=True)
