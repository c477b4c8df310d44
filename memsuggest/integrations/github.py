"""GitHub's REST API, as far as a pull request's comment needs it (version 2022-11-28).

Answers are data from another machine: every part that is used is checked for its type first. Redirects are not
followed; waiting for a rate limit ends after a minute.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import httpx2

from memsuggest.errors import RemoteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

API = "https://api.github.com"
ACTIONS_BOT = "github-actions[bot]"
"""Who a workflow's own token writes as; such a token may not ask."""
TIMEOUT = 20.0
TRIES = 3
LONGEST_WAIT = 60.0
"""Seconds for which a rate limit is waited out."""
PAGE, PAGES = 100, 40
SIZE_LIMIT = 20 * 1024 * 1024
"""Bytes of an answer."""

_JSON, _RAW = "application/vnd.github+json", "application/vnd.github.raw+json"
_GONE, _TOO_MANY, _FORBIDDEN = 404, 429, 403


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file of a pull request."""

    path: str
    is_removed: bool
    patch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """What is asked about a pull request."""

    base: str
    """The name of the branch that it goes into."""
    is_fork: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment below a pull request."""

    id: int
    author: str
    body: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_limit(self) -> bool:
        return self.status in {_TOO_MANY, _FORBIDDEN}

    @property
    def value(self) -> Any:
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise _strange() from None


