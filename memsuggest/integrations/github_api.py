"""Asking GitHub's API (REST version 2022-11-28, and GraphQL): limits, faults, refusals, pages.

Answers are data from another machine: what is used of them is checked for its type first. Redirects are not followed;
waiting for a rate limit ends after a minute. What to ask is not known in here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import httpx2

from memsuggest.errors import RemoteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

TIMEOUT = 20.0
TRIES = 3
LONGEST_WAIT = 60.0
"""Seconds for which a rate limit is waited out."""
PAGE, PAGES = 100, 40
SIZE_LIMIT = 20 * 1024 * 1024
"""Bytes of an answer."""
QUICK_WRITES = 20
"""After so many in one run, a second passes before the next: GitHub asks for that of who writes much."""

JSON, RAW = "application/vnd.github+json", "application/vnd.github.raw+json"
GONE, FORBIDDEN, NOT_ACCEPTED = 404, 403, 422
_TOO_MANY = 429


class UnsureError(RemoteError):
    """Something was to be written, and nobody can tell whether it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One request that changes something on GitHub."""

    method: str
    path: str
    body: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether it was done."""
        return 200 <= self.status < 300

    @property
    def is_limit(self) -> bool:
        """Whether it may be a rate limit; the secondary one comes as `403`, too."""
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

    def __init__(
        self,
        *,
        api: str,
        token: str,
        now: Callable[[], float],
        wait: Callable[[float], None],
        is_dry: bool = False,
    ) -> None:
        """`api` is the address without a final slash; `now` and `wait` are in seconds."""
        self._now, self._wait = now, wait
        self.is_dry = is_dry
        self.writes: list[Write] = []
        headers = {
            "Authorization": f"Bearer {token}",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "memsuggest",
        }
        # A company's own server answers GraphQL beside `/api/v3`, not below it.
        self._graphql = api.removesuffix("/v3") + "/graphql"
        self._client = httpx2.Client(base_url=api, headers=headers, timeout=TIMEOUT, follow_redirects=False)

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def read(self, path: str, *, accept: str = JSON, allowed: tuple[int, ...] = ()) -> Answer:
        """Read something, and again where that may help; raises RemoteError but for the statuses that are allowed."""
        return self._ask("GET", path, None, accept=accept, allowed=allowed, is_read=True)

    def write(self, method: str, path: str, body: Any = None, *, allowed: tuple[int, ...] = ()) -> Answer:
        """Change something, once; raises UnsureError where it may have been done all the same, else RemoteError."""
        self.writes.append(Write(method=method, path=path, body=body))
        if self.is_dry:
            return Answer(status=200, headers={}, body=json.dumps({"id": 0, "body": ""}).encode())
        if len(self.writes) > QUICK_WRITES:
            self._wait(1.0)
        return self._ask(method, path, body, accept=JSON, allowed=allowed, is_read=False)

    def pages(self, path: str, **query: str) -> Iterator[dict[str, Any]]:
        """Read a list to its end."""
        for page in range(1, PAGES + 1):
            answer = self.read(f"{path}?{urlencode({**query, 'per_page': PAGE, 'page': page})}")
            found = answer.value
            if not isinstance(found, list):
                raise strange()
            yield from (one for one in found if isinstance(one, dict))
            # The next page's address is not followed: it is told by the answer, and the token would go there.
            if len(found) < PAGE and 'rel="next"' not in answer.headers.get("link", ""):
                return

    def query(self, text: str, **variables: Any) -> Any:
        """Ask in GraphQL; None where that is refused."""
        body = {"query": text, "variables": variables}
        answer = self._ask("POST", self._graphql, body, accept=JSON, allowed=(GONE, FORBIDDEN), is_read=True)
        return _data(answer)

    def mutate(self, text: str, **variables: Any) -> bool:
        """Change something in GraphQL; False where that is refused. Raises as `write` does."""
        body = {"query": text, "variables": variables}
        answer = self.write("POST", self._graphql, body, allowed=(GONE, FORBIDDEN))
        return self.is_dry or _data(answer) is not None

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
        raise _explained(answer, pause, is_read=is_read)

    def _send(self, method: str, path: str, body: object, accept: str) -> Answer | RemoteError:
        try:
            with self._client.stream(method, path, json=body, headers={"Accept": accept}) as response:
                held = _held(response.iter_bytes())
                return Answer(status=response.status_code, headers=response.headers, body=held)
        except httpx2.HTTPError as error:
            why = str(error) or type(error).__name__
            return RemoteError(f"GitHub cannot be reached: {why}", hint="try again later")

    def _pause(self, answer: Answer | RemoteError, *, is_read: bool) -> float | None:
        """Return the seconds after which to ask again; None when that would change nothing, or might do it twice."""
        if isinstance(answer, RemoteError) or answer.status >= 500:
            return 1.0 if is_read else None
        if not answer.is_limit:
            return None
        if after := _number(answer.headers.get("retry-after")):
            return after
        if answer.headers.get("x-ratelimit-remaining") == "0":
            return max(1.0, _number(answer.headers.get("x-ratelimit-reset")) - self._now())
        # Told by its words alone, a limit is to be waited out for a minute.
        return LONGEST_WAIT if b"rate limit" in answer.body[:2000].lower() else None


def strange() -> RemoteError:
    """Return the error for an answer that GitHub would not give."""
    return RemoteError("what answers is not GitHub's API", hint="is there a proxy in between? check GITHUB_API_URL")


def part(found: Any, name: str) -> Any:
    """Return a part of an answer; raises RemoteError where it has none."""
    held = found.get(name) if isinstance(found, dict) else None
    if held is None:
        raise strange()
    return held


def _data(answer: Answer) -> Any:
    """Return what GraphQL answers; errors come with the status 200."""
    if not answer.is_success:
        return None
    found = answer.value
    return None if not isinstance(found, dict) or found.get("errors") else found.get("data")


def _held(pieces: Iterator[bytes]) -> bytes:
    held, size = [], 0
    for piece in pieces:
        size += len(piece)
        if size > SIZE_LIMIT:
            raise strange()
        held.append(piece)
    return b"".join(held)


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


_REFUSALS = {
    301: ("the repository moved", "set GITHUB_REPOSITORY to its new name"),
    401: ("GitHub does not accept the token", "set GITHUB_TOKEN to one that is valid"),
    403: (
        "the token may not do that",
        "it needs `pull-requests: write`; in a workflow that a fork's pull request started it is read-only",
    ),
    404: (
        "there is no such repository or pull request, or the token may not see it",
        "check GITHUB_REPOSITORY and `--pr`",
    ),
    410: ("comments are switched off there", "use `--output FILE` instead of `--post`"),
    422: ("GitHub does not accept the comment", "try `--output FILE`, and look at it"),
}


def _explained(answer: Answer, pause: float | None, *, is_read: bool) -> RemoteError:
    if pause is not None and answer.is_limit:
        return RemoteError(f"GitHub's rate limit is reached for {pause:.0f} s more", hint="try again then")
    what, hint = _REFUSALS.get(answer.status, ("GitHub cannot do that now", "try again later"))
    kind = UnsureError if answer.status >= 500 and not is_read else RemoteError
    return kind(f"{what} (HTTP {answer.status})", hint=hint)
