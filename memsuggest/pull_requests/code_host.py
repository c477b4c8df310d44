"""A code host's REST API, and what GitHub and GitLab share: a change, its comments, the lines of a diff.

Answers are data from another machine: what is used of them is checked for its type first. Redirects are not followed;
waiting for a rate limit ends after a minute.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlencode

import httpx2
from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchSet

from memsuggest.core.errors import RemoteError
from memsuggest.core.plain_reports import RequestJson

TIMEOUT = 20.0
TRIES = 3
LONGEST_WAIT = 60.0  # seconds for which a rate limit is waited out
PAGE, PAGES = 100, 40
SIZE_LIMIT = 20 * 1024 * 1024  # bytes of an answer
QUICK_WRITES = 20
"""After so many in one run, a second passes before the next: hosts ask for that of who writes much."""
REFUSED, GONE, FORBIDDEN, NOT_ACCEPTED = 400, 404, 403, 422
_TOO_MANY = 429
FILE_MODES = ("100644", "100755")  # what git calls a plain file; links are left out


class UnsureError(RemoteError):
    """Something was to be written, and nobody can tell whether it was."""


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
    def value(self) -> Any:
        """The JSON in it; raises RemoteError."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise strange() from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file of a pull request."""

    path: str
    is_removed: bool
    patch: str
    old_path: str = ""  # what it was called before; empty where the host does not say


