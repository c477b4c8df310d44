"""What asking models came to, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.as_json.nouns import skips
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from memsuggest.render.as_json.nouns import Fields
    from memsuggest.reports import learning, models

_MICROS = 1_000_000


def consent_fields(report: models.ConsentShown) -> Fields:
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


def usage_fields(report: models.UsageShown) -> Fields:
    """Return what models cost."""
    budgets = report.budgets
    return {
        "usage": [
            {
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
            for row in report.rows
        ],
        "today": {"dollars": report.day / _MICROS, "budget": budgets.day / _MICROS},
        "month": {"dollars": report.month / _MICROS, "budget": budgets.month / _MICROS},
        "assistants": {
            "tokens": report.share.own,
            "memoryTokens": report.share.taken,
            "most": report.share.most,
        },
    }


def request_fields(request: learning.Request) -> Fields:
    """Return what would be sent."""
    return {
        "endpoint": request.endpoint,
        "model": request.model,
        "purpose": request.purpose,
        "about": request.about,
        "tokens": request.tokens,
        "dollars": request.micros / _MICROS,
        "assistantTokens": request.own_use,
        "command": list(request.command) or None,
        "texts": list(request.texts),
    }


def postponed_fields(postponed: learning.Postponed) -> Fields:
    """Return a transcript that stays pending."""
    return {
        "path": postponed.path,
        "why": postponed.why,
        "hint": postponed.hint,
        "offlineCandidates": postponed.offered,
    }


def consolidated_fields(report: models.Consolidated) -> Fields:
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
        "operations": [
            {
                "operation": operation.verb,
                "factId": operation.fact.id,
                "content": operation.fact.content,
                "newContent": operation.content or None,
                "because": operation.because.id if operation.because else None,
                "why": operation.why,
                "sure": operation.is_sure,
            }
            for operation in report.operations
        ],
        "refused": skips(report.refused),
        "diff": report.diff,
        "requests": [request_fields(one) for one in report.requests],
        "dryRun": report.is_dry,
        "changed": report.is_changed,
    }
