"""Making the report: what it says, and what of it everybody may see.

Nothing is taken out of the whole report for the team: a new one is made of what is listed in `for_team`, so that a
field that comes later stays private until somebody thinks of it. Of chats there are counts alone: no words, no days, no
names of chats or of assistants. What goes on the page is redacted once more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from memsuggest.core.context import Context
from memsuggest.core.git import git_text, run_git
from memsuggest.core.model import (
    Cause,
    Decision,
    Edit,
    FactStatus,
    Maintenance,
    MemoryFact,
    MemorySuggestion,
    Scope,
    SuggestionStatus,
    Target,
    TargetType,
)
from memsuggest.core.redact.redaction_rules import redact
from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.loading import cost_of
from memsuggest.facts.codec import parse
from memsuggest.facts.contradictions import last_said
from memsuggest.facts.fact_store import Contents
from memsuggest.facts.facts_file import PLACE, contents_of
from memsuggest.facts.stores import all_decisions, all_facts
from memsuggest.held.find_held import find_held, noted_chats
from memsuggest.held.held_report import (
    ChatRow,
    HeldOutcome,
    HeldReport,
    HeldRule,
    Matter,
    NotReadBy,
    Remedy,
    RemedyKind,
    SaidAgain,
    SinceFrom,
)
from memsuggest.report.report_data import AssistantCost, FileCost, Learned, LoadedWhen, WorkspaceReport
from memsuggest.suggestions.bridges import PROGRAMS, readers
from memsuggest.suggestions.pending import load, pending_maintenance
from memsuggest.suggestions.rank_places import list_targets

_COMMITS = 20_000
_REMOTE = re.compile(r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?|[\w.-]+@)(?P<host>[\w.-]+)(?::\d+)?[:/](?P<path>[\w./~-]+)")
_OWN = ".local."  # in the name of a file that hosts leave to the person: `CLAUDE.local.md`, `settings.local.json`
_NEEDS = {
    Cause.LINT: "part of the file is not interpreted as intended",
    Cause.STALE: "the file refers to something that no longer exists",
    Cause.BUDGET: "the file exceeds its token budget",
    Cause.UNREAD: "an assistant does not read a file that contains a rule",
    Cause.UNHELD: "one of the file's rules had to be repeated",
}
"""What files need, in words that name nobody."""
WHY = {
    HeldOutcome.HOLDS: "relevant in enough chats and rarely or never repeated",
    HeldOutcome.DOES_NOT_HOLD: "repeated to an assistant that had read the file",
    HeldOutcome.UNTESTED: "relevant in too few chats to tell",
    HeldOutcome.NOT_LOADED: "relevant, but no assistant had read the file",
}
"""Each outcome in words that name nobody."""
_REMEDIES = {
    RemedyKind.SHARPER: "make the rule more specific",
    RemedyKind.EXAMPLE: "add an example next to the rule",
    RemedyKind.OTHER_FILE: "move the rule to a file that assistants read",
    RemedyKind.REMOVE: "remove the rule",
}


def make_report(
    context: Context, *, since: int | None, is_team: bool, progress: Callable[[int, int, str], None]
) -> WorkspaceReport:
    """Return the report of a workspace; for the team, only what everybody can see in the repo, and counts.

    What was learned, decided and spent counts from `since`, what waits and costs is as it is.
    """
    held = find_held(context, since=since, progress=progress)
    facts, files = all_facts(context), file_costs(context)
    said = [fact for fact in facts if fact.status is FactStatus.ACTIVE and (since is None or last_said(fact) >= since)]
    # The assistants of the chats, of those of which it is known what they read.
    chats = {chat.assistant for chat in noted_chats(context) if since is None or (chat.begun or 0) >= since}
    used = {name for name, host in PROGRAMS.items() if name in chats or host in chats}
    report = WorkspaceReport(
        name=context.root.name,
        made_at=context.now(),
        since=since,
        is_team=False,
        learned=learned_from(said, all_decisions(context)),
        pending=tuple(load(context, facts)),
        maintenance=tuple(pending_maintenance(context)),
        maybes=held.maybes,
        held=held,
        files=files,
        assistants=assistant_costs(files, used=used),
        skipped=tuple(dict.fromkeys([*held.skipped, *context.targets.skipped])),
        **_on_web(context),
    )
    return for_team(report, shared_parts(context)) if is_team else report


def _on_web(context: Context) -> dict[str, Any]:
    web = _web(context)
    if not web:
        return {}
    logged = git_text(context.root, "log", f"-{_COMMITS}", "--format=%ct %H").split()
    times = [int(moment) * 1000 for moment in logged[::2]]
    many = Counter(times)
    return {
        "web": web,
        "head": next(iter(logged[1::2]), "HEAD"),
        "on_web": frozenset(context.targets.tracked_paths),
        "commits": {moment: name for moment, name in zip(times, logged[1::2], strict=True) if many[moment] == 1},
    }


def _web(context: Context) -> str:
    """Return where the repo stands on the web; nothing for a folder, or what has no such address."""
    found = _REMOTE.fullmatch(git_text(context.root, "config", "--get", "remote.origin.url").strip())
    return f"https://{found['host']}/{found['path'].strip('/').removesuffix('.git')}" if found else ""


def learned_from(
    facts: Iterable[MemoryFact], decisions: Iterable[Decision], *, uris: Collection[str] | None = None
) -> tuple[Learned, ...]:
    """Return facts, newest first, with what was decided about each; of the files, those of `uris` alone."""
    applied: dict[str, set[str]] = {}
    dismissed = set()
    for decision in decisions:
        target = decision.target
        if decision.status is SuggestionStatus.APPLIED and target and (uris is None or target in uris):
            applied.setdefault(decision.fact_id, set()).add(target)
        elif decision.status is SuggestionStatus.DISMISSED and target is None:
            dismissed.add(decision.fact_id)
    return tuple(
        Learned(
            fact=fact,
            applied_to=tuple(sorted(applied.get(fact.id, ()))),
            is_dismissed=fact.id in dismissed and fact.id not in applied,
        )
        for fact in sorted(facts, key=lambda fact: (-fact.timestamp, fact.id))
    )


def file_costs(context: Context) -> tuple[FileCost, ...]:
    """Return the customization files of the repo and of the person, highest cost first."""
    rows = {row.path: row for row in list_targets(context, source_file=None).rows}

    def when(target: Target) -> LoadedWhen:
        if target.type is TargetType.HOOK:
            return LoadedWhen.NEVER
        if target.type is not TargetType.INSTRUCTIONS or not target.applies_to:
            return LoadedWhen.ON_DEMAND
        return LoadedWhen.ALWAYS if is_unconditional(target.applies_to) else LoadedWhen.FOR_PATHS

    found = [
        FileCost(
            uri=target.uri,
            type=target.type,
            scope=target.scope,
            tokens=rows[target.uri].tokens,
            budget=cost_of(target).budget,
            when=when(target),
            applies_to=target.applies_to,
            assistants=() if target.type is TargetType.HOOK else readers(context, target.uri).reading,
            warnings=rows[target.uri].warnings,
        )
        for target in context.targets.targets
    ]
    return tuple(sorted(found, key=lambda cost: (-cost.tokens, cost.uri)))


def assistant_costs(files: Iterable[FileCost], *, used: Collection[str] = ()) -> tuple[AssistantCost, ...]:
    """Return what the files come to for each assistant that is used here or reads any.

    Those that are used come first, then those whose files cost most before the first word.
    """
    tokens: dict[str, Counter[LoadedWhen]] = {name: Counter() for name in used}
    count: Counter[str] = Counter()
    for file in files:
        for name in file.assistants:
            tokens.setdefault(name, Counter())[file.when] += file.tokens
            count[name] += 1
    found = [
        AssistantCost(
            assistant=name,
            always=read[LoadedWhen.ALWAYS],
            for_paths=read[LoadedWhen.FOR_PATHS],
            on_demand=read[LoadedWhen.ON_DEMAND],
            files=count[name],
        )
        for name, read in tokens.items()
    ]
    return tuple(
        sorted(found, key=lambda cost: (cost.assistant not in used, -cost.always, -cost.tokens, cost.assistant))
    )


# What the team sees.


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The parts that everybody who has the repo can see in it."""

    name: str  # of the repo; empty where nobody but this person calls it so
    contents: Contents  # of the team's file
    uris: Collection[str]  # customization files that are committed
    local: Collection[str] = ()  # those that are not: this person's own
    own_lines: Mapping[str, Collection[int]] = field(default_factory=dict)
    """Numbers of the lines of committed files that are not committed themselves."""


