"""The admin API over HTTP on this machine: the memories of all apps, to look at and to delete.

Every request passes the guard of `loopback_auth` before a route is looked for: the right `Host` and `Origin`, a path
that hides nothing, no body, and the token, but for the pages that hold no data.
"""

from __future__ import annotations

import re
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import uvicorn
import yaml
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Scope

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import AppMaker
from memsuggest.core.text.when import iso
from memsuggest.core.workspace import Folders, Machine, find_folders
from memsuggest.memory.app_memory import AppMemories, is_app_id, open_app_memories
from memsuggest.memory.app_models import forget_app_answers
from memsuggest.memory.change_memory import forget_in_journals
from memsuggest.memory.loopback_auth import HOST, LoopbackGuard, Refusal, listen, read_token

FILE = "admin-token"
OPEN = frozenset({"/health", "/openapi.json"})  # what is answered without the token: nothing in it is anybody's
_AT_ONCE = 32
_HEAD = 16 * 1024  # bytes of a request's head
_GRACE = 3  # seconds that answers on their way have when it stops
_PATH = re.compile(rb"/[A-Za-z0-9._~@+%:/-]{0,600}")
_HIDDEN = re.compile(rb"%(?:2[fFeE]|5[cC]|0.|1.|7[fF])|//|/\.|\.\.|%25|%(?![0-9A-Fa-f]{2})")
"""What would make another path of it somewhere: packed slashes and dots, control characters, things packed twice."""
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_HEADERS = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}
_CODES = {400: "bad-request", 404: "not-found", 405: "method-not-allowed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminMemories:
    """The memories of all apps, as the API looks after them."""

    folders: Folders
    now: Callable[[], int]

    def memories(self, app_id: str) -> list[Mapping[str, object]]:
        with closing(self._store()) as store:
            return [
                {
                    "id": memory.id,
                    "content": memory.content,
                    "createdAt": iso(memory.created_at),
                    "updatedAt": iso(memory.updated_at),
                    "sourceConversationId": memory.conversation,
                    "metadata": {
                        "importance": memory.importance,
                        "tags": list(memory.tags),
                        "relatedConversations": list(memory.related),
                        "madeBy": memory.maker.value,
                    },
                }
                for memory in store.of(app_id)
            ]

    def purge(self, app_id: str) -> int:
        with closing(self._store()) as store:
            ids = store.purge(app_id, now=self.now(), by=AppMaker.API)
        forget_app_answers(self.folders.state, app_id)
        forget_in_journals(self.folders, app_id=app_id)
        return len(ids)

    def forget(self, app_id: str, memory_id: int) -> bool:
        """Delete one of them for good; whether it was there."""
        with closing(self._store()) as store:
            texts = [memory.content for memory in store.of(app_id) if memory.id == memory_id]
            is_gone = store.forget(app_id, memory_id, now=self.now(), by=AppMaker.API)
        if is_gone:
            forget_app_answers(self.folders.state, app_id)
            forget_in_journals(self.folders, texts=texts)
        return is_gone

    def _store(self) -> AppMemories:
        return open_app_memories(self.folders.data / "profile.db")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminServer:
    """The API, about to be served."""

    memories: AdminMemories
    token: str
    token_path: Path
    listening: socket.socket

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def serve(self, begun: Callable[[], None]) -> None:
        """Serve until SIGINT or SIGTERM; what is being answered then has a moment to end."""

        class Server(uvicorn.Server):
            """Says when it has begun: from then on a signal stops it cleanly."""

            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets=sockets)
                begun()
                sys.stdout.flush()

        settings = uvicorn.Config(
            _admin_api(self.memories, token=self.token, port=self.port),
            http="h11",
            ws="none",
            lifespan="off",
            log_level="error",
            access_log=False,  # a path may hold what somebody typed by mistake
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_AT_ONCE,
            h11_max_incomplete_event_size=_HEAD,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=_GRACE,
        )
        # The server raises the signal once more when it has stopped, for whoever handled it before: nobody needs to.
        before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            Server(settings).run(sockets=[self.listening])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            self.listening.close()


def open_admin(machine: Machine, *, port: int, is_new_token: bool) -> AdminServer:
    """Take the port and make the token where there is none; raises MemsuggestError."""
    folders = find_folders(machine.environ)
    path, listening = folders.config / FILE, listen(port)
    try:
        token = read_token(path, is_new=is_new_token)
    except BaseException:
        listening.close()
        raise
    memories = AdminMemories(folders=folders, now=machine.now)
    return AdminServer(memories=memories, token=token, token_path=path, listening=listening)


def _admin_api(memories: AdminMemories, *, token: str, port: int) -> ASGIApp:
    """Return the application for one token and one port on this machine.

    Its routes are functions without `async`, which run beside the loop, so that a busy database blocks nobody.
    """
    described = yaml.safe_load(Path(__file__).with_name("admin_api.yaml").read_text(encoding="utf-8"))

    def of_app(request: Request) -> Response:
        app_id = _app(request)
        if request.method == "DELETE":
            return JSONResponse({"success": True, "deletedCount": memories.purge(app_id)})
        return JSONResponse({"memories": memories.memories(app_id)})

    def forget(request: Request) -> Response:
        app_id, named = _app(request), request.path_params["memory_id"]
        if not _NUMBER.fullmatch(named):
            raise HTTPException(400, "the memory ID must be a number")
        if not memories.forget(app_id, int(named)):
            raise HTTPException(404, "memory not found")
        return JSONResponse({"success": True})

    app = Starlette(
        routes=[
            Route("/health", lambda _request: JSONResponse({"status": "ok"}), methods=["GET"]),
            Route("/openapi.json", lambda _request: JSONResponse(described), methods=["GET"]),
            Route("/apps/{app_id}/memories", of_app, methods=["GET", "DELETE"]),
            Route("/apps/{app_id}/memories/{memory_id}", forget, methods=["DELETE"]),
        ],
        exception_handlers={HTTPException: _failed, MemsuggestError: _failed, 500: _failed},
    )
    app.router.redirect_slashes = False
    return LoopbackGuard(app, token=token, port=port, why_malformed=_why_malformed, open_paths=OPEN, headers=_HEADERS)


def _app(request: Request) -> str:
    app_id = str(request.path_params["app_id"])
    if not is_app_id(app_id):
        raise HTTPException(400, "invalid app name")
    return app_id


def _why_malformed(scope: Scope) -> Refusal | None:
    """Say what is wrong with a request, whoever sends it: its path, or a body."""
    path, named = bytes(scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape")), Headers(scope=scope)
    if not _PATH.fullmatch(path) or _HIDDEN.search(path):
        return Refusal(400, "bad-path", "the path contains invalid characters")
    if named.getlist("transfer-encoding") or any(size != "0" for size in named.getlist("content-length")):
        return Refusal(413, "no-body", "request bodies are not supported")
    return None


def _failed(_request: Request, error: Exception) -> Response:
    """Answer what went wrong: with the request, with the database, or in here, which the log has."""
    if isinstance(error, HTTPException):
        content = {"code": _CODES.get(error.status_code, "refused"), "message": error.detail}
        return JSONResponse({"error": content}, status_code=error.status_code, headers=dict(error.headers or {}))
    if isinstance(error, MemsuggestError):
        failed = {"code": "failed", "message": error.message, "hint": error.hint}
        return JSONResponse({"error": failed}, status_code=503)
    broken = {"code": "broken", "message": "this is a bug in memsuggest; see its log for details"}
    return JSONResponse({"error": broken}, status_code=500)
