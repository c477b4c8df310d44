"""The connection: what leaves is an allowlist of headers, what comes back has a limit in size and in time."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx2

REPLY_LIMIT = 2 * 1024 * 1024  # bytes of a reply; the longest honest one has a tenth of that
CONNECT_SECONDS, SILENCE_SECONDS = 10.0, 30.0  # to connect, and without a byte
REPLY_SECONDS = 120.0  # for all of a reply
_SENT = frozenset(
    {
        *("host", "accept", "connection", "content-type", "content-length", "user-agent"),
        *("authorization", "x-api-key", "anthropic-version", "accept-encoding"),
    }
)
"""Headers that leave; the SDK would also tell the system and add what ANTHROPIC_CUSTOM_HEADERS says."""


class ReplyTooLongError(httpx2.TransportError):
    """The reply has more bytes than any honest one."""


class ReplyTooSlowError(httpx2.TransportError):
    """The reply takes longer than anybody waits."""


def open_wire(
    endpoint: str,
    *,
    proxy: str | None,
    seconds: float,
    total: float,
    connect: float = CONNECT_SECONDS,
    limit: int = REPLY_LIMIT,
) -> httpx2.Client:
    """Return an HTTP client that follows nothing, takes nothing from the environment, and waits only so long.

    `endpoint` is a URL. For one without TLS no certificate is trusted.
    """
    # To read the system's certificates takes longer than a whole request on this machine.
    has_tls = endpoint.lower().startswith("https:")
    verify = True if has_tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx2.Client(
        transport=_Bounded(httpx2.HTTPTransport(verify=verify, trust_env=False, proxy=proxy), total=total, limit=limit),
        timeout=httpx2.Timeout(seconds, connect=min(connect, seconds)),
        follow_redirects=False,
        trust_env=False,
    )


class _Bounded(httpx2.BaseTransport):
    """A transport with limits."""

    def __init__(self, inner: httpx2.HTTPTransport, *, total: float, limit: int) -> None:
        self._inner = inner
        self._total = total
        self._limit = limit

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        started = time.monotonic()
        headers = [(name, value) for name, value in request.headers.items() if name.lower() in _SENT]
        sent = httpx2.Request(  # another one: the SDK looks at its own headers afterwards
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )
        sent.headers["accept-encoding"] = "identity"  # what is packed could be of any size
        response = self._inner.handle_request(sent)
        if response.headers.get("content-encoding", "identity") != "identity":
            response.close()
            raise httpx2.DecodingError("the response is compressed, but no compression was requested")
        assert isinstance(response.stream, httpx2.SyncByteStream)
        connection = response.extensions.get("network_stream")
        response.stream = _Limited(response.stream, connection, ends=started + self._total, limit=self._limit)
        return response

    def close(self) -> None:
        self._inner.close()


class _Limited(httpx2.SyncByteStream):
    """A reply that ends, one way or another, at a size and at a time."""

    def __init__(self, inner: httpx2.SyncByteStream, connection: object, *, ends: float, limit: int) -> None:
        self._inner = inner
        self._connection = connection
        self._ends = ends
        self._limit = limit
        self._is_late = False

    def __iter__(self) -> Iterator[bytes]:
        timer = threading.Timer(max(0.0, self._ends - time.monotonic()), self._hang_up)
        timer.daemon = True
        timer.start()
        size = 0
        try:
            for piece in self._inner:
                size += len(piece)
                if size > self._limit:
                    raise ReplyTooLongError(f"the response is longer than {self._limit} bytes")
                yield piece
        except httpx2.HTTPError as error:
            if self._is_late:
                raise ReplyTooSlowError("the response took too long") from error
            raise
        finally:
            timer.cancel()
        if self._is_late:  # the end that we made ourselves
            raise ReplyTooSlowError("the response took too long")

    def close(self) -> None:
        self._inner.close()

    def _hang_up(self) -> None:
        self._is_late = True
        get_info = getattr(self._connection, "get_extra_info", None)
        connected = get_info("socket") if get_info else None
        if isinstance(connected, socket.socket):
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)
