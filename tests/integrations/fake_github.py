"""A server on this machine that speaks the part of GitHub's REST API that a pull request's comment needs."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

BOT = "github-actions[bot]"
REPO = "/repos/shop/bakery"


@dataclass
class FakeGitHub:
    """A repository with one pull request, number 7; everything that was asked is kept."""

    files: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[str, bytes] = field(default_factory=dict)
    comments: list[dict[str, Any]] = field(default_factory=list)
    is_fork: bool = False
    login: str | None = None
    """Whom the token belongs to; None: a workflow's own token, which may not ask."""
    page: int = 100
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    """Answers that are given before the true ones, in their order."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    before_create: Callable[[], None] | None = None
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def say(self, body: str, author: str = BOT) -> dict[str, Any]:
        """Put a comment below the pull request."""
        with self.lock:
            number = max((one["id"] for one in self.comments), default=100) + 1
            comment = {"id": number, "body": body, "user": {"login": author}, "html_url": f"{self.url}/c/{number}"}
            self.comments.append(comment)
        return comment

    def writes(self) -> list[tuple[str, str]]:
        """What was asked that changes something."""
        return [(method, path) for method, path in self.asked if method != "GET"]

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
            ("GET", f"{REPO}/contents/(.+)", lambda found, *_: self._text(found[1])),
            ("GET", f"{REPO}/issues/7/comments", lambda _, query, __: self._listed(self.comments, query)),
            ("POST", f"{REPO}/issues/7/comments", lambda _, __, body: self._create(body)),
            ("PATCH", rf"{REPO}/issues/comments/(\d+)", lambda found, _, body: self._change(int(found[1]), body)),
            ("DELETE", rf"{REPO}/issues/comments/(\d+)", lambda found, *_: self._remove(int(found[1]))),
        ]

    def _pull(self) -> dict[str, Any]:
        head = {"id": 2 if self.is_fork else 1}
        return {"number": 7, "base": {"ref": "main", "repo": {"id": 1}}, "head": {"ref": "change", "repo": head}}

    def _pulls(self, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        rows = [{"number": 7, "head": {"label": "ada:change"}}, {"number": 8, "head": {"label": "ada:other"}}]
        return [row for row in rows if row["head"]["label"] in query["head"]]

    def _text(self, path: str) -> tuple[int, dict[str, str], bytes]:
        return (200, {}, self.texts[path]) if path in self.texts else _json(404, {})

    def _listed(self, rows: list[dict[str, Any]], query: dict[str, list[str]]) -> tuple[int, dict[str, str], bytes]:
        number = int(query["page"][0])
        part = rows[(number - 1) * self.page : number * self.page]
        more = {"Link": f'<{self.url}/x?page={number + 1}>; rel="next"'} if number * self.page < len(rows) else {}
        return _json(200, part, more)

    def _create(self, body: Any) -> tuple[int, dict[str, str], bytes]:
        if self.before_create:
            self.before_create()
        return _json(201, self.say(body["body"], self.login or BOT))

    def _change(self, number: int, body: Any) -> tuple[int, dict[str, str], bytes]:
        found = next((one for one in self.comments if one["id"] == number), None)
        if found is None:
            return _json(404, {})
        found["body"] = body["body"]
        return _json(200, found)

    def _remove(self, number: int) -> tuple[int, dict[str, str], bytes]:
        kept = [one for one in self.comments if one["id"] != number]
        is_there = len(kept) < len(self.comments)
        self.comments[:] = kept
        return (204, {}, b"") if is_there else _json(404, {})


def _json(status: int, value: Any, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    return status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(value).encode()


@contextmanager
def served(github: FakeGitHub) -> Iterator[FakeGitHub]:
    """Serve it on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

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

        do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815  (so the library calls them)

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
