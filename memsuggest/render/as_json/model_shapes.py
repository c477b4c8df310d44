"""What asking models came to, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.render.as_json.noun_shapes import SkippedJson, skips
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from memsuggest.asking.usage_ledger import UsageRow
    from memsuggest.reports import learning_reports, model_reports

_MICROS = 1_000_000


class GrantJson(TypedDict):
    """Consent for one workspace and one receiver."""

    workspace: Annotated[str, "The repo's folder."]
    endpoint: Annotated[str, "The endpoint or program that may be asked."]
    at: Annotated[str | None, "When it was given, as ISO 8601."]


class ConsentJson(TypedDict):
    """Who may be asked about this workspace's chats."""

    workspace: Annotated[str, "The repo's folder."]
    engine: str
    endpoint: Annotated[str, "The endpoint or program that it is about."]
    granted: Annotated[bool, "Whether it may be asked about this workspace."]
    key: Annotated[bool, "Whether it could be asked now: its key or its sign-in is there."]
    whyNotReady: Annotated[str | None, "Why it could not be asked even with consent."]
    words: Annotated[list[str], "What a person is told before they agree."]
    grants: Annotated[list[GrantJson], "All that was agreed to, in all workspaces."]
    path: Annotated[str, "The file in which that is kept."]


class UsageRowJson(TypedDict):
    """What one model was asked for one purpose on one day."""

    day: Annotated[str, "As `2026-01-31`, in UTC."]
    model: str
    purpose: str
    requests: int
    failed: int
    inputTokens: int
    outputTokens: int
    cacheReadTokens: int
    cacheWriteTokens: int
    dollars: float
    estimated: Annotated[bool, "Whether a reply did not say what it used."]


class SpentJson(TypedDict):
    """What was spent, and may be."""

    dollars: float
    budget: Annotated[float, "In dollars."]


class PurposeUseJson(TypedDict):
    """What one purpose took in a period."""

    purpose: str
    requests: int
    tokens: Annotated[int, "Sent and received, those from a cache too."]
    dollars: float


class PeriodUseJson(TypedDict):
    """What was used in a period, by purpose, beside its budget."""

    period: Annotated[str, "`day` or `month`; it is the one that it is now, in UTC."]
    dollars: float
    budget: Annotated[float, "In dollars."]
    reserve: Annotated[float, "The share of the budget that what can wait leaves alone, from 0 to 1."]
    low: Annotated[bool, "Whether so little is left that what can wait waits: only chats are read."]
    purposes: list[PurposeUseJson]


class AssistantsJson(TypedDict):
    """Memory work beside the assistants' own, this month."""

    tokens: Annotated[int, "What the assistants used themselves, as far as their chats say so."]
    memoryTokens: Annotated[int, "What memory work used in the same chats."]
    most: Annotated[float, "The share that memory work may take, from 0 to 1."]


class UsageJson(TypedDict):
    """What asking models cost."""

    usage: Annotated[list[UsageRowJson], "Newest first."]
    today: SpentJson
    month: SpentJson
    assistants: AssistantsJson
    periods: list[PeriodUseJson]


class RequestJson(TypedDict):
    """What would be sent to a model."""

    endpoint: Annotated[str, "The endpoint or program that would be asked."]
    model: str
    purpose: str
    about: Annotated[str, "What it is about: a chat, the facts …"]
    tokens: Annotated[int, "About how many."]
    dollars: Annotated[float, "What it would cost at most."]
    assistantTokens: Annotated[int | None, "What the assistant itself used in that chat; null: nobody knows."]
    command: Annotated[list[str] | None, "The command line, where a program would be asked."]
    texts: Annotated[list[str], "All of its texts, word for word."]


class PostponedJson(TypedDict):
    """A chat that a model was asked about in vain."""

    path: str
    why: str
    hint: Annotated[str, "What to do about it."]
    offlineCandidates: Annotated[int, "How much `--engine offline` would find in it."]


class OperationJson(TypedDict):
    """One thing that could be done to a fact."""

    operation: Annotated[str, "`update` or `delete`."]
    factId: str
    content: Annotated[str, "The fact as it is worded now."]
    newContent: Annotated[str | None, "The new wording."]
    because: Annotated[str | None, "The id of the fact that makes this one needless."]
    why: str
    sure: Annotated[bool, "Whether it is sure to lose nothing; the rest needs your look."]


