"""A team's view of a report: what its shared files say, and counts of chats.

Nothing is taken out of the whole report: a new one is made of what is listed here, so that a field that comes later
stays private until somebody thinks of it. Of chats there are counts alone: no words, no days, no names of chats or of
assistants. What goes on the page is redacted once more. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.model import (
    Cause,
    Edit,
    FactStatus,
    Maintenance,
    MemoryFact,
    MemorySuggestion,
    Scope,
    SuggestionStatus,
)
from memsuggest.redact import redact
from memsuggest.reports.coverage_report import CoverageReport, Covering, FileUse, Matter
from memsuggest.reports.workspace_report import FileCost, Learned, WorkspaceReport
from memsuggest.workflows.report.file_costs import assistant_costs
from memsuggest.workflows.report.team_rules import rules_for_team

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from memsuggest.memory.fact_store import Contents

_NEEDS = {
    Cause.LINT: "something in it is not read as it is meant",
    Cause.STALE: "it names something that is gone",
    Cause.BUDGET: "it costs more than its budget",
    Cause.UNHELD: "a rule of it had to be said again",
}
"""What files need, in words that name nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The parts that everybody who has the repo can see in it."""

    name: str
    """Of the repo; empty where nobody but this person calls it so."""
    contents: Contents
    """Of the team's file."""
    uris: Collection[str]
    """Customization files that are committed."""
    local: Collection[str] = ()
    """Those that are not: this person's own."""
    own_lines: Mapping[str, Collection[int]] = field(default_factory=dict)
    """Numbers of the lines of committed files that are not committed themselves."""


def for_team(report: WorkspaceReport, shared: Shared) -> WorkspaceReport:
    """Return the report as the team may see it."""
    facts = {fact.id: _said_by_team(fact) for fact in shared.contents.facts if _is_teams(fact)}
    files = tuple(_file(one, shared) for one in report.files if one.uri in shared.uris)
    own_lines = {uri: shared.own_lines.get(uri, ()) for uri in shared.uris}
    return WorkspaceReport(
        name=redact(shared.name).text,
        made_at=report.made_at,
        since=report.since,
        is_team=True,
        learned=tuple(_learned(facts, shared, since=report.since)),
        waiting=tuple(_waiting(report, facts, shared)),
        care=tuple(_care(report, shared)),
        maybes=0,
        held=rules_for_team(report.held, own_lines=own_lines, facts=facts),
        coverage=_coverage(report.coverage, facts, shared),
        files=files,
        assistants=assistant_costs(files),
    )


def _is_teams(fact: MemoryFact) -> bool:
    return fact.scope is Scope.WORKSPACE and fact.status is FactStatus.ACTIVE


def _said_by_team(fact: MemoryFact) -> MemoryFact:
    """Return a fact as the shared file has it, without the quotes that a team may have chosen to share."""
    return MemoryFact(
        id=fact.id,
        content=redact(fact.content).text,
        reason=redact(fact.reason).text,
        kind=fact.kind,
        scope=fact.scope,
        confidence=fact.confidence,
        timestamp=fact.timestamp,
        is_shared=True,
    )


def _learned(facts: Mapping[str, MemoryFact], shared: Shared, *, since: int | None) -> Iterator[Learned]:
    decisions = [one for one in shared.contents.decisions if one.fact_id in facts]
    applied = [one for one in decisions if one.status is SuggestionStatus.APPLIED]
    dismissed = {one.fact_id for one in decisions if one.status is SuggestionStatus.DISMISSED and one.target is None}
    for fact in sorted(facts.values(), key=lambda one: (-one.timestamp, one.id)):
        if since is None or fact.timestamp >= since:
            given = (one.target for one in applied if one.fact_id == fact.id and one.target)
            targets = sorted(uri for uri in given if uri in shared.uris)
            yield Learned(fact=fact, applied_to=tuple(targets), is_dismissed=fact.id in dismissed and not targets)


def _waiting(report: WorkspaceReport, facts: Mapping[str, MemoryFact], shared: Shared) -> Iterator[MemorySuggestion]:
    """Yield what waits of the team's own facts, without the words of whom it waits for."""
    for one in report.waiting:
        place = one.target_uri or one.suggested_file_name or ""
        is_new_file = one.target_uri is None and not _is_outside(place)
        if one.fact and one.fact.id in facts and place not in shared.local and (is_new_file or place in shared.uris):
            yield MemorySuggestion(
                id=one.id,
                fact=facts[one.fact.id],
                target_type=one.target_type,
                target_uri=one.target_uri,
                suggested_file_name=one.suggested_file_name,
                suggested_merge_content="",
                edit=Edit(path=place, before=None, after=None),
            )


def _is_outside(path: str) -> bool:
    return path.startswith(("/", "~", "\\")) or ":" in path or ".." in path.split("/")


def _care(report: WorkspaceReport, shared: Shared) -> Iterator[MemorySuggestion]:
    for one in report.care:
        if one.maintenance and one.target_uri and one.target_uri in shared.uris:
            cause = one.maintenance.cause
            yield MemorySuggestion(
                id=one.id,
                maintenance=Maintenance(id=one.maintenance.id, cause=cause, content=_NEEDS[cause]),
                target_type=one.target_type,
                target_uri=one.target_uri,
                suggested_merge_content="",
                edit=Edit(path=one.target_uri, before=None, after=None),
            )


def _coverage(found: CoverageReport, facts: Mapping[str, MemoryFact], shared: Shared) -> CoverageReport:
    matters = []
    for one in found.matters:
        known = next((facts[name] for name in one.fact_ids if name in facts), None)
        if known:
            lines = tuple(
                Covering(uri=line.uri, line=line.line, text=redact(line.text).text)
                for line in one.covered_by
                if line.uri in shared.uris
            )
            matters.append(
                Matter(
                    fact_ids=(known.id,),
                    content=known.content,
                    scope=Scope.WORKSPACE,
                    times=one.times,
                    chats=one.chats,
                    others=one.others,
                    covered_by=lines,
                )
            )
    files = tuple(
        FileUse(
            uri=one.uri,
            tokens=one.tokens,
            rules=one.rules,
            loaded=one.loaded,
            touched=one.touched,
            is_known=one.is_known,
        )
        for one in found.files
        if one.uri in shared.uris
    )
    return CoverageReport(matters=tuple(matters), files=files, chats=found.chats, last=found.last)


def _file(one: FileCost, shared: Shared) -> FileCost:
    is_about_own = any("~" in told or any(uri in told for uri in shared.local) for told in one.warnings)
    return FileCost(
        uri=one.uri,
        type=one.type,
        scope=Scope.WORKSPACE,
        tokens=one.tokens,
        budget=one.budget,
        when=one.when,
        applies_to=one.applies_to,
        assistants=one.assistants,
        warnings=() if is_about_own else tuple(redact(told).text for told in one.warnings),
    )
