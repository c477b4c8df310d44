"""The Message Batches API: many requests in one go, answered within a day at half the price.

https://platform.claude.com/docs/en/api/messages/batches. A batch has no name of ours, and a list of batches does not
say which requests they hold: only the results of one that has ended bring back the ids that we gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.bounded_http import REPLY_LIMIT
from memsuggest.judging.asking.messages_api import Client, explained, fields_of, loads, number_in, reply_in, told_error
from memsuggest.judging.asking.model_reply import Reply
from memsuggest.judging.asking.outcomes import failure, outcome_of_status

MOST_REQUESTS, MOST_BYTES = 10_000, 64 * 1024 * 1024
"""Limits of one batch; the service takes ten times, and four times, as many."""
_RESULTS_LIMIT = 512 * 1024 * 1024
_PAGE = 100
_ENDED = "ended"
_COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteBatch:
    """A batch as the service tells of it."""

    id: str
    is_ended: bool
    is_archived: bool
    """True once its results are gone, as they are 29 days after it was made."""
    counts: Mapping[str, int]
    """Numbers of requests that are `processing`, `succeeded`, `errored`, `canceled` and `expired`."""

    @property
    def total(self) -> int:
        """The number of its requests."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of one request."""

    name: str
    """The id that we gave it."""
    reply: Reply | None
    error: ModelError | None = None
    """Why there is no reply; nobody pays for such a request."""


class BatchClient(Client):
    """One endpoint with one key, for batches."""

    def __init__(self, *, endpoint: str, key: str, proxy: str | None = None) -> None:
        super().__init__(endpoint=endpoint, key=key, proxy=proxy, seconds=60.0, total=600.0, limit=_RESULTS_LIMIT)
        self._endpoint = endpoint

    def create(self, requests: Mapping[str, Mapping[str, Any]]) -> RemoteBatch:
        """Make a batch of the bodies of requests, by the ids that we give them; raises ModelError."""
        rows: Any = [{"custom_id": name, "params": dict(body)} for name, body in requests.items()]
        with explained(), self._sdk.messages.batches.with_streaming_response.create(requests=rows) as response:
            return _batch(_loaded(response))

    def retrieve(self, batch: str) -> RemoteBatch:
        """Look how far a batch is; raises ModelError."""
        with explained(), self._sdk.messages.batches.with_streaming_response.retrieve(batch) as response:
            return _batch(_loaded(response))

    def cancel(self, batch: str) -> RemoteBatch:
        """Ask for nothing more of a batch; what is being answered still comes, and is paid. Raises ModelError."""
        with explained(), self._sdk.messages.batches.with_streaming_response.cancel(batch) as response:
            return _batch(_loaded(response))

    def newest(self) -> str:
        """Return the id of the batch that was made last with this key's workspace; empty for none."""
        return next((one.id for one in self._page(limit=1)[0]), "")

    def newer_than(self, batch: str) -> list[RemoteBatch]:
        """Return the batches that were made after one, newest first; all of them without one. Raises ModelError."""
        found: list[RemoteBatch] = []
        after, has_more = "", True
        while has_more:
            page, has_more = self._page(limit=_PAGE, after=after)
            for one in page:
                if one.id == batch:
                    return found
                found.append(one)
            after = page[-1].id if page else ""
            has_more = has_more and bool(page)
        return found

    def results(self, batch: str) -> Iterator[Result]:
        """Yield what became of each request of a batch that has ended, in any order; raises ModelError.

        They are asked for where the batch was made, whatever address the service tells: a key goes nowhere else.
        """
        place = f"{self._endpoint}/v1/messages/batches/{quote(batch, safe='')}/results"
        headers = {name: value for name, value in self._sdk.default_headers.items() if isinstance(value, str)}
        with explained(), self._wire.stream("GET", place, headers=headers) as response:
            if response.status_code != 200:
                raise failure(outcome_of_status(response.status_code))
            for line in _lines(response.iter_bytes()):
                yield _result(fields_of(loads(line)))

    def _page(self, *, limit: int, after: str = "") -> tuple[list[RemoteBatch], bool]:
        query: Any = {"limit": limit, **({"after_id": after} if after else {})}
        with explained(), self._sdk.messages.batches.with_streaming_response.list(**query) as response:
            found = _loaded(response)
        rows = found.get("data")
        if not isinstance(rows, list):
            raise failure("not-the-api", "expected a list of batches")
        return [_batch(fields_of(row)) for row in rows], found.get("has_more") is True


def _loaded(response: Any) -> dict[str, Any]:
    held = b""
    for piece in response.iter_bytes():
        held += piece
        if len(held) > REPLY_LIMIT:
            raise failure("too-long")
    return fields_of(loads(held))


def _batch(found: Mapping[str, Any]) -> RemoteBatch:
    name, state = found.get("id"), found.get("processing_status")
    if not isinstance(name, str) or not name or not isinstance(state, str):
        raise failure("not-the-api", "expected a batch")
    counts = fields_of(found.get("request_counts"))
    return RemoteBatch(
        id=name,
        is_ended=state == _ENDED,
        is_archived=bool(found.get("archived_at")),
        counts={kind: number_in(counts.get(kind)) or 0 for kind in _COUNTS},
    )


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Cut what comes into its lines; raises ModelError for one that is longer than any honest reply."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line for line in lines if line.strip())
        if len(rest) > REPLY_LIMIT:
            raise failure("too-long")
    if rest.strip():
        yield rest


def _result(found: Mapping[str, Any]) -> Result:
    told = fields_of(found.get("result"))
    name, kind = str(found.get("custom_id") or ""), told.get("type")
    try:
        if kind == "succeeded":
            return Result(name=name, reply=reply_in(told.get("message")))
        if kind == "errored":
            return Result(name=name, reply=None, error=told_error(fields_of(told.get("error"))))
    except ModelError as error:
        return Result(name=name, reply=None, error=error)
    outcome = f"batch-{kind}" if kind in ("canceled", "expired") else "not-the-api"
    return Result(name=name, reply=None, error=failure(outcome))
