"""The client: one endpoint, one request, one reply or one GraphitiError. It retries nothing and asks nobody.

Whoever makes one has asked for consent before. Secrets are taken out once more of whatever leaves.
"""

from __future__ import annotations

import json
import re
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2

from memsuggest.core.errors import RemoteError
from memsuggest.core.redact.redaction_rules import redact
from memsuggest.graphiti.outbox import Outgoing
from memsuggest.graphiti.profile_tables import is_group_id
from memsuggest.judging.asking.bounded_http import ReplyTooLongError, ReplyTooSlowError, open_wire
from memsuggest.judging.asking.outcomes import shown_detail

Read = TypeVar("Read")
CONNECT_SECONDS, READ_SECONDS, TOTAL_SECONDS = 2.0, 5.0, 15.0
"""To connect, without a byte, and for all of a call whose caller names no deadline."""
BEARER, X_API_KEY = "authorization", "x-api-key"
KEY_HEADERS = (BEARER, X_API_KEY)
_LONGEST_WAIT = 86_400.0
_FIRST, _LAST = -62_135_596_800_000, 253_402_300_800_000
"""Milliseconds of the first year, and of the first that has five digits: beyond, there are no dates."""
_HUNG_UP = re.compile("disconnected|closed", re.IGNORECASE)
"""What is said of a connection that ended, among all that may be wrong with an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An edge of the graph: what the server understood from episodes. Times are milliseconds since the epoch."""

    uuid: str
    fact: str
    valid_at: int | None = None
    invalid_at: int | None = None
    expired_at: int | None = None
    episodes: tuple[str, ...] = ()
    """Ids of episodes that say so, where the server tells them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A message that the server stored."""

    uuid: str
    name: str
    content: str
    valid_at: int | None = None


class GraphitiClient(AbstractContextManager["GraphitiClient"]):
    """One server. Usable from several threads at once; `within` are seconds for all of a call."""

    def __init__(
        self,
        endpoint: str,
        *,
        key: str | None = None,
        key_header: str = BEARER,
        read: float = READ_SECONDS,
        total: float = TOTAL_SECONDS,
    ) -> None:
        self.endpoint = endpoint.rstrip("/")
        self._total = total
        self._read = read
        self._headers = {"User-Agent": "memsuggest", "Accept": "application/json"}
        if key:
            self._headers[key_header] = f"Bearer {key}" if key_header == BEARER else key
        self._wire = open_wire(self.endpoint, proxy=None, seconds=read, total=total, connect=CONNECT_SECONDS)

    def __exit__(self, *_error: object) -> None:
        self._wire.close()

    def healthcheck(self, *, within: float | None = None) -> None:
        """Ask whether the server is up; it says so even when its worker is dead."""

        def is_healthy(loaded: object) -> None:
            if not isinstance(loaded, dict) or loaded.get("status") != "healthy":
                raise ValueError("unexpected health status")

        try:
            self._ask("GET", "/healthcheck", read=is_healthy, within=within)
        except GraphitiError as error:
            if error.outcome != "not-found":
                raise
            hint = f"this may be Graphiti's MCP server, a different program that also uses port 8000; {ENDPOINT}"
            raise GraphitiError(error.message, outcome=error.outcome, hint=hint) from None

    def add_messages(self, group_id: str, messages: Sequence[Outgoing], *, within: float | None = None) -> None:
        """Hand in messages; the server has then queued them, which is not stored."""
        rows = [
            {
                "content": redact(message.content).text,
                "role_type": message.role_type,
                "role": redact(message.role).text or None,
                "name": message.name,
                "timestamp": datetime.fromtimestamp(message.at / 1000, tz=UTC)
                .isoformat(timespec="milliseconds")
                .replace("+00:00", "Z"),
                "source_description": redact(message.source).text,
            }
            for message in messages
        ]
        body = {"group_id": _checked(group_id), "messages": rows}
        self._ask("POST", "/messages", body=body, read=_succeeded, within=within)

    def search(
        self, group_ids: Sequence[str], query: str, *, max_facts: int = 10, within: float | None = None
    ) -> tuple[Fact, ...]:
        """Return facts of some groups that have to do with a query, best first; of no group, none.

        The server would take no groups for all that it has.
        """

        def facts(loaded: object) -> tuple[Fact, ...]:
            found = []
            for row in _rows(loaded.get("facts") if isinstance(loaded, dict) else None):
                uuid, fact, episodes = _text(row, "uuid"), _text(row, "fact"), row.get("episodes")
                if uuid and fact.strip():
                    times = {name: read_time(row.get(name)) for name in ("valid_at", "invalid_at", "expired_at")}
                    named = episodes if isinstance(episodes, list) else ()
                    episodes = tuple(name for name in named if isinstance(name, str))
                    found.append(Fact(uuid=uuid, fact=fact, episodes=episodes, **times))
            return tuple(found)

        if not group_ids:
            return ()
        groups = [_checked(group) for group in group_ids]
        body = {"group_ids": groups, "query": redact(query).text, "max_facts": max_facts}
        return self._ask("POST", "/search", body=body, read=facts, within=within)

    def episodes(self, group_id: str, *, last: int, within: float | None = None) -> tuple[Episode, ...]:
        def episodes(loaded: object) -> tuple[Episode, ...]:
            found = []
            for row in _rows(loaded):
                if uuid := _text(row, "uuid"):
                    said = {name: _text(row, name) for name in ("name", "content")}
                    found.append(Episode(uuid=uuid, **said, valid_at=read_time(row.get("valid_at"))))
            return tuple(found)

        path = f"/episodes/{_checked(group_id)}?last_n={last}"
        return self._ask("GET", path, read=episodes, within=within)

    def delete(self, what: str, name: str, *, within: float | None = None) -> None:
        """Ask to delete an `entity-edge`, `episode` or `group`; neither a yes nor a 404 proves that it is gone."""
        self._ask("DELETE", f"/{what}/{quote(name, safe='')}", read=_succeeded, within=within)

    def _ask(
        self,
        method: str,
        path: str,
        *,
        read: Callable[[object], Read],
        body: Mapping[str, Any] | None = None,
        within: float | None,
    ) -> Read:
        seconds = self._total if within is None else min(within, self._total)
        if seconds <= 0:
            raise failure("timeout", "there was no time left for the request")
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        timeout = httpx2.Timeout(min(self._read, seconds), connect=min(CONNECT_SECONDS, seconds))

        def send() -> object:
            try:
                response = self._wire.request(
                    method, f"{self.endpoint}{path}", headers=headers, content=content, timeout=timeout
                )
            except httpx2.HTTPError as error:
                raise _from_connection(error) from None
            return _loaded(response)

        loaded = _in_time(send, seconds)
        try:
            return read(loaded)
        except ValueError as error:
            raise failure("not-graphiti", f"{method} {path.partition('?')[0]}: {error}") from None


