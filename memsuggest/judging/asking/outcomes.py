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

OFFLINE = "use `--engine offline` to run without a model"
_LATER = f"try again later, or {OFFLINE}"
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
        says="no API key is set", hint=f"set ANTHROPIC_API_KEY in your environment, or {OFFLINE}", final=True
    ),
    "invalid-key": AskOutcome(
        says="the API rejected the key",
        hint="check ANTHROPIC_API_KEY, or create a new key",
        final=True,
    ),
    "no-credit": AskOutcome(
        says="the API account has no credit left", hint=f"add credit to the account, or {OFFLINE}", final=True
    ),
    "forbidden": AskOutcome(
        says="the API key has no access to this model",
        hint="use another key, or run `memsuggest config set model NAME`",
        final=True,
    ),
    "unknown-model": AskOutcome(
        says="the API does not know this model",
        hint="choose another with `memsuggest config set model NAME`",
        final=True,
    ),
    "bad-request": AskOutcome(
        says="the API rejected the request",
        hint=f"check the key and the model if you use a proxy, or {OFFLINE}",  # LiteLLM rejects a wrong key so
    ),
    "too-large": AskOutcome(says="the request is too large for the API", hint=f"please report this bug, or {OFFLINE}"),
    "rate-limited": AskOutcome(says="the API key has reached its rate limit", again=True, final=True),
    "wait-too-long": AskOutcome(says="the API asked to wait longer than one run allows", final=True),
    "overloaded": AskOutcome(says="the model is overloaded", again=True, final=True),
    "unavailable": AskOutcome(says="the API is unavailable", again=True, final=True),
    "no-connection": AskOutcome(
        says="the API cannot be reached",
        hint=f"check your network and the endpoint, or {OFFLINE}",
        again=True,
        final=True,
    ),
    "timeout": AskOutcome(says="the API did not respond in time", again=True, final=True),
    "stalled": AskOutcome(says="the response stalled and was abandoned", final=True),
    "too-slow": AskOutcome(says="the response took too long and was abandoned"),
    "redirect": AskOutcome(
        says="the endpoint sent a redirect, and redirects are not followed",
        hint="check the endpoint: `memsuggest config get endpoint` and ANTHROPIC_BASE_URL",
        final=True,
    ),
    "not-the-api": AskOutcome(
        says="the response did not come from the API (it may be your network's login page)",
        hint=f"log in to the network in a browser, check the endpoint, or {OFFLINE}",
        final=True,
    ),
    "cut-off": AskOutcome(says="the connection closed before the response was complete"),
    "too-long": AskOutcome(says="the answer exceeds the size limit"),
    "unreadable": AskOutcome(says="the answer is not valid JSON"),
    "wrong-shape": AskOutcome(says="the answer does not match the JSON schema"),
    "wrong-packet": AskOutcome(
        says="nothing quoted or named in the answer is in this packet; it is for another packet, or made up"
    ),
    "empty": AskOutcome(says="the answer is empty"),
    "refusal": AskOutcome(says="the model refused to answer", hint=OFFLINE),
    "truncated": AskOutcome(says="the model reached its output limit", hint=OFFLINE),
    "unexpected-stop": AskOutcome(says="the model stopped for an unexpected reason", hint=OFFLINE),
    "over-budget": AskOutcome(
        says="the model budget is used up",
        hint=OFFLINE,
        final=True,
    ),
    "low-budget": AskOutcome(
        says="less than 20% of a budget is left, and it is reserved for reading chats",
        hint="run `memsuggest usage` to see the cost so far",
        final=True,
    ),
    "over-share": AskOutcome(
        says="memory work would use more than 5% of the tokens your assistants used this month",
        hint=OFFLINE,
    ),
    "given-up": AskOutcome(says="earlier requests failed, so this one was not sent", final=True),
    "no-program": AskOutcome(
        says="the program is not installed",
        hint=f"run `memsuggest doctor` to see which are installed, or {OFFLINE}",
        final=True,
    ),
    "unusable-program": AskOutcome(
        says="this version of the program cannot run without tools or without saving a session",
        hint=f"update it, run `memsuggest doctor` for details, or {OFFLINE}",
        final=True,
    ),
    "not-signed-in": AskOutcome(
        says="you are not signed in to the program",
        hint=f"sign in (`memsuggest doctor` shows how), or {OFFLINE}",
        final=True,
    ),
    "usage-limit": AskOutcome(
        says="the program's account has reached its usage limit",
        hint=f"try again after the limit resets, or {OFFLINE}",
        final=True,
    ),
    "over-requests": AskOutcome(
        says="the daily question limit for the program is reached",
        hint=f"try again tomorrow, or {OFFLINE}",
        final=True,
    ),
    "program-failed": AskOutcome(says="the program failed"),
    "program-hangs": AskOutcome(says="the program did not answer in time and was stopped", final=True),
    "program-killed": AskOutcome(says="the program was killed before it answered", final=True),
    "prose": AskOutcome(says="the answer is prose, not JSON", hint=OFFLINE),
    "asked-from-within": AskOutcome(
        says="memsuggest is running inside a program that it started, so no model is asked", hint=OFFLINE, final=True
    ),
    "no-local-model": AskOutcome(
        says="no local model server is running",
        hint=f"start Ollama, LM Studio, llama.cpp or vLLM and run `memsuggest config set engine local`, or {OFFLINE}",
        final=True,
    ),
    "no-ready-model": AskOutcome(
        says="no local model is ready",
        hint=f"fix this and run `memsuggest config set engine local`, or {OFFLINE}",
        final=True,
    ),
    "no-messages-api": AskOutcome(
        says="the model server does not support the Messages API (`POST /v1/messages`)",
        hint=f"update Ollama, LM Studio, llama.cpp or vLLM to a version that supports it, or {OFFLINE}",
        final=True,
    ),
    "no-answer": AskOutcome(
        says="the assistant in the chat has not answered yet", hint="run `memsuggest ask` to print the question"
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
