"""Looking at what is remembered as a whole: how full it is, what could go or be said better, and doing that."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.errors import EditConflict, MemsuggestError
from memsuggest.memory.consolidation import Operation, Verb
from memsuggest.memory.facts_file import PLACE
from memsuggest.memory.proposing import size_of, tier_of
from memsuggest.memory.revision import revision_of
from memsuggest.model import Edit
from memsuggest.reports.model_reports import Consolidated, Tidied
from memsuggest.suggestions.diff import unified
from memsuggest.workflows.decide.writing import settle
from memsuggest.workflows.facts.change_facts import planned_change, rewrite_stores
from memsuggest.workflows.facts.proposals import hear
from memsuggest.workflows.facts.stores import all_decisions, all_facts
from memsuggest.workflows.suggest.suggesting import refresh_pending

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.memory.store_journal import Side
    from memsuggest.model import MemoryFact
    from memsuggest.workflows.ask.model_access import Hand
    from memsuggest.workflows.context import Context


def consolidate(context: Context, hand: Hand) -> Consolidated:
    """Return what could be done to the facts, as a model proposes it or, where none may be asked, our own rules.

    Nothing is changed. With a dry context nothing is asked either: the report has what would be sent.
    """
    facts = all_facts(context)
    budget = int(context.settings.number("consolidationBudget"))
    tier = tier_of(facts, budget=budget)
    heard = hear(context, hand, facts, tier)
    after = _left(facts, heard.operations)
    return Consolidated(
        facts=len(facts),
        tokens=size_of(facts),
        facts_after=len(after),
        tokens_after=size_of(after),
        budget=budget,
        tier=tier,
        engine=heard.engine,
        why_offline=heard.why,
        is_failed=heard.is_failed,
        operations=tuple(map(_tidied, heard.operations)),
        refused=tuple(heard.refused),
        diff=_diff(context, heard.operations),
        requests=heard.requests,
        is_dry=context.is_dry,
    )


def _left(facts: Sequence[MemoryFact], operations: Iterable[Operation]) -> list[MemoryFact]:
    """Return the facts that would be left if all were done."""
    revision = revision_of(list(operations), decisions=())
    gone = {stone.fact_id for stone in revision.gone}
    changed = {fact.id: fact for fact in revision.facts}
    return [changed.get(fact.id, fact) for fact in facts if fact.id not in gone]


def _tidied(operation: Operation) -> Tidied:
    return Tidied(
        verb=operation.verb,
        fact=operation.fact,
        content=operation.content,
        because=operation.because,
        why=operation.why,
        is_sure=operation.is_sure,
        is_replacement=operation.is_replacement,
        needs_update=operation.needs_update,
    )


def _diff(context: Context, operations: Sequence[Operation]) -> str:
    """Return what would change in the stores: the team's file as it is written, the profile as a list."""
    if not operations:
        return ""
    change = planned_change(context, revision_of(operations, decisions=all_decisions(context)))
    shared = Edit(path=PLACE, before=change.before.shared or "", after=change.after.shared or "")
    own = Edit(path="profile.db", before=_listed(change.before), after=_listed(change.after))
    return unified(shared) + unified(own)


def _listed(side: Side) -> str:
    decided = {(one.fact_id, one.status.value): None for one in side.decisions}
    lines = []
    for fact in sorted(side.facts, key=lambda fact: fact.id):
        marks = [fact.scope.value, fact.kind.value, *(status for key, status in decided if key == fact.id)]
        quotes = len(fact.citations)
        lines.append(f"{fact.id[:7]} {fact.content} ({', '.join(marks)}; {quotes} quote{'' if quotes == 1 else 's'})\n")
    return "".join(lines)


def carry_out(context: Context, report: Consolidated, chosen: Sequence[Tidied]) -> Consolidated:
    """Do what was chosen of a report, as one entry of the journal, or nothing.

    Raises EditConflict when the facts are not those that were shown any more, and StoreError.
    """
    chosen = whole_choice(chosen)
    operations = [_operation(one) for one in chosen]
    with context.exclusive():
        settle(context)
        _require_same(context, operations)
        left = _left(all_facts(context), operations)
        rewrite_stores(context, revision_of(operations, decisions=all_decisions(context)))
        with suppress(MemsuggestError):  # it is done; what is pending is made anew by the next run too
            refresh_pending(context)
    return replace(report, operations=tuple(chosen), facts_after=len(left), tokens_after=size_of(left), is_changed=True)


def whole_choice(chosen: Sequence[Tidied]) -> list[Tidied]:
    """Leave out the merges whose new wording was not chosen: without it, what they say would be gone."""
    reworded = {one.fact.id for one in chosen if one.verb == Verb.UPDATE}
    return [one for one in chosen if not one.needs_update or (one.because and one.because.id in reworded)]


def _operation(one: Tidied) -> Operation:
    return Operation(
        verb=Verb(one.verb),
        fact=one.fact,
        content=one.content,
        because=one.because,
        is_replacement=one.is_replacement,
        needs_update=one.needs_update,
    )


def _require_same(context: Context, operations: Iterable[Operation]) -> None:
    now = {fact.id: fact for fact in all_facts(context)}
    for operation in operations:
        for fact in filter(None, (operation.fact, operation.because)):
            if now.get(fact.id) != fact:
                raise EditConflict(
                    f"a fact changed meanwhile: {fact.content}", hint="run `memsuggest consolidate` again to see it"
                )