def _in_time(ask: Callable[[], object], seconds: float) -> object:
    """Return what `ask` returns; after so many seconds give it up, whatever it waits for: a name, a header, a byte.

    It then ends by itself, and keeps nobody from leaving.
    """
    answer: Future[object] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001  (raised again by whoever waits, a bug with its traceback)
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True, name="graphiti").start()
    if not wait([answer], seconds).done:
        raise failure("timeout", f"after {seconds:.3g} seconds")
    return answer.result()


def _checked(group_id: str) -> str:
    if not is_group_id(group_id):
        raise AssertionError(f"the group ID {group_id!r} would crash the server's worker")
    return group_id


# What an answer says.


def _loaded(response: httpx2.Response) -> object:
    """Return the JSON of a response that is a success; raises GraphitiError."""
    status = response.status_code
    if 300 <= status < 400:
        raise failure("redirect", response.headers.get("location", ""))
    sort = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    wrong, loaded = "" if sort == "application/json" else f"content type: {sort or 'none'}", None
    if not wrong:
        try:
            loaded = json.loads(response.content)
        except (ValueError, RecursionError):
            wrong = "not JSON"
    if not response.is_success:
        outcome = _BY_STATUS.get(status, "unavailable" if status >= 500 else "refused")
        try:
            seconds = float(response.headers.get("retry-after", ""))
        except ValueError:
            seconds = -1.0
        wait = seconds if 0 <= seconds <= _LONGEST_WAIT else None
        raise failure(outcome, f"{status} {_detail_in(loaded)}".strip(), seconds=wait)
    if wrong:
        raise failure("not-graphiti", wrong)
    return loaded


def _succeeded(loaded: object) -> None:
    if not isinstance(loaded, dict) or loaded.get("success") is not True:
        raise ValueError("the server did not report success")


def _rows(loaded: object) -> list[dict[str, Any]]:
    if not isinstance(loaded, list):
        raise ValueError("not a list")  # noqa: TRY004  (a reply of another shape is a bad value)
    return [row for row in loaded if isinstance(row, dict)]


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def read_time(value: object) -> int | None:
    """Return a time of the server in milliseconds since the epoch; None where there is none that can be read.

    >>> read_time("2023-11-14T22:13:20.123456Z"), read_time("2023-11-14T22:13:20"), read_time("soon")
    (1700000000123, 1700000000000, None)
    >>> read_time("9999-12-31T23:59:59-14:00")
    """
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
        milliseconds = int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
    return milliseconds if _FIRST <= milliseconds < _LAST else None


