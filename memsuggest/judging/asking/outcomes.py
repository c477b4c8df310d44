"""Everything that can become of a question but an answer: its name, what it says to the person, what to do next.

The only place with these words. `again` outcomes are worth another try; `final` ones hold for every question of a
run, so the run asks no more. From measurements of the SDK against a server that misbehaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.core.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

OFFLINE = "`--engine offline` does the job without a model"
_LATER = f"run it again later, or {OFFLINE}"
DETAIL = 160
"""Characters of what a server says about an error that are shown."""

ANSWERED = "answered"
"""The outcome of an answer that was of use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOutcome:
    """One way in which a question goes wrong."""

    says: str
    hint: str = _LATER
    again: bool = False
    final: bool = False


OUTCOMES: Mapping[str, AskOutcome] = {
    "no-key": AskOutcome(
        says="no key is set for the model", hint=f"set ANTHROPIC_API_KEY in your environment; {OFFLINE}", final=True
    ),
    "invalid-key": AskOutcome(
        says="the model's service does not accept the key",
        hint="check ANTHROPIC_API_KEY, or make a new key",
        final=True,
    ),
    "no-credit": AskOutcome(
        says="the account of the key has no credit left", hint=f"top the account up; {OFFLINE}", final=True
    ),
    "forbidden": AskOutcome(
        says="the key may not use this model", hint="use another key, or `memsuggest config set model NAME`", final=True
    ),
    "unknown-model": AskOutcome(
        says="the service knows no such model", hint="`memsuggest config set model NAME` chooses another", final=True
    ),
    "bad-request": AskOutcome(
        says="the service takes the request for malformed", hint=f"please report this; {OFFLINE}"
    ),
    "too-large": AskOutcome(says="the request is too large for the service", hint=f"please report this; {OFFLINE}"),
    "rate-limited": AskOutcome(says="the key's rate limit is reached", again=True, final=True),
    "wait-too-long": AskOutcome(says="the service asks for a longer pause than a run takes", final=True),
    "overloaded": AskOutcome(says="the model is overloaded", again=True, final=True),
    "unavailable": AskOutcome(says="the service is not available", again=True, final=True),
    "no-connection": AskOutcome(
        says="the service cannot be reached",
        hint=f"check the network and the endpoint; {OFFLINE}",
        again=True,
        final=True,
    ),
    "timeout": AskOutcome(says="the service does not answer in time", again=True, final=True),
    "stalled": AskOutcome(says="the answer began and then stalled, so it was given up", final=True),
    "too-slow": AskOutcome(says="the answer took too long and was given up"),
    "redirect": AskOutcome(
        says="the endpoint redirects elsewhere, which is not followed",
        hint="check the endpoint: `memsuggest config get endpoint` and ANTHROPIC_BASE_URL",
        final=True,
    ),
    "not-the-api": AskOutcome(
        says="something else than the model's service answered (a log-in page of the network?)",
        hint=f"open a page in a browser to log in, or check the endpoint; {OFFLINE}",
        final=True,
    ),
    "cut-off": AskOutcome(says="the answer broke off on its way"),
    "too-long": AskOutcome(says="the answer is longer than any honest one"),
    "unreadable": AskOutcome(says="the answer is not readable as JSON"),
    "wrong-shape": AskOutcome(says="the answer has not the shape that was asked for"),
    "wrong-packet": AskOutcome(
        says="nothing that the answer quotes or names stands in its packet: it belongs to another one, or is made up"
    ),
    "empty": AskOutcome(says="the answer is empty"),
    "refusal": AskOutcome(says="the model refused to answer", hint=OFFLINE),
    "truncated": AskOutcome(says="the model ran out of room for its answer", hint=OFFLINE),
    "unexpected-stop": AskOutcome(says="the model stopped in a way that was not asked for", hint=OFFLINE),
    "over-budget": AskOutcome(
        says="the budget for the model is used up",
        hint=OFFLINE,
        final=True,
    ),
    "low-budget": AskOutcome(
        says="less than a fifth of a budget is left, which is kept for reading chats",
        hint="`memsuggest usage` shows what was spent",
        final=True,
    ),
    "over-share": AskOutcome(
        says="memory work would use more than 5% of the tokens your assistants used this month",
        hint=OFFLINE,
    ),
    "given-up": AskOutcome(says="the questions before it failed, so no more were asked", final=True),
    "no-program": AskOutcome(
        says="the program is not on this machine",
        hint=f"`memsuggest doctor` shows which there are; {OFFLINE}",
        final=True,
    ),
    "unusable-program": AskOutcome(
        says="the program is too old or too new to be asked without tools and without keeping a session",
        hint=f"update it; `memsuggest doctor` shows which there are; {OFFLINE}",
        final=True,
    ),
    "not-signed-in": AskOutcome(
        says="nobody is signed in to the program",
        hint=f"sign in to it; `memsuggest doctor` says how; {OFFLINE}",
        final=True,
    ),
    "usage-limit": AskOutcome(
        says="the program's account is at its limit, so no more is asked",
        hint=f"run it again when the limit is lifted, or {OFFLINE}",
        final=True,
    ),
    "over-requests": AskOutcome(
        says="the day's questions to the program are used up",
        hint=f"it goes on tomorrow; {OFFLINE}",
        final=True,
    ),
    "program-failed": AskOutcome(says="the program failed"),
    "program-hangs": AskOutcome(says="the program did not answer in time and was ended", final=True),
    "program-killed": AskOutcome(says="the program was killed before it answered", final=True),
    "prose": AskOutcome(says="the answer is prose instead of JSON", hint=OFFLINE),
    "asked-from-within": AskOutcome(
        says="this runs inside a program that memsuggest asks, so nothing is asked", hint=OFFLINE, final=True
    ),
    "no-local-model": AskOutcome(
        says="no model server answers on this machine",
        hint=f"start one (Ollama, LM Studio, llama.cpp, vLLM), then `memsuggest config set engine local`; {OFFLINE}",
        final=True,
    ),
    "no-ready-model": AskOutcome(
        says="no model on this machine can be asked",
        hint=f"fix that, then `memsuggest config set engine local`; {OFFLINE}",
        final=True,
    ),
    "no-messages-api": AskOutcome(
        says="the model server has no Messages API (`POST /v1/messages`), by which models are asked",
        hint=f"update the server: Ollama, LM Studio, llama.cpp and vLLM have one by now; {OFFLINE}",
        final=True,
    ),
    "no-answer": AskOutcome(
        says="the assistant in the chat has not answered this yet", hint="`memsuggest ask` prints what it is asked"
    ),
    "in-batch": AskOutcome(
        says="it is asked about in a batch that is not answered yet",
        hint="`memsuggest reconcile --batch` waits for it",
    ),
    "next-batch": AskOutcome(
        says="nothing is asked outside the batch", hint="`memsuggest reconcile --batch` asks in the next one"
    ),
    "batch-canceled": AskOutcome(
        says="the batch was canceled before it came to this", hint="`memsuggest reconcile --batch` asks again"
    ),
    "batch-expired": AskOutcome(
        says="the batch was over before it came to this", hint="`memsuggest reconcile --batch` asks again"
    ),
    "batch-gone": AskOutcome(
        says="the answers of the batch were not fetched while the service kept them",
        hint="`memsuggest reconcile --batch` asks again",
    ),
}


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
    """Return the outcome for the status of a response that is no success."""
    if 300 <= status < 400:
        return "redirect"
    return BY_STATUS.get(status, "unavailable" if status >= 500 else "bad-request")
