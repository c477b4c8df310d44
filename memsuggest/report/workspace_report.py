"""All that one workspace has to tell: what was learned, what waits, what holds, what it costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, TypedDict

from memsuggest.core.json_shape import Also, From, Hidden, Key, fill, or_null
from memsuggest.core.model import Cause, Citation, Kind, MemoryFact, MemorySuggestion, Scope, Skipped, TargetType
from memsuggest.core.text.when import iso
from memsuggest.held.coverage_report import CoverageReport
from memsuggest.held.held_report import (
    ChatShare,
    HeldOutcome,
    HeldReport,
    HeldRule,
    RemedyKind,
    share_before,
    share_since,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A fact, in numbers."""

    id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The rule, in a line.")
    kind: ClassVar = Also("fact.kind", Kind)
    scope: ClassVar = Also("fact.scope", Scope, "`workspace`: about this repo; `user`: about the person.")
    at: ClassVar = Also("fact.timestamp", str | None, "When it was said first, as ISO 8601.", iso)
    times: ClassVar = Also("quoted", int, "How often it was said, where the words are here.", len)
    applied_to: Annotated[tuple[str, ...], "The files that it was written into."] = ()
    is_dismissed: Annotated[bool, Key("dismissed")] = False
    fact: Hidden[MemoryFact]

    @property
    def quoted(self) -> tuple[Citation, ...]:
        """The evidence whose words are here."""
        return tuple(one for one in self.fact.citations if one.quote)


class LoadedWhen(StrEnum):
    """The moment at which an assistant reads a file."""

    ALWAYS = "always"
    FOR_PATHS = "forPaths"
    """For files that its patterns, or its folder, name."""
    ON_DEMAND = "onDemand"
    """When it is called, or its description fits."""
    NEVER = "never"
    """A hook runs; no model reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCost:
    """A customization file and what it costs."""

    uri: Annotated[str, "Relative to the root, or `~/…`."]
    type: TargetType
    scope: Annotated[Scope, "Whom it concerns."]
    tokens: Annotated[int, "About how many; 0 for what no model reads."]
    budget: Annotated[int | None, "How many it may cost before it is said; null for what no model reads."]
    when: Annotated[LoadedWhen, "When an assistant that reads it does so."]
    applies_to: Annotated[str | None, "Its patterns."]
    assistants: Annotated[tuple[str, ...], "Those that read it by themselves."]
    warnings: Annotated[tuple[str, ...], "What is odd about it."] = ()

    @property
    def is_over(self) -> bool:
        """Tell whether it is past its budget."""
        return self.budget is not None and self.tokens > self.budget


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantCost:
    """The cost of the files that one assistant reads, in tokens."""

    assistant: str
    always: Annotated[int, "Before anybody types a word."]
    for_paths: Annotated[int, "What comes with some files, all of them together."]
    on_demand: Annotated[int, "What is read when it is called."]
    files: int

    @property
    def tokens(self) -> int:
        """All of it."""
        return self.always + self.for_paths + self.on_demand


class WaitingJson(TypedDict):
    """A rule, or what a file needs by itself, that is pending."""

    id: str
    content: Annotated[str, "The rule; else what is wrong with the file."]
    cause: Annotated[Cause | None, "What a file needs; null for a rule.", From("maintenance.cause")]
    targetType: TargetType
    file: Annotated[str, "Where it would be written.", From("edit.path")]


def _before(rule: HeldRule) -> object:
    return fill(ChatShare, share_before(rule))


def _since(rule: HeldRule) -> object:
    return fill(ChatShare, share_since(rule))


class RuleNumbersJson(TypedDict):
    """One rule of one file, in numbers."""

    id: Annotated[str, "What `held` takes."]
    uri: Annotated[str, "The file, relative to the root, or `~/…`."]
    line: Annotated[int, "From 1."]
    content: Annotated[str, "Its words in the file."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in a sentence."]
    inForceSince: Annotated[
        str | None, "As ISO 8601; null where a team's report does not say.", From("since", lambda at: iso(at or None))
    ]
    before: Annotated[ChatShare, From(".", _before)]
    since: Annotated[ChatShare, "Chats whose assistant had read it.", From(".", _since)]
    notRead: Annotated[
        int,
        "Chats in which it was relevant and whose assistant had not read it.",
        From("not_read", lambda rows: sum(row.chats for row in rows)),
    ]
    atMost: Annotated[float, "The highest share of chats in which it may be said again, with 95 % certainty."]
    remedies: Annotated[list[RemedyKind], "Best first.", From(to=lambda rows: [one.kind for one in rows])]


class HeldNumbersJson(TypedDict):
    """The numbers of rules by their outcomes."""

    chats: Annotated[int, "Chats that were looked at."]
    holds: Annotated[int, From(".", lambda held: held.count(HeldOutcome.HOLDS))]
    doesNotHold: Annotated[int, From(".", lambda held: held.count(HeldOutcome.DOES_NOT_HOLD))]
    untested: Annotated[int, From(".", lambda held: held.count(HeldOutcome.UNTESTED))]
    notLoaded: Annotated[int, From(".", lambda held: held.count(HeldOutcome.NOT_LOADED))]
    rules: Annotated[list[RuleNumbersJson], "What does not hold first."]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceReport:
    """The report of a workspace: learned, waiting, holding, and its cost."""

    JSON_NAME = "Report"
    name: Annotated[str, "Of the repo; null where a team's report knows none.", or_null]
    made_at: Annotated[int, "As ISO 8601.", iso]
    since: Annotated[int | None, "From when things count; null: all.", iso]
    is_team: Annotated[bool, "Whether it has only what everybody can see in the repo, and counts.", Key("team")]
    learned: Annotated[tuple[Learned, ...], "Newest first."]
    _applied: ClassVar = Also("applied", int, "How many of these were written into files.")
    _dismissed: ClassVar = Also("dismissed", int)
    pending: Annotated[tuple[Annotated[MemorySuggestion, WaitingJson], ...], "Best first.", Key("waiting")]
    maintenance: Annotated[
        tuple[Annotated[MemorySuggestion, WaitingJson], ...], "What files need by themselves.", Key("care")
    ]
    maybes: Annotated[int, "How many things have low confidence."]
    held: Annotated[HeldReport, HeldNumbersJson]
    coverage: CoverageReport
    files: Annotated[tuple[FileCost, ...], "The dearest first."]
    assistants: Annotated[tuple[AssistantCost, ...], "The dearest first."]
    web: Annotated[str, "The repo's address on the web; null where no remote is known.", or_null] = ""
    head: Hidden[str] = ""
    """The last commit, to which links lead."""
    on_web: Hidden[Collection[str]] = ()
    """The files that are committed, so that a link leads somewhere."""
    commits: Hidden[Mapping[int, str]] = field(default_factory=dict)
    """The commits by their times, in milliseconds."""
    skipped: Annotated[tuple[Skipped, ...], "What was left out."] = ()

    @property
    def applied(self) -> int:
        """The number of facts that stand in files because somebody applied them."""
        return sum(bool(one.applied_to) for one in self.learned)

    @property
    def dismissed(self) -> int:
        """The number of them that were dismissed everywhere."""
        return sum(one.is_dismissed for one in self.learned)
