"""Serving the admin API on this machine: its token, its port, what it looks after, and its end."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.workspace import Folders
from memsuggest.memory.loopback_auth import HOST, listen, read_token

FILE = "admin-token"
_AT_ONCE = 32
_HEAD = 16 * 1024
"""Bytes of a request's head."""
_GRACE = 3
"""Seconds that answers on their way have when it stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminServer:
    """The API, about to be served."""

    folders: Folders
    now: Callable[[], int]
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
        import uvicorn

        from memsuggest.memory.admin_api import AdminMemories, build_admin_api

        class Server(uvicorn.Server):
            """Says when it has begun: from then on a signal stops it cleanly."""

            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets=sockets)
                begun()

        memories = AdminMemories(folders=self.folders, now=self.now)
        settings = uvicorn.Config(
            build_admin_api(memories, token=self.token, port=self.port),
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


def open_admin(folders: Folders, *, port: int, now: Callable[[], int], is_new_token: bool = False) -> AdminServer:
    """Take the port and make the token where there is none; raises MemsuggestError."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MemsuggestError(
            f"the admin API requires the `mcp` extra: {error.name} is not installed",
            hint="run `pip install '.[mcp]'` (or `uv tool install '.[mcp]'`) in your memsuggest clone",
        ) from None
    path = folders.config / FILE
    listening = listen(port)
    try:
        token = read_token(path, is_new=is_new_token)
    except BaseException:
        listening.close()
        raise
    return AdminServer(folders=folders, now=now, token=token, token_path=path, listening=listening)
