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
            if _content_type(response) == "text/event-stream":
                return _from_events(Stream.raw_events(response.http_response))
            message = _fields_in(response)
        content = message.get("content")
        if message.get("type") != "message" or not isinstance(content, list):
            raise failure("not-the-api", "unexpected response format")
        blocks = (block for block in map(fields_of, content) if block.get("type") == "text")
        return Reply(
            text="".join(text_of(block.get("text")) for block in blocks),
            stop_reason=text_of(message.get("stop_reason")) or None,
            usage=_usage(fields_of(message.get("usage"))),
        )

    def count(self, body: Mapping[str, Any]) -> int:
        """Return how many tokens a request has, as the service counts them; raises ModelError."""
        asked = {name: body[name] for name in ("model", "system", "messages", "output_config") if name in body}
        with explained(), self._sdk.messages.with_streaming_response.count_tokens(**asked) as response:
            counted = count_in(_fields_in(response), "input_tokens")
        if counted is None:
            raise failure("not-the-api", "no token count")
        return counted


@contextmanager
def explained() -> Iterator[None]:
    """Turn whatever the SDK and the connection raise into a ModelError."""
    try:
        yield
    except anthropic.APIStatusError as error:
        headers, said = error.response.headers, _error_text(error.body)
        outcome = outcome_of_status(error.status_code)
        if _CREDIT in said.lower() or (error.status_code == 429 and headers.get("x-should-retry") == "false"):
            outcome = "no-credit"
        found = failure(outcome, headers.get("location", "") if outcome == "redirect" else said)
        raise ServiceError(found, retry_after=headers.get("retry-after")) from None
    except anthropic.APIConnectionError as error:
        raise _from_connection(error.__cause__ or error, began=False) from None
    except httpx2.HTTPError as error:
        raise _from_connection(error, began=True) from None
    except anthropic.AnthropicError as error:
        raise failure("not-the-api", str(error)) from None


def _error_text(body: object) -> str:
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


def _content_type(response: Any) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()


def _fields_in(response: Any) -> dict[str, Any]:
    """Return the object of a whole response; raises ModelError for one of another content type."""
    if (kind := _content_type(response)) != "application/json":
        raise failure("not-the-api", kind)
    return fields_of(_loads(b"".join(response.iter_bytes())))


def _loads(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise failure("unreadable") from None


def _usage(fields: Mapping[str, Any]) -> Usage | None:
    sent, made = count_in(fields, "input_tokens"), count_in(fields, "output_tokens")
    if sent is None or made is None:
        return None
    read, written = count_in(fields, "cache_read_input_tokens"), count_in(fields, "cache_creation_input_tokens")
    return Usage(input=sent, output=made, cache_read=read or 0, cache_write=written or 0)


def _from_events(events: Iterable[Any]) -> Reply:
    """Return the reply of a stream; raises ModelError, with what is billed of a model that is at work already."""
    text, reason, has_begun, is_whole = "", None, False, False
    counts: dict[str, Any] = {}
    try:
        for event in events:
            fields = fields_of(_loads(event.data.encode())) if event.data else {}
            match event.event or fields.get("type"):
                case "error":
                    kind = text_of(fields_of(fields.get("error")).get("type"))
                    raise failure(BY_ERROR_TYPE.get(kind, "unavailable"), _error_text(fields))
                case "message_start":
                    has_begun = True
                    counts |= fields_of(fields_of(fields.get("message")).get("usage"))
                case "content_block_delta":
                    text += text_of(fields_of(fields.get("delta")).get("text"))
                case "message_delta":
                    reason = text_of(fields_of(fields.get("delta")).get("stop_reason")) or reason
                    usage = fields_of(fields.get("usage"))
                    counts |= {name: value for name, value in usage.items() if value is not None}
                case "message_stop":
                    is_whole = True
        if not is_whole:
            raise failure("cut-off")
    except (httpx2.HTTPError, ModelError) as error:
        failed = error if isinstance(error, ModelError) else _from_connection(error, began=True)
        if not has_begun:
            raise failed from None
        used = _usage(counts)
        # What was announced at the start has none of the text that came since.
        announced = used and replace(used, output=max(used.output, estimate(text)))
        # After silence there is no reason to ask again: each try would cost as much, and wait as long.
        stalled = failure("stalled") if failed.outcome == "timeout" else failed
        raise ServiceError(stalled, announced=announced) from None
    return Reply(text=text, stop_reason=reason, usage=_usage(counts))
