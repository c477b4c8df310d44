"""The client: the official SDK, told not to be clever. One request, one reply or one ModelError.

The SDK would retry by itself, follow redirects, take proxies, headers and profiles from the environment, and hand
back pages of HTML as a reply; here it does none of that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import anthropic
import httpx2
from anthropic import Stream

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.bounded_http import REPLY_LIMIT, ReplyTooLongError, ReplyTooSlowError, open_wire
from memsuggest.judging.asking.model_reply import BegunError, Reply
from memsuggest.judging.asking.outcomes import BY_ERROR_TYPE, failure, outcome_of_status
from memsuggest.judging.asking.prices import Usage
from memsuggest.judging.asking.question import estimate

_AGENT = "memsuggest"
_CREDIT = "credit balance"
"""How the service says, with a status that says little, that money ran out."""


class RetryLaterError(ModelError):
    """A failure with the service's own word on when to try again."""

    def __init__(self, error: ModelError, *, seconds: str | None) -> None:
        super().__init__(error.message, outcome=error.outcome, hint=error.hint)
        self.seconds = seconds
        """As the header has it: seconds, or a date."""


class Client:
    """One endpoint with one key."""

    def __init__(
        self,
        *,
        endpoint: str,
        key: str,
        proxy: str | None = None,
        seconds: float = 30.0,
        total: float = 120.0,
        limit: int = REPLY_LIMIT,
    ) -> None:
        self._wire = open_wire(endpoint, proxy=proxy, seconds=seconds, total=total, limit=limit)
        self._sdk = anthropic.Anthropic(
            api_key=key,
            base_url=endpoint,
            max_retries=0,
            timeout=httpx2.Timeout(seconds, connect=min(10.0, seconds)),
            http_client=self._wire,
            open_telemetry=False,
            default_headers={"User-Agent": _AGENT},
        )

    def close(self) -> None:
        self._wire.close()

    def send(self, body: Mapping[str, Any]) -> Reply:
        """Send one request and return the reply; raises ModelError."""
        with explained(), self._sdk.messages.with_streaming_response.create(stream=True, **body) as response:
            sort = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if sort == "text/event-stream":
                return _from_events(Stream.raw_events(response.http_response))
            if sort != "application/json":
                raise failure("not-the-api", sort)
            return reply_in(loads(b"".join(response.iter_bytes())))

    def count(self, body: Mapping[str, Any]) -> int:
        """Return how many tokens a request has, as the service counts them; raises ModelError."""
        asked = {name: body[name] for name in ("model", "system", "messages", "output_config") if name in body}
        with explained(), self._sdk.messages.with_streaming_response.count_tokens(**asked) as response:
            sort = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if sort != "application/json":
                raise failure("not-the-api", sort)
            counted = number_in(fields_of(loads(b"".join(response.iter_bytes()))).get("input_tokens"))
        if counted is None:
            raise failure("not-the-api", "no token count")
        return counted


@contextmanager
def explained() -> Iterator[None]:
    """Turn whatever the SDK and the connection raise into a ModelError."""
    try:
        yield
    except anthropic.APIStatusError as error:
        raise _from_status(error) from None
    except anthropic.APIConnectionError as error:
        raise _from_connection(error.__cause__ or error, began=False) from None
    except httpx2.HTTPError as error:
        raise _from_connection(error, began=True) from None
    except anthropic.AnthropicError as error:
        raise failure("not-the-api", str(error)) from None


def _from_status(error: anthropic.APIStatusError) -> ModelError:
    headers = error.response.headers
    told = _told(error.body)
    outcome = outcome_of_status(error.status_code)
    if _CREDIT in told.lower() or (error.status_code == 429 and headers.get("x-should-retry") == "false"):
        outcome = "no-credit"
    if outcome == "redirect":
        told = headers.get("location", "")
    found = failure(outcome, told)
    later = headers.get("retry-after")
    return RetryLaterError(found, seconds=later) if later else found


def _told(body: object) -> str:
    message = fields_of(fields_of(body).get("error")).get("message")
    return message if isinstance(message, str) else ""


