"""A server on this machine that speaks the part of GitHub's API that a pull request's comments need.

What it refuses, GitHub refuses: lines outside the diff, a first line that is the last, a second pending review, and
resolving with a token that may not write contents.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

BOT = "github-actions[bot]"
REPO = "/repos/shop/bakery"


@dataclass
class FakeGitHub:
    """A repository with one pull request, number 7; everything that was asked is kept."""

    files: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[str, bytes] = field(default_factory=dict)
    branches: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """The files of other branches than the pull request's own."""
    tree: dict[str, str] | None = None
    """The hash of each file of the pull request; None: GitHub does not list them."""
    base: str = "main"
    head: str = "c0ffee" * 6 + "0001"
    comments: list[dict[str, Any]] = field(default_factory=list)
    beside: list[dict[str, Any]] = field(default_factory=list)
    """Review comments."""
    reviews: list[dict[str, Any]] = field(default_factory=list)
    resolved: set[int] = field(default_factory=set)
    """The review comments that begin a resolved conversation."""
    hidden: set[int] = field(default_factory=set)
    may_resolve: bool = True
    may_hide: bool = True
    has_pending_review: bool = False
    is_fork: bool = False
    login: str | None = None
    """Whom the token belongs to; None: a workflow's own token, which may not ask."""
    page: int = 100
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    """Answers that are given before the true ones, in their order."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    before_create: Callable[[], None] | None = None
    after_review: Callable[[], tuple[int, dict[str, str], bytes] | None] | None = None
    """Called when a review was taken; what it returns is answered instead."""
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def say(self, body: str, author: str = BOT) -> dict[str, Any]:
        """Put a comment below the pull request."""
        with self.lock:
            number = max((one["id"] for one in self.comments), default=100) + 1
            comment = {"id": number, "body": body, "user": {"login": author}, "html_url": f"{self.url}/c/{number}"}
            self.comments.append(comment)
        return comment

    def say_beside(
        self, body: str, *, path: str = "AGENTS.md", lines: tuple[int, int] = (1, 1), author: str = BOT, to: int = 0
    ) -> dict[str, Any]:
        """Put a comment beside lines of a file; `to` is the one that it answers."""
        with self.lock:
            number = max((one["id"] for one in self.beside), default=3_000_000_000) + 1
            comment = {
                "id": number,
                "node_id": f"PRRC_{number}",
                "body": body.rstrip(),
                "user": {"login": author},
                "path": path,
                "side": "RIGHT",
                "line": lines[1],
                "start_line": lines[0] if lines[0] != lines[1] else None,
                **({"in_reply_to_id": to} if to else {}),
            }
            self.beside.append(comment)
        return comment

    def writes(self) -> list[tuple[str, str]]:
        """What was asked that changes something."""
        return [(method, path) for method, path in self.asked if method != "GET" and path != "/graphql"]

    def answer(self, method: str, target: str, body: Any) -> tuple[int, dict[str, str], bytes]:
        split = urlsplit(target)
        path = unquote(split.path)
        query = parse_qs(split.query)
        self.asked.append((method, path))
        if self.answers:
            return self.answers.pop(0)
        for wanted, pattern, reply in self._routes():
            if (found := re.fullmatch(pattern, path)) and wanted == method:
                return reply(found, query, body)
        return _json(404, {"message": "Not Found"})

    def _routes(self) -> list[tuple[str, str, Callable[..., tuple[int, dict[str, str], bytes]]]]:
        return [
            ("GET", "/user", lambda *_: _json(200, {"login": self.login}) if self.login else _json(403, {})),
            ("GET", f"{REPO}/pulls", lambda _, query, __: self._listed(self._pulls(query), query)),
            ("GET", f"{REPO}/pulls/7", lambda *_: _json(200, self._pull())),
            ("GET", f"{REPO}/pulls/7/files", lambda _, query, __: self._listed(self.files, query)),
            ("GET", f"{REPO}/contents/(.+)", lambda found, query, _: self._text(found[1], query["ref"][0])),
            ("GET", f"{REPO}/git/trees/(.+)", lambda *_: self._listing()),
            ("GET", f"{REPO}/pulls/7/comments", lambda _, query, __: self._listed(self.beside, query)),
            ("POST", f"{REPO}/pulls/7/reviews", lambda _, __, body: self._review(body)),
            ("PATCH", rf"{REPO}/pulls/comments/(\d+)", lambda found, _, body: changed(self.beside, found[1], body)),
            ("DELETE", rf"{REPO}/pulls/comments/(\d+)", lambda found, _, body: changed(self.beside, found[1], None)),
            ("POST", "/graphql", lambda _, __, body: self._graphql(body)),
            ("GET", f"{REPO}/issues/7/comments", lambda _, query, __: self._listed(self.comments, query)),
            ("POST", f"{REPO}/issues/7/comments", lambda _, __, body: self._create(body)),
            ("PATCH", rf"{REPO}/issues/comments/(\d+)", lambda found, _, body: changed(self.comments, found[1], body)),
            ("DELETE", rf"{REPO}/issues/comments/(\d+)", lambda found, *_: changed(self.comments, found[1], None)),
        ]

    def _pull(self) -> dict[str, Any]:
        head = {"id": 2 if self.is_fork else 1}
        here = {"ref": "change", "sha": self.head, "repo": head}
        return {"number": 7, "base": {"ref": self.base, "repo": {"id": 1}}, "head": here}

    def _pulls(self, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        rows = [{"number": 7, "head": {"label": "ada:change"}}, {"number": 8, "head": {"label": "ada:other"}}]
        return [row for row in rows if row["head"]["label"] in query["head"]]

    def _text(self, path: str, ref: str) -> tuple[int, dict[str, str], bytes]:
        found = self.texts if ref == "refs/pull/7/head" else self.branches.get(ref.removeprefix("refs/heads/"), {})
        return (200, {}, found[path]) if path in found else _json(404, {})

    def _listing(self) -> tuple[int, dict[str, str], bytes]:
        rows = [{"path": path, "mode": "100644", "type": "blob", "sha": sha} for path, sha in (self.tree or {}).items()]
        return _json(200, {"tree": rows, "truncated": self.tree is None})

    def _review(self, body: Any) -> tuple[int, dict[str, str], bytes]:
        assert body["event"] == "COMMENT" and body["body"]
        wrong = [one for one in body["comments"] if not self._is_in_diff(one)]
        if wrong or self.has_pending_review or body["commit_id"] != self.head:
            return _json(422, {"message": "Unprocessable Entity", "errors": ["Line could not be resolved"]})
        for one in body["comments"]:
            first = one.get("start_line", one["line"])
            self.say_beside(one["body"], path=one["path"], lines=(first, one["line"]), author=self.login or BOT)
        self.reviews.append(body)
        return (self.after_review() if self.after_review else None) or _json(200, {"id": len(self.reviews)})

    def _is_in_diff(self, one: dict[str, Any]) -> bool:
        patch = next((file["patch"] for file in self.files if file["filename"] == one["path"]), "")
        spans = [
            (int(first), int(first) + int(count or 1) - 1)
            for first, count in re.findall(r"^@@ \S+ \+(\d+)(?:,(\d+))? @@", patch, re.MULTILINE)
        ]
        first, last = one.get("start_line"), one["line"]
        is_range = first is None or first < last
        return one["side"] == "RIGHT" and is_range and any(a <= (first or last) <= last <= b for a, b in spans)

    def _graphql(self, body: Any) -> tuple[int, dict[str, str], bytes]:
        query, given = body["query"], body["variables"]
        if "reviewThreads" in query:
            return self._threads(given)
        number = int(given["id"].rpartition("_")[2])
        may, done = (
            (self.may_resolve, self.resolved) if "resolveReviewThread" in query else (self.may_hide, self.hidden)
        )
        if not may:
            refusal = {"type": "FORBIDDEN", "message": "Resource not accessible by integration"}
            return _json(200, {"data": {"x": None}, "errors": [refusal]})
        done.add(number)
        return _json(200, {"data": {"x": {}}})

    def _threads(self, given: Any) -> tuple[int, dict[str, str], bytes]:
        begun = [one for one in self.beside if "in_reply_to_id" not in one]
        start = int(given["after"] or 0)
        nodes = [
            {
                "id": f"PRRT_{one['id']}",
                "isResolved": one["id"] in self.resolved,
                "comments": {"nodes": [{"id": one["node_id"]}]},
            }
            for one in begun[start : start + self.page]
        ]
        end = start + self.page
        page = {"hasNextPage": end < len(begun), "endCursor": str(end)}
        threads = {"nodes": nodes, "pageInfo": page}
        assert (given["owner"], given["name"], given["number"]) == ("shop", "bakery", 7)
        return _json(200, {"data": {"repository": {"pullRequest": {"reviewThreads": threads}}}})

    def _listed(self, rows: list[dict[str, Any]], query: dict[str, list[str]]) -> tuple[int, dict[str, str], bytes]:
        number = int(query["page"][0])
        part = rows[(number - 1) * self.page : number * self.page]
        more = {"Link": f'<{self.url}/x?page={number + 1}>; rel="next"'} if number * self.page < len(rows) else {}
        return _json(200, part, more)

    def _create(self, body: Any) -> tuple[int, dict[str, str], bytes]:
        if self.before_create:
            self.before_create()
        return _json(201, self.say(body["body"], self.login or BOT))


def changed(comments: list[dict[str, Any]], number: str, body: Any) -> tuple[int, dict[str, str], bytes]:
    """Give a comment another text, or take it away."""
    found = next((comment for comment in comments if comment["id"] == int(number)), None)
    if found is None:
        return _json(404, {})
    if body is None:
        comments.remove(found)
        return 204, {}, b""
    found["body"] = body["body"]
    return _json(200, found)


def _json(status: int, value: Any, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    return status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(value).encode()


class Clock:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def now(self) -> float:
        return 1_000.0 + sum(self.waited)


class Answers(Protocol):
    """A code host that answers."""

    url: str

    def answer(self, method: str, target: str, body: Any) -> tuple[int, dict[str, str], bytes]: ...


Host = TypeVar("Host", bound=Answers)


@contextmanager
def served(github: Host) -> Iterator[Host]:
    """Serve it on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65_536  # head and body in one go: between two, the client's system would wait 40 ms

        def _serve(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, headers, body = github.answer(self.command, self.path, json.loads(data) if data else None)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve  # noqa: N815  (so the library calls them)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