class PullRequest(NamedTuple):
    """The origin and the goal of a pull request."""

    base: str  # the name of the branch that it goes into
    head: str  # the commit that it ends with
    is_fork: bool
    base_ref: str  # what its host reads files of the base by
    head_ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment below a pull request, or beside its lines."""

    id: int
    author: str  # empty for an account that was deleted
    body: str
    address: str  # what it is changed by in the API
    url: str = ""
    thread: str = ""  # what its conversation is found by, beside lines
    path: str = ""
    lines: tuple[int, int] | None = None
    """First and last, of the file as it is; None when they changed since (it is outdated), or were removed ones."""
    replies_to: int | None = None


class Thread(NamedTuple):
    """A conversation beside the lines of a pull request."""

    id: str
    is_resolved: bool


class Wanted(NamedTuple):
    """A comment as it should stand beside lines of a file."""

    path: str
    lines: tuple[int, int]
    body: str


class CodeHost:
    """One repository on a code host, seen with one token; a dry one notes what it would write, and writes nothing."""

    name: ClassVar[str]
    noun: ClassVar[str]  # the host's name for a change
    refusals: ClassVar[Mapping[int, tuple[str, str]]]  # what statuses mean, and what to do
    accept: ClassVar[str] = "application/json"
    is_ranged: ClassVar[bool]  # whether a suggestion block itself says for which lines it is
    at_once: ClassVar[int]  # the number of comments beside lines that can be posted together
    account: ClassVar[tuple[str, str]]  # the field for a comment's author, and the field of its name
    edit: ClassVar[str]  # the method that changes a comment

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
        self.writes: list[RequestJson] = []
        sent = {**headers, "User-Agent": "memsuggest"}
        self._client = httpx2.Client(base_url=api, headers=sent, timeout=TIMEOUT, follow_redirects=False)

    def close(self) -> None:
        self._client.close()

    def read(self, path: str, query: Any = None, *, accept: str = "", allowed: tuple[int, ...] = ()) -> Answer:
        """Read something, and again where that may help; raises RemoteError but for the statuses that are allowed."""
        method = "GET" if query is None else "POST"
        return self._ask(method, path, query, accept=accept, allowed=allowed, is_read=True)

    def write(self, method: str, path: str, body: Any = None, *, allowed: tuple[int, ...] = ()) -> Answer:
        """Change something, once; raises UnsureError where it may have been done all the same, else RemoteError."""
        self.writes.append({"method": method, "path": path, "body": body})
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
        for tries_left in reversed(range(TRIES)):
            answer, fault = None, ""
            headers, received = {"Accept": accept or self.accept}, bytearray()
            try:
                with self._client.stream(method, path, json=body, headers=headers) as response:
                    for piece in response.iter_bytes():
                        received += piece
                        if len(received) > SIZE_LIMIT:
                            raise strange()
                    answer = Answer(status=response.status_code, headers=response.headers, body=bytes(received))
            except httpx2.HTTPError as error:
                fault = str(error) or type(error).__name__
            pause = self._pause(answer, is_read=is_read)
            if pause is None or not tries_left or pause > LONGEST_WAIT:
                break
            self._wait(pause)
        in_doubt = RemoteError if is_read else UnsureError
        if answer is None:
            raise in_doubt(f"{self.name} cannot be reached: {fault}", hint="try again later")
        if answer.is_success or (answer.status in allowed and pause is None):
            return answer
        if pause is not None and answer.status < 500:
            raise RemoteError(f"{self.name}'s rate limit has been exceeded", hint=f"try again in {pause:.0f} s")
        usual = (f"{self.name} could not handle the request", "try again later")
        what, hint = self.refusals.get(answer.status, usual)
        kind = in_doubt if answer.status >= 500 else RemoteError
        raise kind(f"{what} (HTTP {answer.status})", hint=hint)

    def _pause(self, answer: Answer | None, *, is_read: bool) -> float | None:
        """Return the seconds after which to ask again; None when that would change nothing, or might do it twice."""
        if answer is None or answer.status >= 500:
            return 1.0 if is_read else None
        if answer.status not in {_TOO_MANY, FORBIDDEN}:  # the secondary limit comes as `403`, too
            return None
        if after := _number(answer.headers.get("retry-after")):
            return after
        for prefix in ("x-ratelimit", "ratelimit"):
            if answer.headers.get(f"{prefix}-remaining") == "0":
                return max(1.0, _number(answer.headers.get(f"{prefix}-reset")) - self._now())
        # A limit that only the words name is waited out for a minute.
        is_limit = answer.status == _TOO_MANY or b"rate limit" in answer.body[:2000].lower()
        return LONGEST_WAIT if is_limit else None

    def open_pull_request(self, head: str) -> int:
        """Find the one open change from `owner:branch`; raises RemoteError for none, for several, and elsewhere."""
        raise RemoteError(f"cannot find a {self.noun} for the branch `{head}`", hint=f"use the {self.noun}'s number")

    def hide(self, comment: Comment) -> bool:
        """Fold a comment away; False where the token may not, or the host cannot."""
        del comment
        return False

    def update(self, comment: Comment, body: str) -> bool:
        """Change a comment; False when it is gone."""
        return self.write(self.edit, comment.address, {"body": body}, allowed=(GONE,)).is_success

    def delete(self, comment: Comment) -> None:
        self.write("DELETE", comment.address, allowed=(GONE,))

    def comment_of(self, found: Any, among: str, **more: Any) -> Comment:
        number = part(found, "id")
        if type(number) is not int:
            raise strange()
        author = found.get(self.account[0])
        return Comment(
            id=number,
            author=str(author.get(self.account[1], "")) if isinstance(author, dict) else "",
            body=str(found.get("body") or "").replace("\r\n", "\n"),
            address=f"{among}/{number}",
            **more,
        )

    def text_of(self, address: str, accept: str) -> str | None:
        """Return a file; None for none, or no text."""
        answer = self.read(address, accept=accept, allowed=(GONE,))
        with suppress(UnicodeDecodeError):
            return None if answer.status == GONE else answer.body.decode("utf-8")
        return None


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


def hunks_shown(patch: str) -> tuple[range, ...]:
    """Return the stretches of lines of the new text, from 1, that one file's hunks add or show around a change.

    Takes what `git diff` prints for a file, or the bare hunks that a code host's API gives; a patch that cannot be read
    (it is cut, or binary) shows nothing.
    """
    return tuple(
        range(hunk.target_start, hunk.target_start + hunk.target_length)
        for hunk in _hunks(patch)
        if hunk.target_length > 0
    )


def old_line(patch: str, number: int) -> int | None:
    """Return the number that a line of the new text had before; None for one that was added, or is not shown."""
    shown = (line for hunk in _hunks(patch) for line in hunk)
    return next((line.source_line_no for line in shown if line.target_line_no == number), None)


def _hunks(patch: str) -> list[Hunk]:
    start = 0 if patch.startswith("@@ ") else patch.find("\n@@ ") + 1
    if not patch.startswith("@@ ", start):
        return []
    hunks = patch[start:]
    try:
        files = PatchSet.from_string(f"--- a/file\n+++ b/file\n{hunks}" + ("" if hunks.endswith("\n") else "\n"))
    except (UnidiffParseError, ValueError):
        return []
    return [hunk for file in files for hunk in file]
