"""A server that speaks the Messages API over a socket: HTTP/1.1, JSON, server-sent events, and all misbehaviour."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from judging_kit import verdicts_on

Behaviour = Callable[["Exchange"], None]


@dataclass(kw_only=True)
class Exchange:
    """One request, and the connection to answer on."""

    connection: socket.socket
    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.raw)
        return loaded

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def respond(
        self, body: bytes, *, status: str = "200 OK", kind: str = "application/json", headers: Sequence[str] = ()
    ) -> None:
        lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", f"content-length: {len(body)}", "connection: close"]
        self.send("\r\n".join([*lines, *headers, "", ""]).encode() + body)

    def stream(self, pieces: Iterator[bytes] | Sequence[bytes], *, kind: str = "text/event-stream") -> None:
        self.send(f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n".encode())
        for piece in pieces:
            self.send(piece)


def message(text: str, *, stop: str | None = "end_turn", usage: Any = None) -> dict[str, Any]:
    """A whole reply."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-5-5",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20} if usage is None else usage,
    }


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def events(text: str, *, stop: str | None = "end_turn", is_whole: bool = True, sent: int = 100) -> list[bytes]:
    """A reply as a stream, a few characters at a time."""
    start = {**message("", stop=None, usage={"input_tokens": sent, "output_tokens": 1}), "content": []}
    size = max(7, len(text) // 20)
    pieces = [text[place : place + size] for place in range(0, len(text), size)]
    found = [
        event("message_start", message=start),
        event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        event("ping"),
        *(event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece}) for piece in pieces),
        event("content_block_stop", index=0),
    ]
    if is_whole:
        delta = {"stop_reason": stop, "stop_sequence": None}
        found += [event("message_delta", delta=delta, usage={"output_tokens": 20}), event("message_stop")]
    return found


def error(kind: str, says: str = "as the server says") -> bytes:
    return json.dumps({"type": "error", "error": {"type": kind, "message": says}}).encode()


def is_about_rules(body: dict[str, Any]) -> bool:
    """Tell question two from question one."""
    return '"rule"' in json.dumps(body.get("output_config", {}))


def answers(text: str | Callable[[dict[str, Any]], str], *, stop: str | None = "end_turn") -> Behaviour:
    """Answer a question well: as a stream, and a count of tokens where that is asked.

    Where a fixed text answers question one, question two gets an answer too: each rule goes to its first place.
    """

    def behave(exchange: Exchange) -> None:
        if exchange.path.endswith("/count_tokens"):
            exchange.respond(json.dumps({"input_tokens": len(exchange.raw) // 4}).encode())
            return
        found = text if isinstance(text, str) else text(exchange.body)
        if text == found and is_about_rules(exchange.body) and found.startswith('{"facts": '):
            found = json.dumps(verdicts_on(exchange.body["messages"][0]["content"][-1]["text"]))
        exchange.stream(events(found, stop=stop, sent=len(exchange.raw) // 4))

    return behave


def told(body: dict[str, Any]) -> dict[int, str]:
    """What was typed, by the numbers of the turns, that a question is new about."""
    lines = [json.loads(line) for line in body["messages"][0]["content"][-1]["text"].split("\n") if '"typed":' in line]
    return {line["turn"]: line["typed"] for line in lines if line.get("new", True)}


def fails(status: str, kind: str = "api_error", *headers: str, says: str = "as the server says") -> Behaviour:
    return lambda exchange: exchange.respond(error(kind, says), status=status, headers=headers)


def hangs(exchange: Exchange) -> None:
    time.sleep(3)


def resets(exchange: Exchange) -> None:
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


@dataclass
class Server:
    """The server; behaviours are used one after the other, the last one for all that follow."""

    behaviours: list[Behaviour] = field(default_factory=list)
    requests: list[Exchange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The bodies of the questions; an empty one only looks whether there is such a page."""
        return [
            request.body for request in self.requests if request.path.endswith("/messages") and request.raw != b"{}"
        ]

    @property
    def asked_of_chats(self) -> list[dict[str, Any]]:
        """The bodies of the questions what lasts of a chat."""
        return [body for body in self.asked if not is_about_rules(body)]

    def behave(self, *behaviours: Behaviour) -> None:
        self.behaviours = list(behaviours)

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # the thread that waits there would go on otherwise
        self._listening.close()
        self._thread.join(timeout=5)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection:
            try:
                exchange = _read(connection)
                if exchange is None:
                    return
                self.requests.append(exchange)
                behave = self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]
                behave(exchange)
            except OSError:  # the client has hung up, as it should when a reply goes on for too long
                return


def _read(connection: socket.socket) -> Exchange | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    method, path, _ = first.split(" ")
    return Exchange(connection=connection, method=method, path=path, headers=headers, raw=body)
