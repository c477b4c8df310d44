"""Consent, usage and consolidation, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.render.as_json.filling import From, constant, or_null
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.reports.model_reports import PeriodUse, UsageShown


def _dollars(micros: int) -> float:
    return micros / 1_000_000


def _today(report: UsageShown) -> dict[str, float]:
    return {"dollars": _dollars(report.day), "budget": _dollars(report.budgets.day)}


def _month(report: UsageShown) -> dict[str, float]:
    return {"dollars": _dollars(report.month), "budget": _dollars(report.budgets.month)}


class GrantJson(TypedDict):
    """Consent for one workspace and one receiver."""

    workspace: Annotated[str, "The repo's folder.", From("root")]
    endpoint: Annotated[str, "The endpoint or program that may be asked."]
    at: Annotated[str | None, "When it was given, as ISO 8601.", From(to=iso)]


class ConsentJson(TypedDict):
    """Consents about this workspace's chats."""

    workspace: Annotated[str, "The repo's folder.", From("root")]
    engine: str
    endpoint: Annotated[str, "The endpoint or program that it is about."]
    granted: Annotated[bool, "Whether it may be asked about this workspace.", From("is_granted")]
    key: Annotated[
        bool,
        "Whether it could be asked now: its key or its sign-in is there.",
        From("why_not_ready", lambda why: not why),
    ]
    whyNotReady: Annotated[str | None, "Why it could not be asked even with consent.", From(to=or_null)]
    words: Annotated[list[str], "What a person is told before they agree."]
    grants: Annotated[list[GrantJson], "All that was agreed to, in all workspaces."]
    path: Annotated[str, "The file in which that is kept."]


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
    dollars: Annotated[float, From("micros", _dollars)]
    estimated: Annotated[bool, "Whether a reply did not say what it used.", From("is_estimate")]


class SpentJson(TypedDict):
    """The money that was spent, and may be."""

    dollars: float
    budget: Annotated[float, "In dollars."]


class PurposeUseJson(TypedDict):
    """The use for one purpose in a period."""

    purpose: str
    requests: int
    tokens: Annotated[int, "Sent and received, those from a cache too."]
    dollars: float


class PeriodUseJson(TypedDict):
    """The use in a period, by purpose, beside its budget."""

    period: Annotated[str, "`day` or `month`; it is the one that it is now, in UTC."]
    dollars: float
    budget: Annotated[float, "In dollars."]
    reserve: Annotated[float, "The share of the budget that what can wait leaves alone, from 0 to 1."]
    low: Annotated[bool, "Whether so little is left that what can wait waits: only chats are read."]
    purposes: list[PurposeUseJson]


class AssistantsJson(TypedDict):
    """Memory work beside the assistants' own, this month."""

    tokens: Annotated[int, "What the assistants used themselves, as far as their chats say so.", From("own")]
    memoryTokens: Annotated[int, "What memory work used in the same chats.", From("taken")]
    most: Annotated[float, "The share that memory work may take, from 0 to 1."]


def _periods(periods: Iterable[PeriodUse]) -> list[dict[str, object]]:
    return [
        {
            "period": period.name,
            "dollars": _dollars(period.spent),
            "budget": _dollars(period.budget),
            "reserve": period.reserve,
            "low": period.is_low,
            "purposes": [
                {
                    "purpose": one.purpose,
                    "requests": one.requests,
                    "tokens": one.tokens,
                    "dollars": _dollars(one.micros),
                }
                for one in period.purposes
            ],
        }
        for period in periods
    ]


class UsageJson(TypedDict):
    """The cost of asking models."""

    usage: Annotated[list[UsageRowJson], "Newest first.", From("rows")]
    today: Annotated[SpentJson, From(".", _today)]
    month: Annotated[SpentJson, From(".", _month)]
    assistants: Annotated[AssistantsJson, From("share")]
    periods: Annotated[list[PeriodUseJson], From(to=_periods)]


class RequestJson(TypedDict):
    """A request to a model."""

    endpoint: Annotated[str, "The endpoint or program that would be asked."]
    model: str
    purpose: str
    about: Annotated[str, "What it is about: a chat, the facts …"]
    tokens: Annotated[int, "About how many."]
    dollars: Annotated[float, "What it would cost at most.", From("micros", _dollars)]
    assistantTokens: Annotated[
        int | None, "What the assistant itself used in that chat; null: nobody knows.", From("token_usage")
    ]
    command: Annotated[list[str] | None, "The command line, where a program would be asked.", From(to=or_null)]
    texts: Annotated[list[str], "All of its texts, word for word."]


class PostponedJson(TypedDict):
    """A chat that a model was asked about in vain."""

    path: str
    why: str
    hint: Annotated[str, "What to do about it."]
    offlineCandidates: Annotated[int, "How much `--engine offline` would find in it.", From("offered")]


class OperationJson(TypedDict):
    """One thing that could be done to a fact."""

    operation: Annotated[str, "`delete`.", constant("delete")]
    factId: Annotated[str, From("fact.id")]
    content: Annotated[str, "The fact.", From("fact.content")]
    because: Annotated[str, "The id of the fact that makes this one needless.", From("because.id")]
    why: str
    sure: Annotated[bool, "Whether it is sure to lose nothing; the rest needs your look.", From("is_sure")]


class ConsolidatedJson(TypedDict):
    """Changes by consolidation, proposed or done."""

    facts: Annotated[int, "How many there are."]
    tokens: Annotated[int, "How much they take up, about."]
    budget: Annotated[int, "How many tokens they may take up."]
    tier: Annotated[str, "How full it is: `generous`, `selective` or `heavy cut`."]
    factsAfter: int
    tokensAfter: int
    operations: list[OperationJson]
    diff: Annotated[str, "Of what is remembered, as a unified diff."]
    dryRun: Annotated[bool, From("is_dry")]
    changed: Annotated[bool, "Whether it was done.", From("is_changed")]
