"""The admin API at its real server: what it answers, and requests that it must not."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run, refused
from memory.app_kit import NOW, new, store_at

from memsuggest.core.model import AppMaker

WORD = "zanzibarfish"
"""Stands in every memory: an answer with it has data in it."""


@dataclass(frozen=True, kw_only=True)
class Served:
    """A server that runs, with the folder of its data."""

    port: int
    token: str
    data: Path
    config: Path
    process: subprocess.Popen[str]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def fill(self) -> None:
        """Give each of two apps three memories, whatever they had."""
        store = store_at(self.data)
        for app in ("helper", "reviewer@shop"):
            store.purge(app, now=NOW, by=AppMaker.PERSON)
            for number in range(3):
                store.remember(new(number, app=app, content=f"The {WORD} of round {number}."), limit=10, now=NOW)
        store.close()

    def count(self) -> list[int]:
        store = store_at(self.data)
        found = [len(store.of(app)) for app in ("helper", "reviewer@shop")]
        store.close()
        return found

    def ask(self, method: str, path: str, *, token: str | None = None, **headers: str) -> tuple[int, Any]:
        """Ask as an honest client does; the status, and what was answered as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = {"Authorization": f"Bearer {self.token if token is None else token}", **headers}
        connection.request(method, path, headers=given)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, json.loads(body) if response.getheader("content-type") == "application/json" else body

    def send(self, raw: bytes) -> bytes:
        """Send bytes as they are; all that comes back until the server hangs up."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
        return answer


def start(folder: Path, *words: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    """Start the command, and wait for what it says before it serves."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("MEMSUGGEST_", "XDG_"))}
    environ |= {"HOME": str(folder), "NO_COLOR": "1"}
    for kind in ("DATA", "STATE", "CONFIG", "CACHE"):
        environ[f"MEMSUGGEST_{kind}_DIR"] = str(folder / kind.lower())
    command = [sys.executable, "-m", "memsuggest", "serve", "--admin", "--port", "0", "--show-token", *words]
    process = subprocess.Popen(
        [*command, "--format", "json"],
        env=environ,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line == "}\n":
            break
    return process, json.loads(text)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    process, told = start(folder)
    yield Served(
        port=int(told["url"].rpartition(":")[2]),
        token=told["token"],
        data=folder / "data",
        config=folder / "config",
        process=process,
    )
    process.terminate()
    process.communicate(timeout=30)


def test_the_seeds_shapes(served: Served) -> None:
    """List, delete one, purge: in the shapes that the seed has; health and description need no token, its owner's."""
    served.fill()
    status, found = served.ask("GET", "/apps/helper/memories")
    assert status == 200 and len(found["memories"]) == 3
    first = found["memories"][0]
    assert WORD in first["content"]
    assert all(re.fullmatch(r"2026-\d\d-\d\dT\d\d:\d\d:\d\dZ", first[name]) for name in ("createdAt", "updatedAt"))
    assert served.ask("DELETE", f"/apps/helper/memories/{first['id']}") == (200, {"success": True})
    assert served.ask("DELETE", f"/apps/helper/memories/{first['id']}")[0] == 404
    assert served.ask("DELETE", "/apps/helper/memories") == (200, {"success": True, "deletedCount": 2})
    assert served.count() == [0, 3]
    for name in ("reviewer@shop", "reviewer%40shop"):
        assert len(served.ask("GET", f"/apps/{name}/memories")[1]["memories"]) == 3
    assert served.ask("GET", "/apps/nobody/memories") == (200, {"memories": []})
    other = served.ask("GET", "/apps/reviewer@shop/memories")[1]["memories"][0]["id"]
    assert served.ask("DELETE", f"/apps/helper/memories/{other}")[0] == 404, "another app's"
    assert served.ask("GET", "/health", token="") == (200, {"status": "ok"})
    status, described = served.ask("GET", "/openapi.json", token="")
    assert (status, {path: sorted(ways) for path, ways in described["paths"].items()}) == (
        200,
        {
            "/apps/{appId}/memories": ["delete", "get"],
            "/apps/{appId}/memories/{memoryId}": ["delete"],
            "/health": ["get"],
            "/openapi.json": ["get"],
        },
    )
    assert stat.S_IMODE((served.config / "admin-token").stat().st_mode) == 0o600
    assert stat.S_IMODE(served.config.stat().st_mode) == 0o700
    assert (served.config / "admin-token").read_text() == f"{served.token}\n"


TARGETS = (
    ("GET", "/apps/helper/memories"),
    ("DELETE", "/apps/helper/memories"),
    ("DELETE", "/apps/helper/memories/1"),
    ("HEAD", "/apps/reviewer@shop/memories"),
)


def requests(served: Served) -> Iterator[tuple[str, bytes]]:
    """Every request that is not to be answered, with a name."""
    token, host = served.token, served.host
    good = f"Authorization: Bearer {token}"
    for method, path in TARGETS:  # every way in which a token, a host and an origin are wrong: `test_loopback_auth.py`
        for auth in (
            "",
            f"Authorization: Basic {token}",
            f"Authorization: Bearer {token[:-1]}",
            f"Cookie: token={token}",
        ):
            yield f"auth {auth[:20]} {method} {path}", request(method, path, f"Host: {host}", auth)
        yield f"host {method} {path}", request(method, path, "Host: evil.example", good)
        for line in ("Origin: https://evil.example", "Sec-Fetch-Site: cross-site"):
            yield f"{line} {method} {path}", request(method, path, f"Host: {host}", good, line)
    yield from path_tricks(served, good)
    yield from malformed(served, good)


TRICKS = r"""
/apps/helper/memories/ //apps/helper/memories /apps//helper/memories /apps/./helper/memories
/apps/x/../helper/memories /apps/helper/x/../memories /health/../apps/helper/memories /apps/..;/memories
/apps/%2e%2e/memories /apps/x%2f..%2fhelper/memories /apps/helper%2fmemories /apps%2fhelper%2fmemories
/apps/helper%5cmemories /apps/helper%00/memories /apps/helper%0d%0aX:y/memories /apps/%252e%252e/memories
/APPS/helper/memories /apps/helper/memories;a=b /apps/helper/memories.json /apps/helper%/memories
/apps/helper/memories?token=x /apps/helper/memories? /apps/helper/memories#x /apps/*/memories
/apps/helper'%20OR%201=1/memories /apps/%25/memories /apps//memories /apps /apps/ /apps/helper
/apps/helper/memories/1/x / * /admin
"""
PATHS = (
    *TRICKS.split(),
    *("", "/apps/ /memories", "/apps/helper' OR 1=1 --/memories", "/apps/\xff/memories", "/apps/\u202ehelper/memories"),
    *(f"/apps/{'a' * 81}/memories", f"/apps/{'a' * 5000}/memories"),
)
NUMBERS = "0 -1 1.0 1e3 abc %31%2f 1%00 +1 0x1 %D9%A1 1;2 .. 1,2 null"
IDS = (*NUMBERS.split(), "9" * 40, "1 ")


def path_tricks(served: Served, good: str) -> Iterator[tuple[str, bytes]]:
    """Paths that are none, and ways that no path has."""
    for path in PATHS:
        yield f"path {path[:40]!r}", request("GET", path, f"Host: {served.host}", good)
    for number in IDS:
        yield f"id {number[:20]!r}", request("DELETE", f"/apps/helper/memories/{number}", f"Host: {served.host}", good)
    for method in ("POST", "PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "DELETE ", "PROPFIND", "X"):
        yield f"method {method}", request(method, "/apps/helper/memories", f"Host: {served.host}", good)
    absolute = "http://evil.example/apps/helper/memories"
    yield "absolute", request("GET", absolute, f"Host: {served.host}", good)


def malformed(served: Served, good: str) -> Iterator[tuple[str, bytes]]:
    """Bodies, broken heads, and things that are no HTTP."""
    host, path = f"Host: {served.host}", "/apps/helper/memories"
    yield "body", request("DELETE", path, host, good, "Content-Length: 5") + b"hello"
    yield "chunks", request("DELETE", path, host, good, "Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n\r\n"
    yield "two ways", request("GET", path, host, good, "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n"
    yield "two lengths", request("GET", path, host, good, "Content-Length: 0", "Content-Length: 9")
    yield "huge", request("GET", path, host, good, "Content-Length: 99999999999999")
    yield "long head", request("GET", path, host, good, *(f"X-{number}: {'y' * 900}" for number in range(40)))
    yield "no version", f"GET {path}\r\n{host}\r\n{good}\r\n\r\n".encode()
    yield "folded", f"GET {path} HTTP/1.1\r\n{host}\r\nAuthorization: Bearer\r\n {served.token[:-1]}\r\n\r\n".encode()
    yield "space", f"GET {path} HTTP/1.1\r\n{host}\r\nAuthorization : Bearer {served.token}\r\n\r\n".encode()
    yield "http 2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    yield "tls", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"
    yield "nothing", b"\r\n\r\n\r\n"
    yield "noise", bytes(range(256)) * 8
    yield "half", f"GET {path} HTTP/1.1\r\n{host}\r\n".encode()
    smuggled = request("DELETE", path, host, good)
    yield "smuggled", request("GET", "/health", host, f"Content-Length: {len(smuggled)}") + smuggled


def request(method: str, path: str, *lines: str) -> bytes:
    head = [f"{method} {path} HTTP/1.1", *(line for line in lines if line), "Connection: close", "", ""]
    return "\r\n".join(head).encode("utf-8", "surrogateescape")


def test_hostile_requests_get_no_data(served: Served) -> None:
    """Malformed, unauthorised, cross-origin and path-tricking ones: refused, and nothing is deleted."""
    served.fill()
    asked = list(requests(served))
    assert len(asked) >= 100
    wrong = []
    for name, raw in asked:
        answer = served.send(raw)
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split(b" ")[1]) if head.startswith(b"HTTP/1.1 ") else 0
        size = re.search(rb"content-length: (\d+)", head)
        body = body[: int(size[1])] if size else body  # what follows is the answer to what stood behind it
        is_json = status and "HEAD" not in name and b"\r\ncontent-type: application/json" in head
        is_told = not is_json or "error" in json.loads(body)
        if WORD.encode() in answer or b"deletedCount" in answer or (status and status // 100 != 4) or not is_told:
            wrong.append((name, answer[:300]))
    assert not wrong
    assert served.count() == [3, 3]
    assert served.ask("GET", "/health", token="") == (200, {"status": "ok"}), "it still runs"
    assert served.process.poll() is None


def test_a_database_that_cannot_be_used(served: Served) -> None:
    """A newer one is left as it is, and the answer says why and what to do, as JSON."""
    served.fill()
    connection = sqlite3.connect(served.data / "profile.db")
    connection.execute("INSERT INTO migrations (name) VALUES ('m999_from_tomorrow')")
    connection.commit()
    status, told = served.ask("GET", "/apps/helper/memories")
    connection.execute("DELETE FROM migrations WHERE name = 'm999_from_tomorrow'")
    connection.commit()
    connection.close()
    assert status == 503
    assert "newer version of memsuggest" in told["error"]["message"]
    assert "update memsuggest" in told["error"]["hint"]
    assert served.count() == [3, 3]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_when_told(tmp_path: Path, number: signal.Signals) -> None:
    """Cleanly, with exit code 0 and without a traceback."""
    process, told = start(tmp_path)
    with socket.create_connection(("127.0.0.1", int(told["url"].rpartition(":")[2])), timeout=30) as open_one:
        open_one.sendall(b"GET /health HTTP/1.1\r\n")  # a client that says no more does not keep it
        process.send_signal(number)
        _, err = process.communicate(timeout=50)
    assert process.returncode == 0, err
    assert "Traceback" not in err


def test_a_port_in_use(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The port and a way out are named; so is the extra that is missing."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert "--port" in refused("serve", "--admin", "--port", str(port), says=f":{port}: Address already in use")
    assert run("serve", code=2).out == ""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "memsuggest.memory.admin", raising=False)
    assert ".[mcp]" in refused("serve", "--admin", says="`mcp` extra")
