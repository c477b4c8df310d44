"""Serving the admin API on this machine: its token, its port, what it looks after, and its end."""

from __future__ import annotations

import os
import re
import secrets
import signal
import socket
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.apps.app_table import open_app_memories
from memsuggest.apps.naming import is_app_id
from memsuggest.errors import FileError, MemsuggestError
from memsuggest.files import lock
from memsuggest.model import AppMaker
from memsuggest.workflows.app_models import forget_app_answers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from memsuggest.apps.app_table import AppMemories
    from memsuggest.model import AppMemory
    from memsuggest.workspace import Folders

HOST = "127.0.0.1"
PORT = 8765
FILE = "admin-token"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\n")
_WAITING = 16
"""Connections that wait to be taken."""
_AT_ONCE = 32
_HEAD = 16 * 1024
"""Bytes of a request's head."""
_GRACE = 3
"""Seconds that answers on their way have when it stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminMemories:
    """The memories of all apps, as the API looks after them."""

    folders: Folders
    now: Callable[[], int]

    def memories(self, app_id: str) -> Sequence[Mapping[str, object]]:
        """Return an app's memories, as they are answered."""
        with closing(self._store()) as store:
            return [_answered(one) for one in store.of(app_id)]

    def purge(self, app_id: str) -> int:
        """Delete all of an app's memories; how many there were."""
        with closing(self._store()) as store:
            ids = store.purge(app_id, now=self.now(), by=AppMaker.API)
        forget_app_answers(self.folders.state, app_id)
        return len(ids)

    def forget(self, app_id: str, memory_id: int) -> bool:
        """Delete one of them; whether it was there."""
        with closing(self._store()) as store:
            is_gone = store.forget(app_id, memory_id, now=self.now(), by=AppMaker.API)
        if is_gone:
            forget_app_answers(self.folders.state, app_id)
        return is_gone

    def is_app_id(self, text: str) -> bool:
        """Tell whether a text can name an app."""
        return is_app_id(text)

    def _store(self) -> AppMemories:
        return open_app_memories(self.folders.data / "profile.db")


def _answered(memory: AppMemory) -> Mapping[str, object]:
    from memsuggest.render.when import iso  # noqa: PLC0415  (only the server needs it)

    return {
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminServer:
    """The API, about to be served."""

    url: str
    token: str
    token_path: Path
    serve: Callable[[Callable[[], None]], None]
    """Serves until it is told to stop; calls what it is given when it has begun."""


def open_admin(folders: Folders, *, port: int, now: Callable[[], int], is_new_token: bool = False) -> AdminServer:
    """Take the port and make the token where there is none; raises MemsuggestError."""
    _require_extra()
    path = folders.config / FILE
    listening = _listen(port)
    try:
        token = read_token(path, is_new=is_new_token)
    except BaseException:
        listening.close()
        raise
    taken = int(listening.getsockname()[1])
    memories = AdminMemories(folders=folders, now=now)
    return AdminServer(
        url=f"http://{HOST}:{taken}",
        token=token,
        token_path=path,
        serve=lambda begun: _serve(memories, begun, token=token, listening=listening, port=taken),
    )


def _require_extra() -> None:
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        raise MemsuggestError(
            f"the admin API needs the extra `mcp`: {error.name} is not installed",
            hint="`pip install 'memsuggest[mcp]'` (or `uv tool install 'memsuggest[mcp]'`)",
        ) from None


def _listen(port: int) -> socket.socket:
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
            f"port {port} of {HOST} cannot be used: {why}", hint="`--port N` takes another one; `--port 0` any free one"
        ) from None
    return listening


def _serve(
    memories: AdminMemories, begun: Callable[[], None], *, token: str, listening: socket.socket, port: int
) -> None:
    """Serve until SIGINT or SIGTERM; what is being answered then has a moment to end."""
    import uvicorn  # noqa: PLC0415  (the extra)

    from memsuggest.integrations.admin_api import build_admin_api  # noqa: PLC0415  (as above)

    class Server(uvicorn.Server):
        """Says when it has begun: from then on a signal stops it cleanly."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            begun()

    settings = uvicorn.Config(
        build_admin_api(memories, token=token, port=port),
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
        Server(settings).run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        listening.close()


def read_token(path: Path, *, is_new: bool = False) -> str:
    """Return the token, made where there is none or where others could have read it; raises FileError.

    Its file belongs to its owner alone.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock(path.with_name(f"{path.name}.lock"), wait_seconds=_GRACE):  # two may start at once
            token = "" if is_new else _kept(path)
            return token or _made(path)
    except OSError as error:
        raise FileError(
            f"{path} cannot be used for the admin API's token: {error.strerror}",
            hint="move away what is there, or name another folder with MEMSUGGEST_CONFIG_DIR",
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


def _made(path: Path) -> str:
    """Write a new token in one step."""
    token = secrets.token_urlsafe(32)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        unfinished.unlink()
    opened = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(f"{token}\n".encode())
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    return token