def shared_parts(context: Context) -> Shared:
    """Return what is committed; outside of git nobody shares anything but the team's file."""
    tracked = set(context.targets.tracked_paths if context.place.git_folder else ())
    targets = {
        target.uri: target
        for target in context.targets.targets
        if target.uri in tracked
        and target.scope is not Scope.USER
        and _OWN not in target.uri.rpartition("/")[2].lower()
    }

    def own_lines(target: Target) -> frozenset[int]:
        committed = {bare(line) for line in split_lines(git_text(context.root, "show", f"HEAD:./{target.uri}"))}
        lines = (bare(line) for line in split_lines(target.text))
        return frozenset(number for number, line in enumerate(lines, start=1) if line not in committed)

    if not run_git(context.root, "rev-parse", "--git-dir"):
        contents = context.facts_file.contents()
    else:
        shown = run_git(context.root, "show", f"HEAD:./{PLACE}")
        text = None if shown is None else shown.decode("utf-8", "replace")
        contents = Contents() if text is None else contents_of(parse(text, name=f"{PLACE} in HEAD"))
    return Shared(
        name=_web(context).rpartition("/")[2],
        contents=contents,
        uris=frozenset(targets),
        local=frozenset(target.uri for target in context.targets.targets if target.uri not in targets),
        own_lines={uri: own_lines(target) for uri, target in targets.items()},
    )


