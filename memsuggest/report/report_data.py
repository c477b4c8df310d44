"""All that one workspace has to tell: what was learned, what waits, what holds, what it costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, TypedDict

from memsuggest.core.json_shape import Also, From, Hidden, Key, fill, or_null
from memsuggest.core.model import Cause, Citation, Kind, MemoryFact, MemorySuggestion, Scope, Skipped, TargetType
from memsuggest.core.text.when import iso
from memsuggest.held.held_report import (
    ChatShare,
    HeldOutcome,
    HeldReport,
    Matter,
    RemedyKind,
    share_before,
    share_since,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A learned fact, with its numbers."""

    id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The rule on one line.")
    kind: ClassVar = Also("fact.kind", Kind)
    scope: ClassVar = Also("fact.scope", Scope, "`workspace`: about this repo; `user`: about you.")
    at: ClassVar = Also("fact.timestamp", str | None, "The time of the first mention, in ISO 8601 format.", iso)
    times: ClassVar = Also("quoted", int, "The number of mentions with a quote.", len)
    applied_to: Annotated[tuple[str, ...], "The files that the rule was written to."] = ()
    is_dismissed: Annotated[bool, Key("dismissed")] = False
    fact: Hidden[MemoryFact]

    @property
    def quoted(self) -> tuple[Citation, ...]:
        return tuple(citation for citation in self.fact.citations if citation.quote)


class LoadedWhen(StrEnum):
    """The moment at which an assistant reads a file."""

    ALWAYS = "always"
    FOR_PATHS = "forPaths"  # for files that its patterns, or its folder, name
    ON_DEMAND = "onDemand"  # when it is called, or its description fits
    NEVER = "never"  # a hook runs; no model reads it


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCost:
    """A customization file and what it costs."""

    uri: Annotated[str, "The file's path, relative to the repo's root or starting with `~/`."]
    type: TargetType
    scope: Annotated[Scope, "Whether the file belongs to the repo or to you."]
    tokens: Annotated[int, "The approximate number of tokens; 0 if no model reads the file."]
    budget: Annotated[int | None, "The token budget; null if no model reads the file."]
    when: Annotated[LoadedWhen, "When assistants load the file."]
    applies_to: Annotated[str | None, "The file's patterns."]
    assistants: Annotated[tuple[str, ...], "The assistants that read the file by default."]
    warnings: Annotated[tuple[str, ...], "Warnings about the file."] = ()

    @property
    def is_over(self) -> bool:
        return self.budget is not None and self.tokens > self.budget


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantCost:
    """The cost of the files that one assistant reads, in tokens."""

    assistant: str
    always: Annotated[int, "The tokens loaded before the first message."]
    for_paths: Annotated[int, "The total number of tokens loaded only for certain files."]
    on_demand: Annotated[int, "The number of tokens in files that are loaded only on demand."]
    files: int

    @property
    def tokens(self) -> int:
        return self.always + self.for_paths + self.on_demand


class WaitingJson(TypedDict):
    """A pending rule, or pending maintenance of a file."""

    id: str
    content: Annotated[str, "The rule, or the problem with the file."]
    cause: Annotated[Cause | None, "Why the file needs maintenance; null for a rule.", From("maintenance.cause")]
    targetType: TargetType
    file: Annotated[str, "The target file.", From("edit.path")]


class RuleNumbersJson(TypedDict):
    """A rule in a file, in numbers."""

    id: Annotated[str, "The rule's ID, which `held` accepts."]
    uri: Annotated[str, "The file's path, relative to the repo's root or starting with `~/`."]
    line: Annotated[int, "The number of the rule's first line, starting at 1."]
    content: Annotated[str, "The rule's text in the file."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in one sentence."]
    inForceSince: Annotated[
        str | None,
        "The time at which the rule took effect, in ISO 8601 format; null in a team report.",
        From("since", lambda at: iso(at or None)),
    ]
    before: Annotated[ChatShare, From(".", lambda rule: fill(ChatShare, share_before(rule)))]
    since: Annotated[
        ChatShare, "Later chats where the rule was read.", From(".", lambda rule: fill(ChatShare, share_since(rule)))
    ]
    notRead: Annotated[
        int,
        "The number of chats where the rule was relevant but the assistant had not read it.",
        From("not_read", lambda rows: sum(row.chats for row in rows)),
    ]
    atMost: Annotated[float, "The upper bound (95% confidence) on the share of chats in which the rule is repeated."]
    remedies: Annotated[
        list[RemedyKind], "Remedies, best first.", From(to=lambda rows: [remedy.kind for remedy in rows])
    ]


class HeldNumbersJson(TypedDict):
    """The numbers of rules by their outcomes."""

    chats: Annotated[int, "The number of chats analyzed."]
    holds: Annotated[int, From(".", lambda held: held.count(HeldOutcome.HOLDS))]
    doesNotHold: Annotated[int, From(".", lambda held: held.count(HeldOutcome.DOES_NOT_HOLD))]
    untested: Annotated[int, From(".", lambda held: held.count(HeldOutcome.UNTESTED))]
    notLoaded: Annotated[int, From(".", lambda held: held.count(HeldOutcome.NOT_LOADED))]
    rules: Annotated[list[RuleNumbersJson], "The rules, with those that do not hold first."]
    gaps: Annotated[list[Matter], "Rules that are in no file, sorted by mentions × chats, highest first."]
    covered: Annotated[list[Matter], "Rules that are already in a file."]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceReport:
    """A workspace's report: what was learned, what is pending, which rules hold, and what the files cost."""

    JSON_NAME = "Report"
    name: Annotated[str, "The repo's name; null in a team report if the repo has no known remote.", or_null]
    made_at: Annotated[int, "The time of the report, in ISO 8601 format.", iso]
    since: Annotated[int | None, "The start of the period; null for all time.", iso]
    is_team: Annotated[bool, "Whether the report is limited to the repo's shared files and chat counts.", Key("team")]
    learned: Annotated[tuple[Learned, ...], "The learned facts, newest first."]
    _applied: ClassVar = Also("applied", int, "The number of learned facts written to files.")
    _dismissed: ClassVar = Also("dismissed", int)
    pending: Annotated[tuple[Annotated[MemorySuggestion, WaitingJson], ...], "Rules, best first.", Key("waiting")]
    maintenance: Annotated[
        tuple[Annotated[MemorySuggestion, WaitingJson], ...], "Maintenance that the files need.", Key("care")
    ]
    maybes: Annotated[int, "The number of low-confidence suggestions."]
    held: Annotated[HeldReport, HeldNumbersJson]
    files: Annotated[tuple[FileCost, ...], "The files, highest cost first."]
    assistants: Annotated[tuple[AssistantCost, ...], "Assistants with chats in this repo come first."]
    web: Annotated[str, "The repo's web address; null if it has no known remote.", or_null] = ""
    head: Hidden[str] = ""  # the last commit, to which links lead
    on_web: Hidden[Collection[str]] = ()  # the files that are committed, so that a link leads somewhere
    commits: Hidden[Mapping[int, str]] = field(default_factory=dict)  # the commits by their times, in milliseconds
    skipped: Annotated[tuple[Skipped, ...], "Skipped items."] = ()

    @property
    def applied(self) -> int:
        return sum(bool(fact.applied_to) for fact in self.learned)

    @property
    def dismissed(self) -> int:
        return sum(fact.is_dismissed for fact in self.learned)
