"""The reply to a question before anybody reads it, and everything else that can become of one: what to say and do.

The words stand in `outcomes.txt`. From measurements of the SDK against a server that misbehaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memsuggest.core.errors import ModelError
from memsuggest.core.text.words import sections_of
from memsuggest.judging.asking.prices import Usage

OFFLINE = "use `--engine offline` to run without a model"
DETAIL = 160  # characters of what a server says about an error that are shown

ANSWERED = "answered"  # the outcome of an answer that was of use


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOutcome:
    """One way in which a question goes wrong."""

    says: str
    hint: str
    again: bool  # it is worth another try
    final: bool  # it holds for every question of a run, so the run asks no more


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply of whoever was asked, whole, of whatever shape."""

    text: str
    stop_reason: str | None
    usage: Usage | None  # None where the service did not say


class ServiceError(ModelError):
    """A failure with what the service said before it, or about it."""

    def __init__(self, error: ModelError, *, announced: Usage | None = None, retry_after: str | None = None) -> None:
        super().__init__(error.message, outcome=error.outcome, hint=error.hint)
        self.announced = announced
        """What a reply announced that failed after it had begun, and that may be billed."""
        self.retry_after = retry_after
        """When to try again, as the header has it: seconds, or a date."""


def _read() -> Iterator[tuple[str, AskOutcome]]:
    for title, text in sections_of(__package__, "outcomes").items():
        name, *traits = title.split()
        says, hint = text.split("\n")[:2]
        hint = hint.replace("LATER", f"try again later, or {OFFLINE}").replace("OFFLINE", OFFLINE)
        yield name, AskOutcome(says=says, hint=hint, again="again" in traits, final="final" in traits)


OUTCOMES: Mapping[str, AskOutcome] = dict(_read())


def failure(outcome: str, detail: str = "", *, hint: str = "") -> ModelError:
    """Return the error for an outcome; `detail` is what a server says, and is shown made harmless.

    `hint` stands before the usual one.
    """
    found = OUTCOMES[outcome]
    shown = shown_detail(detail)
    hints = "; ".join(filter(None, (hint, found.hint)))
    return ModelError(f"{found.says}: {shown}" if shown else found.says, outcome=outcome, hint=hints)


def shown_detail(text: str) -> str:
    """Return what somebody else says on one line, short, without secrets and anything that steers a terminal."""
    from memsuggest.core.redact import clean, redact

    folded = " ".join(redact(clean(text[: 4 * DETAIL])).text.split())
    return folded if len(folded) <= DETAIL else folded[: DETAIL - 1] + "…"


BY_STATUS: Mapping[int, str] = {
    400: "bad-request",
    401: "invalid-key",
    402: "no-credit",
    403: "forbidden",
    404: "unknown-model",
    408: "unavailable",
    409: "unavailable",
    413: "too-large",
    422: "bad-request",
    429: "rate-limited",
    504: "timeout",
    529: "overloaded",
}
BY_ERROR_TYPE: Mapping[str, str] = {
    "authentication_error": "invalid-key",
    "billing_error": "no-credit",
    "permission_error": "forbidden",
    "not_found_error": "unknown-model",
    "request_too_large": "too-large",
    "rate_limit_error": "rate-limited",
    "overloaded_error": "overloaded",
    "timeout_error": "timeout",
    "api_error": "unavailable",
    "invalid_request_error": "bad-request",
}
"""For an error inside a stream that began well."""
BY_STOP_REASON: Mapping[str, str] = {"refusal": "refusal", "max_tokens": "truncated"}
"""`end_turn` is the only good one; what is not here is unexpected."""


def outcome_of_status(status: int) -> str:
    if 300 <= status < 400:
        return "redirect"
    return BY_STATUS.get(status, "unavailable" if status >= 500 else "bad-request")
