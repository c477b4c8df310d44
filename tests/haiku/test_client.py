"""The real SDK against a server of ours that speaks the real protocol, well and badly."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest
from builders import fake_token
from model_server import Behaviour, Exchange, Server, answers, error, event, events, fails, hangs, message, resets

from memsuggest.errors import ModelError
from memsuggest.haiku.client import Client
from memsuggest.haiku.outcomes import OUTCOMES
from memsuggest.haiku.patience import LONGEST, patiently

BODY = {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "What now?"}]}
BRIEF, LONG = 0.4, 0.9
"""Seconds of silence, and of a whole reply, that the tests wait."""


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    client = Client(endpoint=server.url, key=fake_token(), seconds=BRIEF, total=LONG)
    yield client
    client.close()


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
    ("silence in the middle", lambda exchange: (exchange.stream(STREAM[:4]), hangs(exchange))[0], "timeout", 3),
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


@pytest.mark.parametrize(
    ("behave", "outcome", "requests"), [pytest.param(*rest, id=name) for name, *rest in BEHAVIOURS]
)
def test_every_failure_has_its_own_name(
    server: Server, client: Client, behave: Callable[[Exchange], None], outcome: str, requests: int
) -> None:
    """What goes wrong is told apart, asked again at most twice and only where that may help, and carries a hint."""
    server.behave(behave)
    with pytest.raises(ModelError) as caught:
        patiently(lambda: client.send(BODY), sleep=lambda _: None, now=time.time)
    assert caught.value.outcome == outcome
    assert len(server.requests) == requests
    assert caught.value.hint
    assert OUTCOMES[outcome].says in caught.value.message


def test_a_stream_is_put_together(server: Server, client: Client) -> None:
    """The text of a streamed reply is whole, with why it stopped and what it used."""
    server.behave(answers('{"facts": ["übung", "\\u2603"]}'))
    reply = client.send(BODY)
    assert json.loads(reply.text) == {"facts": ["übung", "☃"]}
    assert reply.stop_reason == "end_turn"
    assert reply.usage is not None
    assert reply.usage.output == 20


def test_a_reply_in_one_piece_is_as_good(server: Server, client: Client) -> None:
    """A gateway that does not stream is understood."""
    server.behave(says(json.dumps(message("{}")).encode()))
    assert client.send(BODY).text == "{}"


@pytest.mark.parametrize(
    "stop",
    [
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
        None,
    ],
)
def test_why_it_stopped_is_handed_on(server: Server, client: Client, stop: str | None) -> None:
    """Every reason to stop reaches the caller as it is."""
    server.behave(answers("half", stop=stop))
    assert client.send(BODY).stop_reason == stop


def test_usage_may_be_missing(server: Server, client: Client) -> None:
    """A reply that does not say what it used is a reply."""
    server.behave(says(json.dumps(message("{}", usage={})).encode()))
    assert client.send(BODY).usage is None


def test_a_redirect_is_not_followed(server: Server, client: Client) -> None:
    """What was asked is not sent to a second host, and the person learns where it would have gone."""
    elsewhere = Server([answers("{}")])
    for status in ("301 Moved", "307 Temporary", "308 Permanent"):
        server.behave(
            lambda exchange, status=status: exchange.respond(
                b"", status=status, headers=[f"location: {elsewhere.url}/v1"]
            )
        )
        with pytest.raises(ModelError) as caught:
            client.send(BODY)
        assert caught.value.outcome == "redirect"
        assert elsewhere.url in caught.value.message
    assert not elsewhere.requests
    elsewhere.close()


def test_only_what_is_needed_leaves(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Headers, endpoints, profiles and proxies of the environment change nothing, and the machine is not described."""
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-spy: here")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/elsewhere")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server.behave(answers("{}"))
    client = Client(endpoint=server.url, key=fake_token())
    client.send(BODY)
    client.close()
    (asked,) = server.requests
    assert asked.headers["authorization"] == f"Bearer {fake_token()}" or asked.headers["x-api-key"] == fake_token()
    assert set(asked.headers) <= {
        *("host", "accept", "connection", "content-type", "content-length", "user-agent", "accept-encoding"),
        *("authorization", "x-api-key", "anthropic-version"),
    }
    assert asked.headers["user-agent"] == "memsuggest"


def test_a_proxy_is_used_when_the_person_says_so(server: Server) -> None:
    """The one way to a proxy is the person's own setting."""
    server.behave(answers("{}"))
    client = Client(endpoint="http://localhost:9", key=fake_token(), proxy=server.url)
    client.send(BODY)
    client.close()
    assert server.requests[0].path.startswith("http://localhost:9/")


def test_tokens_are_counted_by_the_service(server: Server, client: Client) -> None:
    """The count is the service's; what is no count is an error."""
    server.behave(says(b'{"input_tokens": 42}'), says(b'{"input_tokens": "many"}'))
    assert client.count(BODY) == 42
    assert server.requests[0].path == "/v1/messages/count_tokens"
    with pytest.raises(ModelError, match="something else"):
        client.count(BODY)


def test_errors_are_shown_made_harmless(server: Server, client: Client) -> None:
    """What a server says about an error cannot steer a terminal, nor echo the key."""
    server.behave(fails("400 Bad", says=f"\x1b]0;x\x07 bad key {fake_token()}\nsecond line" + "y" * 500))
    with pytest.raises(ModelError) as caught:
        client.send(BODY)
    said = caught.value.message
    assert fake_token() not in said
    assert said.isprintable()
    assert len(said) < 300


def test_a_service_may_ask_for_a_pause() -> None:
    """A pause that is asked for is kept up to half a minute; a longer one ends the run; nonsense is ignored."""

    def waited(told: str | None) -> list[float]:
        pauses: list[float] = []
        tries = iter(range(3))

        def ask() -> str:
            if next(tries) < 2:
                error = ModelError("busy", outcome="overloaded")
                error.seconds = told  # type: ignore[attr-defined]
                raise error
            return "done"

        assert patiently(ask, sleep=pauses.append, now=lambda: 0.0) == "done"
        return pauses

    assert waited(None) == [1.0, 4.0]
    assert waited("7") == [7.0, 7.0]
    assert waited(str(LONGEST)) == [LONGEST, LONGEST]
    assert waited("Thu, 01 Jan 1970 00:00:09 GMT") == [9.0, 9.0]
    assert waited("-5") == [0.0, 0.0]
    for nonsense in ("soon", "nan", "inf", "1e400", ""):
        assert waited(nonsense) == [1.0, 4.0], nonsense
    with pytest.raises(ModelError) as caught:
        waited("31")
    assert caught.value.outcome == "wait-too-long"
