"""A listener on this machine that a program is made to ask once, so that it can be seen what its questions hold."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from memsuggest.engines.fields import mapping_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIMIT = 4 * 1024 * 1024
_SAID = {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "{}"}]}
_EVENTS: tuple[dict[str, Any], ...] = (
    {"type": "response.created", "response": {"id": "r"}},
    {"type": "response.output_item.done", "item": _SAID},
    {
        "type": "response.completed",
        "response": {"id": "r", "usage": {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}},
    },
)
"""An answer in the Responses API, so that the program ends at once."""


class Listener:
    """Keeps the questions that come, and answers each with an empty object."""

    def __init__(self) -> None:
        self.bodies: list[Any] = []
        bodies = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                """Keep a question and answer it."""
                bodies.append(_read(self))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for event in _EVENTS:
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _read(handler: BaseHTTPRequestHandler) -> Any:
    """Return the body of a request; None for what is no JSON, which is no proof of anything."""
    size = min(int(handler.headers.get("content-length") or 0), _LIMIT)
    try:
        return json.loads(handler.rfile.read(size))
    except (ValueError, RecursionError):
        return None


def tools_in(body: Any) -> Iterator[str]:
    """Yield the names of tools that a question offers, wherever in it they stand.

    >>> list(tools_in({"input": [{"type": "additional_tools", "tools": [{"name": "exec"}]}], "tools": []}))
    ['exec']
    """
    if not isinstance(body, dict):
        yield "unreadable"
        return
    for fields in (body, *map(mapping_of, body.get("input") or [])):
        for tool in fields.get("tools") or []:
            inner = mapping_of(tool).get("tools")
            named = inner if isinstance(inner, list) and inner else [tool]
            yield from (str(mapping_of(one).get("name") or mapping_of(one).get("type")) for one in named)
