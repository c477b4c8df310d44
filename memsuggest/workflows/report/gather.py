"""Everything that the report says, from the stores and from what `held` and `coverage` found: no chat is read here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.asking.usage_ledger import day_of
from memsuggest.customizations.lint.budget import token_cost_of
from memsuggest.memory.contradictions import last_said
from memsuggest.model import FactStatus, SuggestionStatus
from memsuggest.recall.entry import EntryStatus, Layer
from memsuggest.reports.workspace_report import LayerState, Learned, MemoryState, WorkspaceReport
from memsuggest.suggestions.store.journal import FORGOT, KEPT
from memsuggest.workflows.ask.usage import show_usage
from memsuggest.workflows.decide.undo import list_decisions
from memsuggest.workflows.facts.stores import all_decisions, all_facts, waiting_maybes
from memsuggest.workflows.report.file_costs import assistant_costs, file_costs
from memsuggest.workflows.suggest.pending import load, pending_maintenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.asking.usage_ledger import UsageRow
    from memsuggest.model import Decision, MemoryFact
    from memsuggest.recall.entry import Entry
    from memsuggest.reports.coverage_report import CoverageReport
    from memsuggest.reports.decision_reports import Taken
    from memsuggest.reports.held_report import HeldReport
    from memsuggest.workflows.context import Context


def gather(context: Context, *, since: int | None, held: HeldReport, coverage: CoverageReport) -> WorkspaceReport:
    """Return the report; what was learned, decided and spent counts from `since`, what waits and costs is as it is."""
    facts = all_facts(context)
    files = file_costs(context)
    maybes = waiting_maybes(context)
    return WorkspaceReport(
        name=context.root.name,
        made_at=context.now(),
        since=since,
        is_team=False,
        learned=tuple(_learned(facts, all_decisions(context), since=since)),
        waiting=tuple(load(context, facts)),
        care=tuple(pending_maintenance(context)),
        maybes=len(maybes),
        held=held,
        coverage=coverage,
        files=files,
        assistants=assistant_costs(files),
        decisions=tuple(_decisions(context, since=since)),
        memory=_memory(context, facts, maybes=len(maybes)),
        usage=tuple(_usage(context, since=since)),
        skipped=tuple(dict.fromkeys([*held.skipped, *coverage.skipped, *context.targets.skipped])),
    )


def _learned(facts: Iterable[MemoryFact], decisions: Iterable[Decision], *, since: int | None) -> list[Learned]:
    """Return the facts that hold and were said since then, newest first, with what was decided about each."""
    by_fact: dict[str, list[Decision]] = {}
    for decision in decisions:
        by_fact.setdefault(decision.fact_id, []).append(decision)
    found = [
        _decided(fact, by_fact.get(fact.id, []))
        for fact in facts
        if fact.status is FactStatus.ACTIVE and (since is None or last_said(fact) >= since)
    ]
    return sorted(found, key=lambda one: (-one.fact.timestamp, one.fact.id))


def _decided(fact: MemoryFact, decisions: Iterable[Decision]) -> Learned:
    applied = [one.target for one in decisions if one.status is SuggestionStatus.APPLIED and one.target]
    dismissed = any(one.target is None and one.status is SuggestionStatus.DISMISSED for one in decisions)
    return Learned(fact=fact, applied_to=tuple(sorted(applied)), is_dismissed=dismissed and not applied)


def _decisions(context: Context, *, since: int | None) -> Iterator[Taken]:
    """Yield the last decisions; what was forgotten is not said again."""
    for row in list_decisions(context, limit=KEPT).rows:
        if since is None or row.at >= since:
            yield replace(row, contents=()) if row.verb == FORGOT else row


def _memory(context: Context, facts: Iterable[MemoryFact], *, maybes: int) -> MemoryState:
    entries = context.profile.entries.entries()
    return MemoryState(
        layers=tuple(_layer(layer, [one for one in entries if one.layer is layer]) for layer in Layer),
        facts=sum(fact.status is FactStatus.ACTIVE for fact in facts),
        shared=len(context.facts_file.contents().facts),
        maybes=maybes,
        recalled=sum(one.recall_count for one in entries),
    )


def _layer(layer: Layer, entries: list[Entry]) -> LayerState:
    of_status = {status: [one for one in entries if one.status is status] for status in EntryStatus}
    return LayerState(
        layer=layer.value,
        active=len(of_status[EntryStatus.ACTIVE]),
        waiting=len(of_status[EntryStatus.PENDING]),
        corrected=len(of_status[EntryStatus.INACTIVE]),
        tokens=sum(token_cost_of(one.content) for one in of_status[EntryStatus.ACTIVE]),
    )


def _usage(context: Context, *, since: int | None) -> Iterator[UsageRow]:
    """Yield what models were asked since the day of `since`."""
    first = "" if since is None else day_of(since)
    yield from (row for row in show_usage(context).rows if row.day >= first)
