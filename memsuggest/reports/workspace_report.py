"""All that one workspace has to tell: what was learned, what waits, what holds, what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.asking.usage_ledger import UsageRow
    from memsuggest.model import Citation, MemoryFact, MemorySuggestion, Scope, Skipped, TargetType
    from memsuggest.reports.coverage_report import CoverageReport
    from memsuggest.reports.decision_reports import Taken
    from memsuggest.reports.held_report import ChatRow, HeldReport, HeldRule, SaidAgain


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A fact, and what was decided about it."""

    fact: MemoryFact
    applied_to: tuple[str, ...] = ()
    """The files that it was written into."""
    is_dismissed: bool = False

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

    uri: str
    type: TargetType
    scope: Scope
    tokens: int
    budget: int | None
    """How much it may cost before it is said; None where no model reads it."""
    when: LoadedWhen
    applies_to: str | None
    assistants: tuple[str, ...]
    """Those that read it by themselves."""
    warnings: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Tell whether it is past its budget."""
        return self.budget is not None and self.tokens > self.budget


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantCost:
    """The cost of the files that one assistant reads."""

    assistant: str
    always: int
    """Tokens before anybody types a word."""
    for_paths: int
    """Tokens that come with some files, all of them together."""
    on_demand: int
    files: int

    @property
    def tokens(self) -> int:
        """All of it."""
        return self.always + self.for_paths + self.on_demand


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerState:
    """The size of one layer of memory."""

    layer: str
    """`L0`, `L1` or `L2`."""
    active: int
    waiting: int
    """What contradicts the person's word, and waits for theirs."""
    corrected: int
    tokens: int
    """Of what is active."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryState:
    """The state of memory."""

    layers: tuple[LayerState, ...]
    facts: int
    shared: int
    """Facts in the team's file."""
    maybes: int
    recalled: int
    """How often something of it was given to an assistant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatShare:
    """In how many of the chats in which a rule mattered it was said."""

    said: int
    of: int


def share_before(rule: HeldRule) -> ChatShare:
    """Count the chats from before a rule was in force, without the one in which it was said first."""
    return _share(rule.exposed_before, rule.said_before)


def share_since(rule: HeldRule) -> ChatShare:
    """Count the chats since, of assistants that had read it."""
    return _share(rule.exposed, rule.said_again)


def _share(mattered: Iterable[ChatRow], said: Iterable[SaidAgain]) -> ChatShare:
    chats = {one.session_id for one in mattered}
    return ChatShare(said=len(chats & {one.session_id for one in said}), of=len(chats))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceReport:
    """The answer of `report`."""

    name: str
    """Of the repo; empty where a team's report does not know one."""
    made_at: int
    """Milliseconds since the epoch."""
    since: int | None
    is_team: bool
    """Only what everybody can see in the repo, and counts."""
    learned: tuple[Learned, ...]
    """Newest first."""
    waiting: tuple[MemorySuggestion, ...]
    care: tuple[MemorySuggestion, ...]
    """What files need by themselves."""
    maybes: int
    held: HeldReport
    coverage: CoverageReport
    files: tuple[FileCost, ...]
    """The dearest first."""
    assistants: tuple[AssistantCost, ...]
    """The dearest first."""
    decisions: tuple[Taken, ...] = ()
    """The last ones, newest first; a team's report has none."""
    memory: MemoryState | None = None
    """None in a team's report."""
    usage: tuple[UsageRow, ...] = ()
    """Of models; newest first."""
    skipped: tuple[Skipped, ...] = ()

    @property
    def applied(self) -> int:
        """The number of facts that stand in files because somebody applied them."""
        return sum(bool(one.applied_to) for one in self.learned)

    @property
    def dismissed(self) -> int:
        """The number of them that were dismissed everywhere."""
        return sum(one.is_dismissed for one in self.learned)
