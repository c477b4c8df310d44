"""The guard of our servers on this machine: the right `Host` and `Origin`, and the token.

No web page reaches it through a name that it made point here, and none can read an answer, for there are no CORS
headers. The token comes in a header alone, so that it stands in no log of addresses; its file is its owner's alone.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import socket
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memsuggest.core.errors import FileError, MemsuggestError
from memsuggest.files import lock

HOST = "127.0.0.1"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\n")
_NAMES = ("127.0.0.1", "localhost")
_WAITING = 16  # connections that wait to be taken
_PATIENCE = 3.0  # seconds to wait for another program that makes the token


class Refusal(NamedTuple):
    """The reason why a request is not answered."""

    status: int
    code: str
    message: str


WRONG_HOST = Refusal(421, "wrong-host", "the `Host` header names another machine or port")
WRONG_ORIGIN = Refusal(403, "wrong-origin", "the request comes from another website")
NO_QUERY = Refusal(400, "bad-query", "query strings are not supported; send the token in a header")
UNAUTHORISED = Refusal(
    401, "unauthorized", "send `Authorization: Bearer TOKEN`; the server printed the token file's path when it started"
)
_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


class LoopbackGuard:
    """Lets only those requests through to an application that may be answered.

    `why_malformed` says what else is wrong with one; `open_paths` need no token; `headers` are for every answer.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        port: int,
        why_malformed: Callable[[Scope], Refusal | None] = lambda _scope: None,
        open_paths: Collection[str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._app = app
        self._token = _digest(token)
        self._hosts = [[f"{name}:{port}"] for name in _NAMES]
        self._origins = {f"http://{name}:{port}" for name in _NAMES}
        self._why_malformed = why_malformed
        self._open_paths = open_paths
        self._headers = headers or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not; nothing but HTTP is answered."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            answer = self._app
            if refusal := self._why_not(scope):
                error = {"error": {"code": refusal.code, "message": refusal.message}}
                more = {"www-authenticate": "Bearer"} if refusal is UNAUTHORISED else {}
                answer = JSONResponse(error, refusal.status, _HEADERS | more)
            await answer(scope, receive, sending)

    def _why_not(self, scope: Scope) -> Refusal | None:
        """Say why a request is not answered; None where it is. Where it comes from is looked at first."""
        named = Headers(scope=scope).getlist  # there should be one of each at most
        if named("host") not in self._hosts:
            return WRONG_HOST
        if not self._origins.issuperset(named("origin")) or {*named("sec-fetch-site")} - {"same-origin", "none"}:
            return WRONG_ORIGIN
        if malformed := self._why_malformed(scope):
            return malformed
        if scope["query_string"]:
            return NO_QUERY
        if scope["method"] in ("GET", "HEAD") and scope["path"] in self._open_paths:
            return None
        given = named("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        # In a time that does not tell how near a wrong one is.
        is_known = hmac.compare_digest(_digest(token.strip()), self._token) and scheme.lower() == "bearer"
        return None if is_known else UNAUTHORISED


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def listen(port: int) -> socket.socket:
    """Take a port of this machine alone, any free one for 0; raises MemsuggestError for one that is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two programs have one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(_WAITING)
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or error
        raise MemsuggestError(
            f"cannot listen on {HOST}:{port}: {why}",
            hint="choose another port with `--port N`, or any free port with `--port 0`",
        ) from None
    return listening


def read_token(path: Path, *, is_new: bool = False) -> str:
    """Return the token, made where there is none or where others could have read it; raises FileError.

    Its file belongs to its owner alone.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock(path.with_name(f"{path.name}.lock"), wait_seconds=_PATIENCE):  # two may start at once
            token = "" if is_new else _kept(path)
            if not token:
                token = secrets.token_urlsafe(32)
                unfinished = path.with_name(f"{path.name}.{os.getpid()}")
                unfinished.unlink(missing_ok=True)
                opened = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(opened, "wb") as file:
                    file.write(f"{token}\n".encode())
                    file.flush()
                    os.fsync(file.fileno())
                unfinished.replace(path)
            return token
    except OSError as error:
        raise FileError(
            f"cannot store the token in {path}: {error.strerror}",
            hint="move the existing file out of the way, or set MEMSUGGEST_CONFIG_DIR to another folder",
        ) from None


def _kept(path: Path) -> str:
    """Return the token of a file that only its owner can read; nothing for any other file."""
    try:
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return ""
    with os.fdopen(opened, "rb") as file:
        found = os.fstat(file.fileno())
        is_own = os.name != "posix" or (found.st_uid == os.getuid() and not found.st_mode & 0o077)
        text = file.read(100).decode("ascii", "replace") if is_own else ""
    return text.strip() if _TOKEN.fullmatch(text) else ""