class GitHub:
    """One repository, seen with one token."""

    def __init__(
        self, *, api: str, repository: str, token: str, now: Callable[[], float], wait: Callable[[float], None]
    ) -> None:
        """`api` is the address without a final slash, `repository` is `owner/name`; `now` and `wait` are in seconds."""
        self._repository = f"/repos/{quote(repository, safe='/')}"
        self._now, self._wait = now, wait
        headers = {
            "Authorization": f"Bearer {token}",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "memsuggest",
        }
        self._client = httpx2.Client(base_url=api, headers=headers, timeout=TIMEOUT, follow_redirects=False)

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def pull_request(self, number: int) -> PullRequest:
        """Ask where a pull request comes from and goes to."""
        found = self._ask("GET", f"{self._repository}/pulls/{number}").value
        base, head = _part(found, "base"), _part(found, "head")
        origin = head.get("repo")  # None when the fork was deleted
        is_same = isinstance(origin, dict) and _part(origin, "id") == _part(_part(base, "repo"), "id")
        return PullRequest(base=_text(base, "ref"), is_fork=not is_same)

    def open_pull_request(self, head: str) -> int:
        """Find the one open pull request from `owner:branch`; raises RemoteError for none and for several."""
        found = [
            _part(one, "number")
            for one in self._pages(f"{self._repository}/pulls", state="open", head=head)
            if isinstance(one.get("head"), dict) and one["head"].get("label") == head
        ]
        if len(found) == 1 and type(found[0]) is int:
            return found[0]
        how_many = "several open pull requests come" if found else "no open pull request comes"
        raise RemoteError(f"{how_many} from `{head}`", hint="name it with `--pr NUMBER`")

    def changed_files(self, number: int) -> list[ChangedFile]:
        """Return the files of a pull request; GitHub lists 3,000 at most."""
        return [
            ChangedFile(
                path=_text(found, "filename"),
                is_removed=found.get("status") == "removed",
                patch=str(found.get("patch") or ""),
            )
            for found in self._pages(f"{self._repository}/pulls/{number}/files")
        ]

    def text_at(self, number: int, path: str) -> str | None:
        """Return a file as the pull request has it; None where it has none, or no text."""
        name = f"{self._repository}/contents/{quote(path)}?ref=refs/pull/{number}/head"
        answer = self._ask("GET", name, accept=_RAW, allowed=(_GONE,))
        if answer.status == _GONE:
            return None
        try:
            return answer.body.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def login(self) -> str:
        """Return who the token writes as."""
        answer = self._ask("GET", "/user", allowed=(_FORBIDDEN, _GONE))
        return _text(answer.value, "login") if answer.is_success else ACTIONS_BOT

    def comments(self, number: int) -> list[Comment]:
        """Return the comments below a pull request, oldest first."""
        return [_comment(found) for found in self._pages(f"{self._repository}/issues/{number}/comments")]

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a new comment."""
        return _comment(self._ask("POST", f"{self._repository}/issues/{number}/comments", {"body": body}).value)

    def update_comment(self, comment: Comment, body: str) -> Comment | None:
        """Change a comment; None when it is gone."""
        answer = self._ask("PATCH", self._name(comment), {"body": body}, allowed=(_GONE,))
        return _comment(answer.value) if answer.is_success else None

    def delete_comment(self, comment: Comment) -> None:
        """Remove a comment, unless it is gone already."""
        self._ask("DELETE", self._name(comment), allowed=(_GONE,))

    def _name(self, comment: Comment) -> str:
        return f"{self._repository}/issues/comments/{comment.id}"

    def _pages(self, path: str, **query: str) -> Iterator[dict[str, Any]]:
        for page in range(1, PAGES + 1):
            answer = self._ask("GET", f"{path}?{urlencode({**query, 'per_page': PAGE, 'page': page})}")
            found = answer.value
            if not isinstance(found, list):
                raise _strange()
            yield from (one for one in found if isinstance(one, dict))
            if len(found) < PAGE and 'rel="next"' not in answer.headers.get("link", ""):
                return

    def _ask(
        self, method: str, path: str, body: object = None, *, accept: str = _JSON, allowed: tuple[int, ...] = ()
    ) -> _Answer:
        """Ask, and again where that may help: a limit is waited out, reading is tried again, writing is not."""
        pause: float | None = None
        for tries_left in reversed(range(TRIES)):
            answer = self._send(method, path, body, accept)
            pause = self._pause(answer, method)
            if pause is None or not tries_left or pause > LONGEST_WAIT:
                break
            self._wait(pause)
        if isinstance(answer, RemoteError):
            raise answer
        if answer.is_success or (answer.status in allowed and pause is None):
            return answer
        raise _explained(answer, pause)

    def _send(self, method: str, path: str, body: object, accept: str) -> _Answer | RemoteError:
        try:
            with self._client.stream(method, path, json=body, headers={"Accept": accept}) as response:
                held = _read(response.iter_bytes())
                return _Answer(status=response.status_code, headers=response.headers, body=held)
        except httpx2.HTTPError as error:
            why = str(error) or type(error).__name__
            return RemoteError(f"GitHub cannot be reached: {why}", hint="try again later")

    def _pause(self, answer: _Answer | RemoteError, method: str) -> float | None:
        """Return the seconds after which to ask again; None when that would change nothing, or might do it twice."""
        if isinstance(answer, RemoteError) or answer.status >= 500:
            return 1.0 if method == "GET" else None
        if not answer.is_limit:
            return None
        if after := _number(answer.headers.get("retry-after")):
            return after
        if answer.headers.get("x-ratelimit-remaining") == "0":
            return max(1.0, _number(answer.headers.get("x-ratelimit-reset")) - self._now())
        return None


def _strange() -> RemoteError:
    return RemoteError("what answers is not GitHub's API", hint="is there a proxy in between? check GITHUB_API_URL")


def _read(pieces: Iterator[bytes]) -> bytes:
    held, size = [], 0
    for piece in pieces:
        size += len(piece)
        if size > SIZE_LIMIT:
            raise _strange()
        held.append(piece)
    return b"".join(held)


def _part(found: Any, name: str) -> Any:
    part = found.get(name) if isinstance(found, dict) else None
    if part is None:
        raise _strange()
    return part


def _text(found: Any, name: str) -> str:
    return str(_part(found, name))


def _comment(found: Any) -> Comment:
    user = found.get("user") if isinstance(found, dict) else None
    number = _part(found, "id")
    if type(number) is not int:
        raise _strange()
    return Comment(
        id=number,
        author=str(user.get("login", "")) if isinstance(user, dict) else "",  # a deleted account is None
        body=str(found.get("body") or ""),
        url=str(found.get("html_url") or ""),
    )


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


def _explained(answer: _Answer, pause: float | None) -> RemoteError:
    if pause is not None and answer.is_limit:
        return RemoteError(f"GitHub's rate limit is reached for {pause:.0f} s more", hint="try again then")
    what, hint = _REFUSALS.get(answer.status, ("GitHub cannot do that now", "try again later"))
    return RemoteError(f"{what} (HTTP {answer.status})", hint=hint)
