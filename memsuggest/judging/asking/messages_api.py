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
from memsuggest.judging.asking.json_object import count_in
from memsuggest.judging.asking.outcomes import BY_ERROR_TYPE, Reply, ServiceError, failure, outcome_of_status
from memsuggest.judging.asking.prices import Usage
from memsuggest.judging.asking.question import estimate
from memsuggest.transcripts.parsing.json_records import fields_of, text_of

_AGENT = "memsuggest"
_CREDIT = "credit balance"  # how the service says, with a status that says little, that money ran out


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
            return _from_message(_fields_in(response, sort))

    def count(self, body: Mapping[str, Any]) -> int:
        """Return how many tokens a request has, as the service counts them; raises ModelError."""
        asked = {name: body[name] for name in ("model", "system", "messages", "output_config") if name in body}
        with explained(), self._sdk.messages.with_streaming_response.count_tokens(**asked) as response:
            sort = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            counted = count_in(_fields_in(response, sort), "input_tokens")
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
    found = failure(outcome, headers.get("location", "") if outcome == "redirect" else told)
    return ServiceError(found, retry_after=headers.get("retry-after"))


def _told(body: object) -> str:
    return text_of(fields_of(fields_of(body).get("error")).get("message"))


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


def _fields_in(response: Any, sort: str) -> dict[str, Any]:
    """Return the object of a whole response; raises ModelError for one of another content type."""
    if sort != "application/json":
        raise failure("not-the-api", sort)
    return fields_of(_loads(b"".join(response.iter_bytes())))


def _loads(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise failure("unreadable") from None


def _from_message(message: Mapping[str, Any]) -> Reply:
    content = message.get("content")
    if message.get("type") != "message" or not isinstance(content, list):
        raise failure("not-the-api", "unexpected response format")
    return Reply(
        text="".join(text_of(block.get("text")) for block in map(fields_of, content) if block.get("type") == "text"),
        stop_reason=text_of(message.get("stop_reason")) or None,
        usage=_usage(fields_of(message.get("usage"))),
    )


def _usage(told: Mapping[str, Any]) -> Usage | None:
    sent, made = count_in(told, "input_tokens"), count_in(told, "output_tokens")
    if sent is None or made is None:
        return None
    read, written = count_in(told, "cache_read_input_tokens"), count_in(told, "cache_creation_input_tokens")
    return Usage(input=sent, output=made, cache_read=read or 0, cache_write=written or 0)


def _from_events(events: Iterable[Any]) -> Reply:
    received = _Received()
    try:
        for event in events:
            received.take(event)
        if not received.is_whole:
            raise failure("cut-off")
    except httpx2.HTTPError as error:
        raise received.failed(_from_connection(error, began=True)) from None
    except ModelError as error:
        raise received.failed(error) from None
    return Reply(text=received.text, stop_reason=received.reason, usage=_usage(received.told))


class _Received:
    """The part of a stream that came so far."""

    def __init__(self) -> None:
        self.text = ""
        self.reason: str | None = None
        self.told: dict[str, Any] = {}
        self.has_begun = False
        self.is_whole = False

    def take(self, event: Any) -> None:
        fields = fields_of(_loads(event.data.encode())) if event.data else {}
        delta = fields_of(fields.get("delta"))
        match event.event or fields.get("type"):
            case "error":
                kind = text_of(fields_of(fields.get("error")).get("type"))
                raise failure(BY_ERROR_TYPE.get(kind, "unavailable"), _told(fields))
            case "message_start":
                self.has_begun = True
                self.told |= fields_of(fields_of(fields.get("message")).get("usage"))
            case "content_block_delta":
                self.text += text_of(delta.get("text"))
            case "message_delta":
                self.reason = text_of(delta.get("stop_reason")) or self.reason
                usage = fields_of(fields.get("usage"))
                self.told |= {name: value for name, value in usage.items() if value is not None}
            case "message_stop":
                self.is_whole = True

    def failed(self, error: ModelError) -> ModelError:
        """Return the failure as it is after what was heard: a model that is at work already is billed for it.

        Silence is then no reason to ask again: each try would cost as much, and wait as long.
        """
        if not self.has_begun:
            return error
        usage = _usage(self.told)
        # What was announced at the start has none of the text that came since.
        announced = usage and replace(usage, output=max(usage.output, estimate(self.text)))
        return ServiceError(failure("stalled") if error.outcome == "timeout" else error, announced=announced)