# What goes wrong.

ENDPOINT = "`memsuggest graphiti show` prints the endpoint; `memsuggest graphiti on --endpoint URL` changes it"
LOGS = "no data was lost on this machine; check the server's log"
_FAILURES: Mapping[str, tuple[str, str]] = {
    "no-connection": ("cannot reach the Graphiti server", f"check that the server is running; {ENDPOINT}"),
    "certificate": (
        "cannot verify the Graphiti server's certificate",
        "install your company's CA certificate in the operating system, not only in a browser",
    ),
    "timeout": ("the Graphiti server timed out", LOGS),
    "cut-off": ("the Graphiti server's response was cut off", LOGS),
    "too-long": ("the Graphiti server's response is too long", ENDPOINT),
    "redirect": ("the Graphiti endpoint returned a redirect, which memsuggest does not follow", ENDPOINT),
    "not-graphiti": ("the endpoint is not a Graphiti server", ENDPOINT),
    "unauthorized": (
        "the Graphiti server rejected the key or requires one",
        "set MEMSUGGEST_GRAPHITI_KEY; unless the key is a bearer token, set `graphiti.keyHeader` to `x-api-key`",
    ),
    "forbidden": (
        "the Graphiti server denied access",
        "the key lacks permission: ask the server's administrator",
    ),
    "not-found": ("the Graphiti server did not find the requested resource", ENDPOINT),
    "refused": (
        "the Graphiti server rejected the request as malformed",
        "memsuggest supports version 0.29; if the server runs this version, please report the error",
    ),
    "too-large": (
        "the request is too large for the Graphiti server",
        "run `memsuggest config set graphiti.maxMessageChars 1000` to send less of each message",
    ),
    "rate-limited": ("the Graphiti server is receiving too many requests", "memsuggest will retry later"),
    "gateway": ("the proxy in front of the Graphiti server got no response from it", LOGS),
    "unavailable": ("the Graphiti server reported an internal error", LOGS),
}
"""What each outcome says, and what to do."""
_BY_STATUS = {
    401: "unauthorized", 403: "forbidden", 404: "not-found", 405: "not-graphiti", 407: "unauthorized", 408: "timeout",
    413: "too-large", 422: "refused", 429: "rate-limited", 502: "gateway", 504: "timeout",
}  # fmt: skip


class GraphitiError(RemoteError):
    """A request to the server came to nothing."""

    def __init__(self, message: str, *, outcome: str, hint: str | None = None, seconds: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.outcome = outcome
        """The name of what happened: `no-connection`, `timeout`, `not-found`, …"""
        self.seconds = seconds
        """How long the server asks to wait, where it does."""


def failure(outcome: str, detail: str = "", *, seconds: float | None = None) -> GraphitiError:
    """Return the error for an outcome; `detail` is the server's own word, and is shown made harmless."""
    says, hint = _FAILURES[outcome]
    shown = shown_detail(detail)
    return GraphitiError(f"{says}: {shown}" if shown else says, outcome=outcome, hint=hint, seconds=seconds)


def _from_connection(error: httpx2.HTTPError) -> GraphitiError:
    if isinstance(error, ReplyTooLongError):
        return failure("too-long")
    if isinstance(error, httpx2.ConnectTimeout):  # nothing was sent: a VPN that is off, a machine that sleeps
        return failure("no-connection", "connection timed out")
    if isinstance(error, (ReplyTooSlowError, httpx2.TimeoutException)):
        return failure("timeout")
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return failure("certificate", str(error))
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx2.ConnectError):
        return failure("no-connection", str(error))
    is_strange = isinstance(error, (httpx2.ProtocolError, httpx2.DecodingError)) and not _HUNG_UP.search(str(error))
    return failure("not-graphiti" if is_strange else "cut-off", str(error))


def _detail_in(loaded: object) -> str:
    """Return what the server says about an error, without what it was sent.

    >>> _detail_in({"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "Field required", "input": {"a": 1}}]})
    'body.messages.0.role: Field required'
    """
    fields: dict[str, Any] = loaded if isinstance(loaded, dict) else {}
    detail = fields.get("detail", fields.get("message", fields.get("error")))
    if not isinstance(detail, list):
        return detail if isinstance(detail, str) else ""
    rows = [row for row in detail[:3] if isinstance(row, dict)]
    places = [place if isinstance(place := row.get("loc"), list) else [] for row in rows]
    return "; ".join(
        f"{'.'.join(map(str, place))}: {row.get('msg', '')}" for row, place in zip(rows, places, strict=True)
    )