def for_team(report: WorkspaceReport, shared: Shared) -> WorkspaceReport:
    """Return the report as the team may see it."""
    facts = {
        fact.id: _only(
            fact,
            "id kind scope confidence timestamp",
            is_shared=True,
            content=redact(fact.content).text,
            reason=redact(fact.reason).text,
        )
        for fact in shared.contents.facts
        if fact.scope is Scope.WORKSPACE and fact.status is FactStatus.ACTIVE
    }
    said = [fact for fact in facts.values() if report.since is None or fact.timestamp >= report.since]
    files = tuple(_file(file, shared) for file in report.files if file.uri in shared.uris)
    return WorkspaceReport(
        name=redact(shared.name).text,
        made_at=report.made_at,
        since=report.since,
        is_team=True,
        learned=learned_from(said, shared.contents.decisions, uris=shared.uris),
        pending=tuple(_pending(report, facts, shared)),
        maintenance=tuple(_maintenance(report, shared)),
        maybes=0,
        held=HeldReport(
            rules=tuple(
                _rule(rule, is_fact_shared=rule.fact_id in facts)
                for rule in report.held.rules
                if rule.uri in shared.uris
                and not set(range(rule.line, rule.last_line + 1)).intersection(shared.own_lines.get(rule.uri, ()))
            ),
            chats=report.held.chats,
            since=report.held.since,
            matters=tuple(_matters(report.held, facts, shared)),
        ),
        files=files,
        assistants=assistant_costs(files),
        web=report.web,
        head=report.head,
        on_web=frozenset(shared.uris),
    )


Given = TypeVar("Given")


def _only(value: Given, names: str, **given: Any) -> Given:
    return type(value)(**{name: getattr(value, name) for name in names.split()}, **given)


