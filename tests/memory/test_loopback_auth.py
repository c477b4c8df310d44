"""Who may talk to a server on this machine: only who has the token, and no web page at all."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from memsuggest.core.errors import FileError
from memsuggest.memory.loopback_auth import LoopbackGuard, listen, read_token

PORT = 4711
TOKEN = "t" * 43
GOOD = {"host": f"127.0.0.1:{PORT}", "authorization": f"Bearer {TOKEN}"}


def answer(headers: dict[str, str] | list[tuple[str, str]], *, query: str = "", kind: str = "http") -> Any:
    """What a guarded application answers: its status and its JSON, or nothing."""
    sent: list[Any] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b'"served"'})

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    pairs = headers.items() if isinstance(headers, dict) else headers
    scope = {
        "type": kind,
        "method": "POST",
        "path": "/mcp",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in pairs],
    }
    asyncio.run(LoopbackGuard(app, token=TOKEN, port=PORT)(scope, receive, send))
    return (sent[0]["status"], json.loads(sent[1]["body"])) if sent else None


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"host": f"localhost:{PORT}"},
        {"origin": f"http://localhost:{PORT}"},
        {"sec-fetch-site": "same-origin"},
        {"authorization": f"bearer {TOKEN}"},
    ],
    ids=lambda more: next(iter(more), "plain"),
)
def test_who_has_the_token_is_answered(more: dict[str, str]) -> None:
    """By either name of this machine, from a program or from a page of the server itself."""
    assert answer(GOOD | more) == (200, "served")


@pytest.mark.parametrize(
    ("name", "value", "status", "code"),
    [
        ("host", f"evil.invalid:{PORT}", 421, "wrong-host"),
        ("origin", "https://evil.invalid", 403, "wrong-origin"),
        ("authorization", f"Bearer {TOKEN}x", 401, "unauthorized"),
    ],
)
def test_what_is_refused(name: str, value: str, status: int, code: str) -> None:
    """A name that somebody made point here, a page of elsewhere, a wrong token; `test_serve` tries all their kinds."""
    told = answer(GOOD | {name: value})
    assert (told[0], told[1]["error"]["code"]) == (status, code)
    assert TOKEN not in json.dumps(told[1])


def test_a_missing_and_a_doubled_header_are_refused() -> None:
    """What could be read in two ways is not read at all."""
    good = list(GOOD.items())
    assert answer({"host": GOOD["host"]})[0] == 401
    assert answer({"authorization": GOOD["authorization"]})[0] == 421
    assert answer([*good, ("authorization", f"Bearer {TOKEN}")])[0] == 401
    assert answer([*good, ("host", GOOD["host"])])[0] == 421
    assert answer([*good, ("sec-fetch-site", "cross-site")])[0] == 403


def test_a_token_in_the_address_is_refused() -> None:
    """It would stand in logs and histories."""
    assert answer({"host": GOOD["host"]}, query=f"token={TOKEN}")[0] == 400


def test_nothing_but_http_is_answered() -> None:
    """A web socket has no answer at all."""
    assert answer(GOOD, kind="websocket") is None


def test_the_token_is_made_once(tmp_path: Path) -> None:
    """It stays the same until another one is wanted."""
    path = tmp_path / "config" / "token"
    first = read_token(path)
    assert len(first) == 43
    assert read_token(path) == first
    assert read_token(path, is_new=True) != first


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_the_token_is_its_owners_alone(tmp_path: Path) -> None:
    """Its file and folder are closed to others; one that others could read is worth nothing any more."""
    path = tmp_path / "config" / "token"
    first = read_token(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    second = read_token(path)
    assert second != first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "short\n", "x" * 43, "é" * 43 + "\n", TOKEN + "\n" + TOKEN + "\n"])
def test_a_file_that_holds_no_token_is_made_anew(tmp_path: Path, text: str) -> None:
    """An empty or half-written file opens no door."""
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
    assert len(read_token(path)) == 43
    assert read_token(path) not in text


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """Somebody else's file is neither read nor written."""
    other, path = tmp_path / "other", tmp_path / "token"
    other.write_text(TOKEN + "\n", encoding="utf-8")
    other.chmod(0o600)
    path.symlink_to(other)
    with pytest.raises(FileError, match="cannot store the token") as refused:
        read_token(path)
    assert refused.value.hint
    assert other.read_text(encoding="utf-8") == TOKEN + "\n"


def test_it_listens_on_this_machine_alone() -> None:
    """No other interface takes a connection."""
    with listen(0) as taken:
        assert taken.family is socket.AF_INET
        assert taken.getsockname()[0] == "127.0.0.1"
        assert os.name != "posix" or taken.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
