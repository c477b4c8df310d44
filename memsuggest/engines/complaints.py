"""Complaints of programs, told from their words: they have no codes for signed out or over a limit. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.asking.outcomes import failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.errors import ModelError

_WORDS: Mapping[str, tuple[str, ...]] = {
    "usage-limit": (
        "usage limit", "rate limit", "rate_limit", "limit reached", "hit your limit", "hit your session limit",
        "hit your weekly limit", "limit will reset", "quota", "premium request", "too many requests",
        "out of extra usage", "credit balance", "out of credits", "insufficient_quota", "upgrade your plan",
        "status 429", " 429 ",
    ),
    "not-signed-in": (
        "not logged in", "not signed in", "please run /login", "run '/login'", "no authentication information",
        "authentication_error", "invalid api key", "invalid x-api-key", "unauthorized", "oauth token",
        "codex login", "copilot login", "log in again", "sign in again", "status 401", " 401 ",
    ),
    "wrong-shape": ("structured output", "structured_output"),
    "unknown-model": (
        "model_not_found", "model not found", "unknown model", "may not exist", "model is not supported",
        "model is not available", "not_found_error",
    ),
    "no-connection": (
        "econnrefused", "enotfound", "etimedout", "unable to connect", "failed to lookup", "connection error",
        "connection refused", "waiting for network", "stream disconnected", "fetch failed", "error sending request",
        "network error", "could not connect",
    ),
}  # fmt: skip
"""The first that fits counts: a limit is the one thing after which nothing more may be asked."""
SHORT = 600
"""Characters up to which a text without JSON may be a program's complaint rather than a model's prose."""


def outcome_told(text: str) -> str | None:
    """Return the outcome that a program's words tell of.

    >>> outcome_told("Claude AI usage limit reached|1763850000")
    'usage-limit'
    """
    said = f" {text.casefold()} "
    return next((name for name, words in _WORDS.items() if any(word in said for word in words)), None)


def complaint(text: str, *, program: str) -> ModelError:
    """Return the error for what a program says of its failure."""
    outcome = outcome_told(text)
    said = " ".join(text.split())
    if outcome is None:
        return failure("program-failed", f"{program}: {said or 'it says nothing'}")
    return failure(outcome, f"{program} says: {said}")