def _from_connection(error: BaseException, *, began: bool) -> ModelError:
    if isinstance(error, ReplyTooLongError):
        return failure("too-long")
    if isinstance(error, ReplyTooSlowError):
        return failure("too-slow")
    if isinstance(error, (httpx2.TimeoutException, anthropic.APITimeoutError)):
        return failure("timeout")
    if isinstance(error, httpx2.DecodingError):
        return failure("not-the-api", str(error))
    return failure("cut-off" if began else "no-connection", str(error))


def loads(data: bytes) -> object:
    """Return the JSON in a reply; raises ModelError."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise failure("unreadable") from None


def fields_of(value: object) -> dict[str, Any]:
    """Return the fields of an object in a reply; none of anything else."""
    return value if isinstance(value, dict) else {}


def number_in(value: object) -> int | None:
    """Return a count in a reply; None for what is none."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9
    return value if is_count else None  # type: ignore[return-value]


def reply_in(loaded: object) -> Reply:
    message = fields_of(loaded)
    content = message.get("content")
    if message.get("type") != "message" or not isinstance(content, list):
        raise failure("not-the-api", "unexpected response format")
    texts = [block.get("text") for block in map(fields_of, content) if block.get("type") == "text"]
    text = "".join(piece for piece in texts if isinstance(piece, str))
    reason = message.get("stop_reason")
    return Reply(
        text=text,
        stop_reason=reason if isinstance(reason, str) else None,
        usage=_usage(fields_of(message.get("usage"))),
    )


def _usage(told: Mapping[str, Any]) -> Usage | None:
    sent, made = number_in(told.get("input_tokens")), number_in(told.get("output_tokens"))
    if sent is None or made is None:
        return None
    read, written = told.get("cache_read_input_tokens"), told.get("cache_creation_input_tokens")
    return Usage(input=sent, output=made, cache_read=number_in(read) or 0, cache_write=number_in(written) or 0)


def _from_events(events: Iterable[Any]) -> Reply:
    heard = _Received()
    try:
        for event in events:
            heard.take(event)
    except httpx2.HTTPError as error:
        raise heard.failed(_from_connection(error, began=True)) from None
    except ModelError as error:
        raise heard.failed(error) from None
    if not heard.is_whole:
        raise heard.failed(failure("cut-off"))
    return Reply(text=heard.text, stop_reason=heard.reason, usage=_usage(heard.told))


class _Received:
    """The part of a stream that came so far."""

    def __init__(self) -> None:
        self.text = ""
        self.reason: str | None = None
        self.told: dict[str, Any] = {}
        self.has_begun = False
        self.is_whole = False

    def take(self, event: Any) -> None:
        fields = fields_of(loads(event.data.encode())) if event.data else {}
        kind = event.event or fields.get("type")
        if kind == "error":
            raise told_error(fields)
        if kind == "message_start":
            self.has_begun = True
            self.told |= fields_of(fields_of(fields.get("message")).get("usage"))
        elif kind == "content_block_delta":
            piece = fields_of(fields.get("delta")).get("text")
            self.text += piece if isinstance(piece, str) else ""
        elif kind == "message_delta":
            reason = fields_of(fields.get("delta")).get("stop_reason")
            self.reason = reason if reason and isinstance(reason, str) else self.reason
            self.told |= {name: value for name, value in fields_of(fields.get("usage")).items() if value is not None}
        self.is_whole = self.is_whole or kind == "message_stop"

    def failed(self, error: ModelError) -> ModelError:
        """Return the failure as it is after what was heard: a model that is at work already is billed for it.

        Silence is then no reason to ask again: each try would cost as much, and wait as long.
        """
        if not self.has_begun:
            return error
        usage = _usage(self.told)
        # What was announced at the start has none of the text that came since.
        announced = usage and replace(usage, output=max(usage.output, estimate(self.text)))
        return BegunError(failure("stalled") if error.outcome == "timeout" else error, announced=announced)


def told_error(fields: Mapping[str, Any]) -> ModelError:
    """Return the failure that a reply tells of, after it began well."""
    kind = fields_of(fields.get("error")).get("type")
    return failure(BY_ERROR_TYPE.get(kind, "unavailable") if isinstance(kind, str) else "unavailable", _told(fields))
