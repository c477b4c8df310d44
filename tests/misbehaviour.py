"""All that a service does wrong, or whoever answers in its place: what it comes to, and how often it is asked."""

from __future__ import annotations

import json
import time

from model_server import Behaviour, Exchange, error, event, events, fails, hangs, message, resets


def says(body: bytes, *, kind: str = "application/json", status: str = "200 OK") -> Behaviour:
    return lambda exchange: exchange.respond(body, kind=kind, status=status)


def streams(*pieces: bytes) -> Behaviour:
    return lambda exchange: exchange.stream(pieces)


def short(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{")


def drips(exchange: Exchange) -> None:
    """A byte now and then, for ever."""
    exchange.send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
    for _ in range(60):
        exchange.send(b":\n")
        time.sleep(0.1)


def floods(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: ")
    for _ in range(160):
        exchange.send(b"x" * 65536)


def packed(exchange: Exchange) -> None:
    exchange.respond(b"\x1f\x8b", headers=["content-encoding: gzip"])


STREAM = events('{"facts": []}')
TIMED_OUT = b"event: error\ndata: " + error("timeout_error") + b"\n\n"


def stalls(pieces: int) -> Behaviour:
    """Begin a reply, and then say nothing more."""
    return lambda exchange: (exchange.stream(STREAM[:pieces]), hangs(exchange))[0]


def pings(exchange: Exchange) -> None:
    """Begin a reply, and then keep the connection alive with nothing."""
    _goes_on(exchange, event("ping"))


def babbles(exchange: Exchange) -> None:
    """Begin a reply, and never come to its end."""
    _goes_on(exchange, event("content_block_delta", index=0, delta={"type": "text_delta", "text": "word "}))


def _goes_on(exchange: Exchange, piece: bytes) -> None:
    exchange.stream(STREAM[:2])
    for _ in range(400):
        exchange.send(piece)
        time.sleep(0.1)


BEHAVIOURS: list[tuple[str, Behaviour, str, int]] = [
    ("400", fails("400 Bad Request", "invalid_request_error"), "bad-request", 1),
    (
        "400 without credit",
        fails("400 Bad Request", "invalid_request_error", says="Your credit balance is too low"),
        "no-credit",
        1,
    ),
    ("401", fails("401 Unauthorized", "authentication_error"), "invalid-key", 1),
    ("402", fails("402 Payment Required", "billing_error"), "no-credit", 1),
    ("403", fails("403 Forbidden", "permission_error"), "forbidden", 1),
    ("404", fails("404 Not Found", "not_found_error"), "unknown-model", 1),
    ("408", fails("408 Request Timeout"), "unavailable", 3),
    ("409", fails("409 Conflict"), "unavailable", 3),
    ("413", fails("413 Too Large", "request_too_large"), "too-large", 1),
    ("422", fails("422 Unprocessable", "invalid_request_error"), "bad-request", 1),
    ("429", fails("429 Too Many", "rate_limit_error"), "rate-limited", 3),
    ("429, wait a second", fails("429 Too Many", "rate_limit_error", "retry-after: 1"), "rate-limited", 3),
    ("429, wait two minutes", fails("429 Too Many", "rate_limit_error", "retry-after: 120"), "wait-too-long", 1),
    ("429, money ran out", fails("429 Too Many", "rate_limit_error", "x-should-retry: false"), "no-credit", 1),
    ("500", fails("500 Internal"), "unavailable", 3),
    ("502 HTML", says(b"<html>bad gateway</html>", kind="text/html", status="502 Bad Gateway"), "unavailable", 3),
    ("503", fails("503 Unavailable"), "unavailable", 3),
    ("504", fails("504 Gateway Timeout", "timeout_error"), "timeout", 3),
    ("529", fails("529 Overloaded", "overloaded_error"), "overloaded", 3),
    ("HTML of a captive portal", says(b"<html>Log in</html>", kind="text/html; charset=utf-8"), "not-the-api", 1),
    ("JSON of another API", says(b'{"hello": "world"}'), "not-the-api", 1),
    ("content null", says(json.dumps({**message(""), "content": None}).encode()), "not-the-api", 1),
    ("JSON cut in the middle", says(json.dumps(message("{}")).encode()[:60]), "unreadable", 1),
    ("JSON too deep", says(b"[" * 200_000), "unreadable", 1),
    ("no type of content", says(b"{}", kind=""), "not-the-api", 1),
    ("a packed reply", packed, "not-the-api", 1),
    ("shorter than it says", short, "cut-off", 1),
    ("reset", resets, "no-connection", 3),
    ("silence", hangs, "timeout", 3),
    ("silence before the stream begins", lambda exchange: (exchange.stream([]), hangs(exchange))[0], "timeout", 3),
    ("silence after the start", stalls(1), "stalled", 1),
    ("silence in the middle", stalls(4), "stalled", 1),
    ("pings without an end after the start", pings, "too-slow", 1),
    ("text without an end", babbles, "too-slow", 1),
    ("stream that says it timed out", streams(STREAM[0], TIMED_OUT), "stalled", 1),
    ("a drip", drips, "too-slow", 1),
    ("ten megabytes", floods, "too-long", 1),
    ("stream without an end", streams(*events("{}", is_whole=False)), "cut-off", 1),
    ("empty stream", streams(), "cut-off", 1),
    ("stream of rubbish", streams(b"data: {not json}\n\n"), "unreadable", 1),
    (
        "stream with an error",
        streams(STREAM[0], b"event: error\ndata: " + error("overloaded_error") + b"\n\n"),
        "overloaded",
        3,
    ),
    ("stream with an unknown error", streams(STREAM[0], event("error")), "unavailable", 3),
]