class ConsolidatedJson(TypedDict):
    """What could be merged or let go of, or was."""

    facts: Annotated[int, "How many there are."]
    tokens: Annotated[int, "How much they take up, about."]
    budget: Annotated[int, "How many tokens they may take up."]
    tier: Annotated[str, "How much is cut, by how full it is: `generous`, `selective` or `heavy cut`."]
    factsAfter: int
    tokensAfter: int
    engine: Annotated[str, "Who proposed it: `offline`, or the engine that was asked."]
    whyOffline: Annotated[str | None, "Why no model was asked."]
    operations: list[OperationJson]
    refused: Annotated[list[SkippedJson], "What was proposed and may not be done."]
    diff: Annotated[str, "Of what is remembered, as a unified diff."]
    requests: Annotated[list[RequestJson], "In a dry run: what would be sent to a model."]
    dryRun: bool
    changed: Annotated[bool, "Whether it was done."]


def consent_json(report: model_reports.ConsentShown) -> ConsentJson:
    """Return how things stand with consent."""
    return {
        "workspace": report.root,
        "engine": report.engine,
        "endpoint": report.endpoint,
        "granted": report.is_granted,
        "key": not report.why_not_ready,
        "whyNotReady": report.why_not_ready or None,
        "words": list(report.words),
        "grants": [
            {"workspace": grant.root, "endpoint": grant.endpoint, "at": iso(grant.at)} for grant in report.grants
        ],
        "path": report.path,
    }


def usage_json(report: model_reports.UsageShown) -> UsageJson:
    """Return what models cost."""
    budgets = report.budgets
    return {
        "usage": [_usage_row(row) for row in report.rows],
        "today": {"dollars": report.day / _MICROS, "budget": budgets.day / _MICROS},
        "month": {"dollars": report.month / _MICROS, "budget": budgets.month / _MICROS},
        "assistants": {
            "tokens": report.share.own,
            "memoryTokens": report.share.taken,
            "most": report.share.most,
        },
        "periods": [_period(one) for one in report.periods],
    }


def _period(period: model_reports.PeriodUse) -> PeriodUseJson:
    return {
        "period": period.name,
        "dollars": period.spent / _MICROS,
        "budget": period.budget / _MICROS,
        "reserve": period.reserve,
        "low": period.is_low,
        "purposes": [
            {
                "purpose": one.purpose,
                "requests": one.requests,
                "tokens": one.tokens,
                "dollars": one.micros / _MICROS,
            }
            for one in period.purposes
        ],
    }


def _usage_row(row: UsageRow) -> UsageRowJson:
    return {
        "day": row.day,
        "model": row.model,
        "purpose": row.purpose,
        "requests": row.requests,
        "failed": row.failed,
        "inputTokens": row.usage.input,
        "outputTokens": row.usage.output,
        "cacheReadTokens": row.usage.cache_read,
        "cacheWriteTokens": row.usage.cache_write,
        "dollars": row.micros / _MICROS,
        "estimated": row.is_estimate,
    }


def request_json(request: learning_reports.Request) -> RequestJson:
    """Return what would be sent."""
    return {
        "endpoint": request.endpoint,
        "model": request.model,
        "purpose": request.purpose,
        "about": request.about,
        "tokens": request.tokens,
        "dollars": request.micros / _MICROS,
        "assistantTokens": request.token_usage,
        "command": list(request.command) or None,
        "texts": list(request.texts),
    }


def postponed_json(postponed: learning_reports.Postponed) -> PostponedJson:
    """Return a transcript that stays pending."""
    return {
        "path": postponed.path,
        "why": postponed.why,
        "hint": postponed.hint,
        "offlineCandidates": postponed.offered,
    }


def consolidated_json(report: model_reports.Consolidated) -> ConsolidatedJson:
    """Return which facts could go, and why."""
    return {
        "facts": report.facts,
        "tokens": report.tokens,
        "budget": report.budget,
        "tier": report.tier,
        "factsAfter": report.facts_after,
        "tokensAfter": report.tokens_after,
        "engine": report.engine,
        "whyOffline": report.why_offline or None,
        "operations": [_operation(operation) for operation in report.operations],
        "refused": skips(report.refused),
        "diff": report.diff,
        "requests": [request_json(one) for one in report.requests],
        "dryRun": report.is_dry,
        "changed": report.is_changed,
    }


def _operation(operation: model_reports.Tidied) -> OperationJson:
    return {
        "operation": operation.verb,
        "factId": operation.fact.id,
        "content": operation.fact.content,
        "newContent": operation.content or None,
        "because": operation.because.id if operation.because else None,
        "why": operation.why,
        "sure": operation.is_sure,
    }
