"""Maybes: listed when asked for, planned on demand, and a suggestion like any other once applied."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.id_prefixes import only_one
from memsuggest.core.identity import normalised
from memsuggest.core.model import Decision, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, is_maybe
from memsuggest.facts.stores import all_decisions, known_facts, share_facts, store_facts, waiting_maybes
from memsuggest.suggestions.decision_reports import Maybes
from memsuggest.suggestions.pending import find_pending, pending_with
from memsuggest.suggestions.status import read_status


def list_maybes(context: Context) -> Maybes:
    """Return what is kept aside, what was said most often first."""
    facts = waiting_maybes(context)
    return Maybes(mode=context.settings.mode, last_run=read_status(context).last_run, facts=tuple(facts))


def find_maybe(context: Context, prefix: str) -> MemoryFact | None:
    """Return what is kept aside under this id prefix; raises UnknownId for several."""
    maybes = waiting_maybes(context)
    wanted = prefix.strip().lower()  # long enough: what is pending was looked for before
    return only_one([maybe for maybe in maybes if wanted and maybe.id.startswith(wanted)], prefix, called="maybes")


def find_pending_or_maybe(context: Context, prefix: str) -> MemorySuggestion | MemoryFact:
    """Return the pending suggestion with this id prefix, or else the maybe; raises UnknownId."""
    return pending_with(context, prefix) or find_maybe(context, prefix) or find_pending(context, prefix)


def find_planned(context: Context, prefix: str) -> MemorySuggestion:
    """Return the pending suggestion with this id prefix, or the maybe as it would be written.

    Raises UnknownId, and MemsuggestError where there is no place for a maybe.
    """
    found = find_pending_or_maybe(context, prefix)
    return found if isinstance(found, MemorySuggestion) else plan_maybe(context, found)


def plan_maybe(context: Context, maybe: MemoryFact) -> MemorySuggestion:
    """Return where a maybe would go, under its own id; raises MemsuggestError where it goes nowhere."""
    from memsuggest.judging.verdicts.verdict import Becomes
    from memsuggest.suggestions.listed import closed_targets
    from memsuggest.suggestions.move import with_moves
    from memsuggest.suggestions.suggest import AlreadySaid, suggest
    from memsuggest.suggestions.suggesting import verdicts_of

    decided = closed_targets(maybe, all_decisions(context))
    verdict = verdicts_of(context).get(maybe.id)
    if verdict and verdict.becomes is Becomes.NOWHERE:  # the person knows better
        verdict = replace(verdict, becomes=Becomes.UNUSABLE)
    made = suggest(maybe, context.workspace_index, decided=decided, verdict=verdict)
    hint = f"run `memsuggest memory edit {maybe.id[:7]}` to reword it, or `memsuggest dismiss {maybe.id[:7]}`"
    if isinstance(made, AlreadySaid):
        raise MemsuggestError(f"`{made.uri}` already says this in line {made.line}: {made.text.strip()}", hint=hint)
    if made is None or isinstance(made, Skipped):
        why = f": {made.why}" if made else ""
        raise MemsuggestError(f"cannot be added to any file{why}", hint=hint)
    return with_moves(context, [replace(made, id=maybe.id)])[0]


def agree(context: Context, decisions: Iterable[Decision]) -> None:
    """Take what was kept aside, or noted by an assistant, and is applied now as the person's word; share it."""
    from memsuggest.facts.facts_by_hand import confirmed

    applied = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
    facts = [
        confirmed(fact, now=context.now())
        for fact in known_facts(context)
        if fact.id in applied and (is_maybe(fact) or fact.is_noted)
    ]
    if facts:
        store_facts(context, added=(), updated=facts)
        share_facts(context)


def is_as_said(suggestion: MemorySuggestion) -> bool:
    """Tell whether a suggestion is a maybe in the very words of the person, which nobody has made a rule of."""
    fact = suggestion.fact
    if fact is None or not is_maybe(fact):
        return False
    return normalised(fact.content) in {normalised(citation.quote) for citation in fact.citations}