def _pending(report: WorkspaceReport, facts: Mapping[str, MemoryFact], shared: Shared) -> Iterator[MemorySuggestion]:
    for suggestion in report.pending:
        place = suggestion.target_uri or suggestion.suggested_file_name or ""
        is_outside = place.startswith(("/", "~", "\\")) or ":" in place or ".." in place.split("/")
        is_new_file = suggestion.target_uri is None and not is_outside
        if (
            suggestion.fact
            and suggestion.fact.id in facts
            and place not in shared.local
            and (is_new_file or place in shared.uris)
        ):
            edit = Edit(path=place, before=None, after=None)
            kept = "id target_type target_uri suggested_file_name"
            yield _only(suggestion, kept, fact=facts[suggestion.fact.id], suggested_merge_content="", edit=edit)


def _maintenance(report: WorkspaceReport, shared: Shared) -> Iterator[MemorySuggestion]:
    for need in report.maintenance:
        if need.maintenance and need.target_uri and need.target_uri in shared.uris:
            cause = need.maintenance.cause
            needs = Maintenance(id=need.maintenance.id, cause=cause, content=_NEEDS[cause])
            edit = Edit(path=need.target_uri, before=None, after=None)
            yield _only(need, "id target_type target_uri", maintenance=needs, suggested_merge_content="", edit=edit)


def _matters(found: HeldReport, facts: Mapping[str, MemoryFact], shared: Shared) -> Iterator[Matter]:
    for matter in found.matters:
        known = next((facts[name] for name in matter.fact_ids if name in facts), None)
        if known:
            lines = (line for line in matter.covered_by if line.uri in shared.uris)
            covered = tuple(_only(line, "uri line", text=redact(line.text).text) for line in lines)
            words = {"fact_ids": (known.id,), "content": known.content, "scope": Scope.WORKSPACE, "covered_by": covered}
            yield _only(matter, "times chats others", **words)


def _file(file: FileCost, shared: Shared) -> FileCost:
    is_about_own = any(own in warning for warning in file.warnings for own in ("~", *shared.local))
    warnings = () if is_about_own else tuple(redact(warning).text for warning in file.warnings)
    kept = "uri type tokens budget when applies_to assistants"
    return _only(file, kept, scope=Scope.WORKSPACE, warnings=warnings)


def _rule(rule: HeldRule, *, is_fact_shared: bool) -> HeldRule:
    names: dict[str, str] = {}

    def number(row: ChatRow | SaidAgain) -> str:
        return names.setdefault(row.session_id, str(len(names) + 1))

    def chats(rows: Iterable[ChatRow]) -> tuple[ChatRow, ...]:
        return tuple(ChatRow(session_id=number(row), at=0, assistant="", path="") for row in rows)

    def said(rows: Iterable[SaidAgain]) -> tuple[SaidAgain, ...]:
        empty = {"turn": 0, "quote": "", "rule": "", "at": None, "assistant": ""}
        return tuple(_only(row, "is_correction", session_id=number(row), **empty) for row in rows)

    # anybody can look up a commit's date; when somebody applied a rule is their own affair
    is_dated = rule.since_from is SinceFrom.GIT
    unread = sum(row.chats for row in rule.not_read)
    kinds = dict.fromkeys(remedy.kind for remedy in rule.remedies)
    return _only(
        rule,
        "id uri line last_line outcome chats at_most",
        content=redact(rule.content).text,
        heading=redact(rule.heading).text,
        fact_id=rule.fact_id if is_fact_shared else "",
        since=rule.since if is_dated else 0,
        since_from=rule.since_from if is_dated else SinceFrom.SEEN,
        why=WHY[rule.outcome],
        exposed=chats(rule.exposed),
        said_again=said(rule.said_again),
        not_read=(NotReadBy(assistant="", chats=unread, why=""),) if unread else (),
        said_unread=said(rule.said_unread),
        exposed_before=chats(rule.exposed_before),
        said_before=said(rule.said_before),
        remedies=tuple(Remedy(kind=kind, what=_REMEDIES[kind], why="") for kind in kinds),
    )
