"""Reports on asking models: consent, usage, consolidation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, TypeAlias, TypedDict

from memsuggest.asking.consent_store import Grant
from memsuggest.asking.prices import dollars
from memsuggest.asking.usage_ledger import Budgets, Share, UsageRow
from memsuggest.json_shape import Also, From, Hidden, Key, or_null
from memsuggest.model import MemoryFact
from memsuggest.text.when import iso


class GrantJson(TypedDict):
    """Consent for one workspace and one receiver."""

    workspace: Annotated[str, "The repo's folder.", From("root")]
    endpoint: Annotated[str, "The endpoint or program that may be asked."]
    at: Annotated[str | None, "When it was given, as ISO 8601.", From(to=iso)]


class UsageRowJson(TypedDict):
    """The use of one model for one purpose on one day."""

    day: Annotated[str, "As `2026-01-31`, in UTC."]
    model: str
    purpose: str
    requests: int
    failed: int
    inputTokens: Annotated[int, From("usage.input")]
    outputTokens: Annotated[int, From("usage.output")]
    cacheReadTokens: Annotated[int, From("usage.cache_read")]
    cacheWriteTokens: Annotated[int, From("usage.cache_write")]
    dollars: Annotated[float, From("micros", dollars)]
    estimated: Annotated[bool, "Whether a reply did not say what it used.", From("is_estimate")]


class SpentJson(TypedDict):
    """The money that was spent, and may be."""

    dollars: float
    budget: Annotated[float, "In dollars."]


class AssistantsJson(TypedDict):
    """Memory work beside the assistants' own, this month."""

    tokens: Annotated[int, "What the assistants used themselves, as far as their chats say so.", From("own")]
    memoryTokens: Annotated[int, "What memory work used in the same chats.", From("taken")]
    most: Annotated[float, "The share that memory work may take, from 0 to 1."]


def _today(report: UsageShown) -> dict[str, float]:
    return {"dollars": dollars(report.day), "budget": dollars(report.budgets.day)}


def _month(report: UsageShown) -> dict[str, float]:
    return {"dollars": dollars(report.month), "budget": dollars(report.budgets.month)}


UsageRowView: TypeAlias = Annotated[UsageRow, UsageRowJson]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentShown:
    """Consents about this workspace's chats."""

    JSON_NAME = "Consent"
    root: Annotated[str, "The repo's folder.", Key("workspace")]
    engine: str
    endpoint: Annotated[str, "The endpoint or program that it is about."]
    is_granted: Annotated[bool, "Whether it may be asked about this workspace.", Key("granted")]
    key: ClassVar = Also(
        "why_not_ready", bool, "Whether it could be asked now: its key or its sign-in is there.", lambda why: not why
    )
    why_not_ready: Annotated[str, "Why it could not be asked even with consent.", or_null]
    words: Annotated[tuple[str, ...], "What a person is told before they agree."]
    grants: Annotated[tuple[Annotated[Grant, GrantJson], ...], "All that was agreed to, in all workspaces."]
    path: Annotated[str, "The file in which that is kept."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeUse:
    """The use for one purpose in a period."""

    purpose: str
    requests: int
    tokens: Annotated[int, "Sent and received, those from a cache too."]
    micros: Annotated[int, Key("dollars"), dollars]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodUse:
    """The use in a period, by purpose, beside its budget."""

    name: Annotated[str, "`day` or `month`; it is the one that it is now, in UTC.", Key("period")]
    spent: Annotated[int, Key("dollars"), dollars]
    budget: Annotated[int, "In dollars.", dollars]
    reserve: Annotated[float, "The share of the budget that what can wait leaves alone, from 0 to 1."]
    low: ClassVar = Also("is_low", bool, "Whether so little is left that what can wait waits: only chats are read.")
    purposes: tuple[PurposeUse, ...] = ()

    @property
    def share(self) -> float:
        """The share of the budget that is used up."""
        return self.spent / self.budget if self.budget else 1.0

    @property
    def is_low(self) -> bool:
        """Tell whether what can wait waits."""
        return self.share >= 1 - self.reserve


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageShown:
    """The cost of asking models."""

    JSON_NAME = "Usage"
    rows: Annotated[tuple[UsageRowView, ...], "Newest first.", Key("usage")]
    today: ClassVar = Also(".", SpentJson, to=_today)
    _month: ClassVar = Also(".", SpentJson, to=_month)
    share: Annotated[Share, Key("assistants"), AssistantsJson]
    periods: tuple[PeriodUse, ...] = ()
    budgets: Hidden[Budgets]
    day: Hidden[int]
    """Spent today, in millionths of a dollar."""
    month: Hidden[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """One thing that could be done to a fact."""

    JSON_NAME = "Operation"
    operation: ClassVar = Also(".", str, "`delete`.", lambda _: "delete")
    fact_id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The fact.")
    _because: ClassVar = Also("because.id", str, "The id of the fact that makes this one needless.")
    fact: Hidden[MemoryFact]
    because: Hidden[MemoryFact]
    """The one that stays."""
    why: str = ""
    is_sure: Annotated[bool, "Whether it is sure to lose nothing; the rest needs your look.", Key("sure")] = True
    is_replacement: Hidden[bool] = False
    """The other one says something else, and later: its evidence is not this one's."""

    @property
    def deed(self) -> str:
        """The deed, as people call it."""
        return "delete" if self.is_replacement else "merge"

    @property
    def to_look_at(self) -> Merge:
        """The same, to be done by a person only."""
        return replace(self, is_sure=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """Changes by consolidation, proposed or done."""

    facts: Annotated[int, "How many there are."]
    tokens: Annotated[int, "How much they take up, about."]
    budget: Annotated[int, "How many tokens they may take up."]
    tier: Annotated[str, "How full it is: `generous`, `selective` or `heavy cut`."]
    facts_after: int
    tokens_after: int
    operations: tuple[Merge, ...]
    diff: Annotated[str, "Of what is remembered, as a unified diff."]
    is_dry: Annotated[bool, Key("dryRun")] = False
    is_changed: Annotated[bool, "Whether it was done.", Key("changed")] = False
