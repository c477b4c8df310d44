"""Asking the REST API of a code host: limits, faults, refusals, pages.

Answers are data from another machine: what is used of them is checked for its type first. Redirects are not followed;
waiting for a rate limit ends after a minute. What to ask, and of which host, is not known in here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode

import httpx2

from memsuggest.core.errors import RemoteError

TIMEOUT = 20.0
TRIES = 3
LONGEST_WAIT = 60.0
"""Seconds for which a rate limit is waited out."""
PAGE, PAGES = 100, 40
SIZE_LIMIT = 20 * 1024 * 1024
"""Bytes of an answer."""
QUICK_WRITES = 20
"""After so many in one run, a second passes before the next: hosts ask for that of who writes much."""

REFUSED, GONE, FORBIDDEN, NOT_ACCEPTED = 400, 404, 403, 422
_TOO_MANY = 429


class UnsureError(RemoteError):
    """Something was to be written, and nobody can tell whether it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One request that changes something."""

    method: str
    path: str
    body: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_limit(self) -> bool:
        """Tell whether it may be a rate limit; the secondary one comes as `403`, too."""
        return self.status in {_TOO_MANY, FORBIDDEN}

    @property
    def value(self) -> Any:
        """The JSON in it; raises RemoteError."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise strange() from None


class Api:
    """One server, asked with one token; a dry one notes what it would write, and writes nothing."""

    name: ClassVar[str]
    refusals: ClassVar[Mapping[int, tuple[str, str]]]
    """What statuses mean, and what to do."""
    accept: ClassVar[str] = "application/json"

    def __init__(
        self,
        *,
        api: str,
        headers: Mapping[str, str],
        now: Callable[[], float],
        wait: Callable[[float], None],
        is_dry: bool = False,
    ) -> None:
        """`api` is the address without a final slash; `now` and `wait` are in seconds."""
        self._now, self._wait = now, wait
        self.is_dry = is_dry
        self.writes: list[Write] = []
        sent = {**headers, "User-Agent": "memsuggest"}
        self._client = httpx2.Client(base_url=api, headers=sent, timeout=TIMEOUT, follow_redirects=False)

    def close(self) -> None:
        self._client.close()

    def read(self, path: str, *, accept: str = "", allowed: tuple[int, ...] = ()) -> Answer:
        """Read something, and again where that may help; raises RemoteError but for the statuses that are allowed."""
        return self._ask("GET", path, None, accept=accept, allowed=allowed, is_read=True)

    def ask(self, path: str, body: Any, *, allowed: tuple[int, ...] = ()) -> Answer:
        return self._ask("POST", path, body, accept="", allowed=allowed, is_read=True)

    def write(self, method: str, path: str, body: Any = None, *, allowed: tuple[int, ...] = ()) -> Answer:
        """Change something, once; raises UnsureError where it may have been done all the same, else RemoteError."""
        self.writes.append(Write(method=method, path=path, body=body))
        if self.is_dry:
            return Answer(status=200, headers={}, body=json.dumps({"id": 0, "body": ""}).encode())
        if len(self.writes) > QUICK_WRITES:
            self._wait(1.0)
        return self._ask(method, path, body, accept="", allowed=allowed, is_read=False)

    def pages(self, path: str, *, size: int = PAGE, **query: str) -> Iterator[dict[str, Any]]:
        for page in range(1, PAGES + 1):
            answer = self.read(f"{path}?{urlencode({**query, 'per_page': size, 'page': page})}")
            found = answer.value
            if not isinstance(found, list):
                raise strange()
            yield from (row for row in found if isinstance(row, dict))
            # The next page's address is not followed: the answer names it, and the token would go there.
            if len(found) < size and 'rel="next"' not in answer.headers.get("link", ""):
                return

    def _ask(
        self, method: str, path: str, body: Any, *, accept: str, allowed: tuple[int, ...], is_read: bool
    ) -> Answer:
        """Ask, and again where that may help: a limit is waited out, reading is tried again, writing is not."""
        pause: float | None = None
        for tries_left in reversed(range(TRIES)):
            answer = self._send(method, path, body, accept)
            pause = self._pause(answer, is_read=is_read)
            if pause is None or not tries_left or pause > LONGEST_WAIT:
                break
            self._wait(pause)
        if isinstance(answer, RemoteError):
            raise answer if is_read else UnsureError(answer.message, hint=answer.hint)
        if answer.is_success or (answer.status in allowed and pause is None):
            return answer
        raise self._explained(answer, pause, is_read=is_read)

    def _send(self, method: str, path: str, body_sent: object, accept: str) -> Answer | RemoteError:
        try:
            with self._client.stream(
                method, path, json=body_sent, headers={"Accept": accept or self.accept}
            ) as response:
                body = bytearray()
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > SIZE_LIMIT:
                        raise strange()
                return Answer(status=response.status_code, headers=response.headers, body=bytes(body))
        except httpx2.HTTPError as error:
            why = str(error) or type(error).__name__
            return RemoteError(f"{self.name} cannot be reached: {why}", hint="try again later")

    def _pause(self, answer: Answer | RemoteError, *, is_read: bool) -> float | None:
        """Return the seconds after which to ask again; None when that would change nothing, or might do it twice."""
        if isinstance(answer, RemoteError) or answer.status >= 500:
            return 1.0 if is_read else None
        if not answer.is_limit:
            return None
        if after := _number(answer.headers.get("retry-after")):
            return after
        for prefix in ("x-ratelimit", "ratelimit"):
            if answer.headers.get(f"{prefix}-remaining") == "0":
                return max(1.0, _number(answer.headers.get(f"{prefix}-reset")) - self._now())
        # A limit that only the words name is waited out for a minute.
        is_limit = answer.status == _TOO_MANY or b"rate limit" in answer.body[:2000].lower()
        return LONGEST_WAIT if is_limit else None

    def _explained(self, answer: Answer, pause: float | None, *, is_read: bool) -> RemoteError:
        if pause is not None and answer.is_limit:
            return RemoteError(f"{self.name}'s rate limit has been exceeded", hint=f"try again in {pause:.0f} s")
        usual = (f"{self.name} could not handle the request", "try again later")
        what, hint = self.refusals.get(answer.status, usual)
        kind = UnsureError if answer.status >= 500 and not is_read else RemoteError
        return kind(f"{what} (HTTP {answer.status})", hint=hint)


def strange() -> RemoteError:
    return RemoteError(
        "the response did not come from a code host's API",
        hint="check for a proxy, and check GITHUB_API_URL or CI_API_V4_URL",
    )


def part(found: Any, name: str) -> Any:
    """Return a part of an answer; raises RemoteError where it has none."""
    value = found.get(name) if isinstance(found, dict) else None
    if value is None:
        raise strange()
    return value


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
