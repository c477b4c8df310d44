"""The real SDK against a server of ours that speaks the real protocol, well and badly."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest
from builders import fake_token
from misbehaviour import BEHAVIOURS, says, streams
from model_server import Exchange, Server, answers, event, events, fails, message

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.ask_model import LONGEST, patiently
from memsuggest.judging.asking.messages_api import Client
from memsuggest.judging.asking.outcomes import OUTCOMES, ServiceError

BODY = {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "What now?"}]}
BRIEF, LONG = 0.4, 2.0
"""Seconds of silence, and of a whole reply, that the tests wait."""


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    client = Client(endpoint=server.url, key=fake_token(), seconds=BRIEF, total=LONG)
    yield client
    client.close()


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


@pytest.mark.parametrize("stop", ["end_turn", "max_tokens", "pause_turn", "refusal", "some_new_reason", None])
def test_why_it_stopped_is_handed_on(server: Server, client: Client, stop: str | None) -> None:
    """Every reason to stop reaches the caller as it is."""
    server.behave(answers("half", stop=stop))
    assert client.send(BODY).stop_reason == stop


def test_usage_may_be_missing(server: Server, client: Client) -> None:
    """A reply that does not say what it used is a reply."""
    server.behave(says(json.dumps(message("{}", usage={})).encode()))
    assert client.send(BODY).usage is None


def test_what_was_announced_is_handed_on(server: Server, client: Client) -> None:
    """A reply that fails after its beginning says what will be billed: what it announced, and the text that came."""
    text = "a word of many letters " * 40
    server.behave(streams(*events(text, is_whole=False, sent=4321)))
    with pytest.raises(ServiceError) as caught:
        client.send(BODY)
    assert caught.value.announced is not None
    assert caught.value.announced.input == 4321
    assert caught.value.announced.output > 100
    server.behave(streams(event("message_start", message={}), b"data: {not json}\n\n"))
    with pytest.raises(ServiceError) as caught:
        client.send(BODY)
    assert (caught.value.outcome, caught.value.announced) == ("unreadable", None)


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
    with pytest.raises(ModelError, match="did not come from the API"):
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
                raise ServiceError(ModelError("busy", outcome="overloaded"), retry_after=told)
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
