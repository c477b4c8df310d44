"""Making the report: gathering what it says, what of it everybody may see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.core.config.checks import Mode
from memsuggest.core.git import git_text, run_git
from memsuggest.core.model import FactStatus, Scope, SuggestionStatus
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.lint.budget import token_cost_of
from memsuggest.facts.codec import parse
from memsuggest.facts.contradictions import last_said
from memsuggest.facts.fact_store import Contents
from memsuggest.facts.facts_file import PLACE, contents_of
from memsuggest.facts.stores import all_decisions, all_facts, waiting_maybes
from memsuggest.files.journal import FORGOT, KEPT
from memsuggest.held.coverage_report import CoverageReport
from memsuggest.held.find_coverage import coverage_now
from memsuggest.held.find_held import find_held
from memsuggest.judging.asking.usage_ledger import day_of
from memsuggest.judging.model_access import show_usage
from memsuggest.memory.entry import EntryStatus, Layer
from memsuggest.report.team_view import Shared, assistant_costs, file_costs, for_team
from memsuggest.report.workspace_report import LayerState, Learned, MemoryState, WorkspaceReport
from memsuggest.suggestions.pending import load, pending_maintenance
from memsuggest.suggestions.undo import list_decisions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memsuggest.core.context import Context
    from memsuggest.core.model import Decision, MemoryFact, Target
    from memsuggest.held.held_report import HeldReport
    from memsuggest.judging.asking.usage_ledger import UsageRow
    from memsuggest.memory.entry import Entry
    from memsuggest.suggestions.decision_reports import Taken


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


LAST_CHATS = 20
"""A file is idle that none of so many chats used; the same as `coverage` counts."""


def make_report(
    context: Context, *, since: int | None, is_team: bool, progress: Callable[[int, int, str], None]
) -> WorkspaceReport:
    """Return the report of a workspace; for the team, only what everybody can see in the repo, and counts."""
    held = find_held(context, since=since, progress=progress)
    is_off = context.settings.mode is Mode.OFF
    empty = CoverageReport(matters=(), files=(), chats=0, last=0)
    coverage = empty if is_off else coverage_now(context, last=LAST_CHATS, since=since)
    report = gather(context, since=since, held=held, coverage=coverage)
    return for_team(report, shared_parts(context)) if is_team else report


_OWN = ".local."
"""In the name of a file that hosts leave to the person: `CLAUDE.local.md`, `settings.local.json`."""


def shared_parts(context: Context) -> Shared:
    """Return what is committed; outside of git nobody shares anything but the team's file."""
    tracked = set(context.targets.tracked_paths if context.place.git_folder else ())
    files = [one.uri for one in context.targets.targets]
    own = {one.uri for one in context.targets.targets if one.scope is Scope.USER}
    shared = {uri for uri in files if uri in tracked and uri not in own and _OWN not in uri.rpartition("/")[2].lower()}
    return Shared(
        name=_repository_name(context),
        contents=_committed_facts(context),
        uris=frozenset(shared),
        local=frozenset(files) - shared,
        own_lines={one.uri: _own_lines(context, one) for one in context.targets.targets if one.uri in shared},
    )


def _committed_facts(context: Context) -> Contents:
    """Return what the team's file holds as it was committed last; outside of git, as it is."""
    if not run_git(context.root, "rev-parse", "--git-dir"):
        return context.facts_file.contents()
    shown = run_git(context.root, "show", f"HEAD:./{PLACE}")
    if shown is None:
        return Contents()
    return contents_of(parse(shown.decode("utf-8", "replace"), name=f"{PLACE} in HEAD"))


def _own_lines(context: Context, target: Target) -> frozenset[int]:
    """Return the numbers of the lines of a file that its last commit has not: this person's own, until they commit."""
    committed = {bare(line) for line in split_lines(git_text(context.root, "show", f"HEAD:./{target.uri}"))}
    lines = (bare(line) for line in split_lines(target.text))
    return frozenset(number for number, line in enumerate(lines, start=1) if line not in committed)


def _repository_name(context: Context) -> str:
    """Return the repo's name by its address, as everybody has it; a folder's name may be this person's own."""
    address = git_text(context.root, "config", "--get", "remote.origin.url").strip()
    is_folder = address.startswith((".", "/", "~", "file:", "\\")) or address[1:3] == ":\\" or "/" not in address
    return "" if is_folder else address.rstrip("/").rpartition("/")[2].removesuffix(".git")
