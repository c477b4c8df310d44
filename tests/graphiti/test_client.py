"""What the client asks, what it makes of answers, and that it gives up in time."""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from memsuggest.graphiti.client import X_API_KEY, GraphitiClient, GraphitiError
from memsuggest.graphiti.outbox import Outgoing
from memsuggest.graphiti.profile_tables import trial_group
from tests.graphiti_server import GraphitiServer

MESSAGE = Outgoing(
    group_id="",
    content="We deploy on Thursdays.",
    role_type="user",
    role="dana",
    at=1_700_000_000_000,
    name="s:1:user",
)


def group() -> str:
    return trial_group(str(uuid4()))


def client_of(server: GraphitiServer, **given: Any) -> GraphitiClient:
    return GraphitiClient(server.url, **given)


def wait_for(what: Callable[[], Any]) -> Any:
    ends = time.monotonic() + 60
    while not (found := what()):
        assert time.monotonic() < ends
        time.sleep(0.02)
    return found


def test_messages_become_episodes_and_facts(server: GraphitiServer) -> None:
    """What is handed in is stored under its name, with who said it; a search finds what was made of it."""
    where = group()
    with client_of(server) as client:
        client.healthcheck()
        client.add_messages(where, [MESSAGE, replace(MESSAGE, name="s:1:assistant", role_type="assistant", role="")])
        stored = wait_for(lambda: len(found := client.episodes(where, last=10)) == 2 and found)
        assert [(episode.name, episode.valid_at) for episode in stored] == [
            ("s:1:user", MESSAGE.at),
            ("s:1:assistant", MESSAGE.at),
        ]
        assert stored[0].content == "dana(user): We deploy on Thursdays."
        assert stored[1].content == "(assistant): We deploy on Thursdays."
        facts = client.search([where], "when do we deploy?", max_facts=1)
        assert [fact.fact for fact in facts] == [MESSAGE.content]
        assert facts[0].episodes == (stored[0].uuid,)


def test_what_is_deleted_is_gone(server: GraphitiServer) -> None:
    """A fact, an episode and a group can be deleted; what is not there is told as such."""
    where = group()
    with client_of(server) as client:
        client.add_messages(where, [MESSAGE, MESSAGE])
        first, _ = wait_for(lambda: len(found := client.episodes(where, last=10)) == 2 and found)
        fact, *_ = client.search([where], "deploy")
        client.delete("entity-edge", fact.uuid)
        client.delete("episode", first.uuid)
        assert len(client.episodes(where, last=10)) == 1
        with pytest.raises(GraphitiError, match=f"404 edge {fact.uuid} not found") as caught:
            client.delete("entity-edge", fact.uuid)
        assert caught.value.outcome == "not-found"
        client.delete("group", where)
        assert client.episodes(where, last=10) == client.search([where], "deploy") == ()


def test_no_group_is_no_search(server: GraphitiServer) -> None:
    """Without a group nothing is asked: the server would look through everything it has."""
    with client_of(server) as client:
        assert client.search([], "deploy") == ()
    assert server.requests() == []


def test_only_what_the_worker_survives_is_sent(server: GraphitiServer) -> None:
    """A message has a role and no uuid; a group id is of letters the server takes, or nothing is sent."""
    with client_of(server) as client:
        client.add_messages(group(), [MESSAGE])
        for bad in ("a b", "a/b", "", "ü", "x" * 200, "a\n"):
            with pytest.raises(AssertionError):
                client.add_messages(bad, [MESSAGE])
    (sent,) = server.sent()
    assert set(sent) == {"group_id", "content", "role_type", "role", "name", "timestamp", "source_description"}
    assert sent["timestamp"] == "2023-11-14T22:13:20.000Z"


def test_secrets_do_not_leave(server: GraphitiServer) -> None:
    """Whoever made a message or a query: a secret in it is taken out on the way."""
    token = "ghp_" + "Zq4RtYw8LmN2vBx6KcJd1FhGs3Pa9eUoTi5X"
    with client_of(server) as client:
        client.add_messages(group(), [replace(MESSAGE, content=f"use {token}", role=token, source=f"branch {token}")])
        client.search([group()], f"what is {token}?")
    assert token not in json.dumps(server.requests())


def test_heads_say_little(server: GraphitiServer) -> None:
    """A request says who asks and what it takes; a key goes where it was said to go."""
    secret = uuid4().hex
    with client_of(server, key=secret) as client:
        client.healthcheck()
    with client_of(server, key=secret, key_header=X_API_KEY) as client:
        client.healthcheck()
    first, second = (request["headers"] for request in server.requests())
    assert first.pop("authorization") == f"Bearer {secret}"
    assert second.pop("x-api-key") == secret
    assert set(first) | set(second) <= {"host", "accept", "connection", "user-agent", "accept-encoding"}


FAILURES = [
    ("401", "unauthorized", "rejected the key or requires one: 401 no way: as the server says"),
    ("403", "forbidden", "denied access: 403 no way: as the server says"),
    ("404", "not-found", "the Graphiti server did not find the requested resource: 404 no way: as the server says"),
    ("413", "too-large", "too large for the Graphiti server: 413"),
    ("422", "refused", "rejected the request as malformed: 422 no way"),
    ("429", "rate-limited", "too many requests: 429"),
    ("500", "unavailable", "internal error: 500"),
    ("503", "unavailable", "internal error: 503 no way"),
    ("reset", "cut-off", "was cut off"),
    ("half", "cut-off", "was cut off"),
    ("redirect", "redirect", "returned a redirect, which memsuggest does not follow: http://127.0.0.1:9/elsewhere"),
    ("huge", "too-long", "response is too long"),
    ("html", "not-graphiti", "the endpoint is not a Graphiti server: content type: text/html"),
    ("no-json", "not-graphiti", "content type: text/plain"),
    ("garbage", "not-graphiti", "not JSON"),
    ("other-json", "not-graphiti", "not a Graphiti server"),
    ("packed", "not-graphiti", "not a Graphiti server"),
    ("wide-head", "not-graphiti", "not a Graphiti server"),
    ("deep", "not-graphiti", "not JSON"),
    ("not-http", "not-graphiti", "not a Graphiti server"),
]


@pytest.mark.parametrize(("fails", "outcome", "says"), FAILURES, ids=[row[0] for row in FAILURES])
def test_one_line_for_each_failure(server: GraphitiServer, fails: str, outcome: str, says: str) -> None:
    """Whatever answers, there is one line with the server's own words, and what to do."""
    server.behave(fails=fails)
    with client_of(server) as client:
        for ask in (
            client.healthcheck,
            lambda: client.search([group()], "x"),
            lambda: client.add_messages(group(), [MESSAGE]),
        ):
            with pytest.raises(GraphitiError) as caught:
                ask()
            assert says in caught.value.message
            assert caught.value.outcome == outcome
            assert caught.value.message.isprintable()
            assert caught.value.hint


def test_how_long_a_server_asks_to_wait(server: GraphitiServer) -> None:
    """A number of seconds in `Retry-After` is handed on; anything else is not."""
    for said, meant in (("7", 7.0), ("soon", None), ("-3", None), ("nan", None), ("1e99", None)):
        server.behave(fails="429", retry_after=said)
        with client_of(server) as client, pytest.raises(GraphitiError) as caught:
            client.healthcheck()
        assert caught.value.seconds == meant


def test_a_refusal_names_the_field_and_not_what_was_said(server: GraphitiServer) -> None:
    """The server repeats a request that it refuses; the error names the place only."""
    with client_of(server) as client, pytest.raises(GraphitiError) as caught:
        client._ask(
            "POST", "/messages", body={"group_id": "g", "messages": [{"content": "hush"}]}, read=str, within=None
        )
    assert "body.messages.0.role_type: Field required; body.messages.0.role: Field required" in caught.value.message
    assert "hush" not in caught.value.message


@pytest.mark.parametrize("slow", [{"delay": 30.0}, {"fails": "silent"}, {"drip": 0.2}], ids=["late", "silent", "drips"])
def test_a_deadline_holds_whatever_is_slow(running: GraphitiServer, slow: dict[str, Any]) -> None:
    """A caller's deadline is for all of a call, also where the server sends a byte now and then."""
    with GraphitiServer.start(**slow) as server, client_of(server) as client:
        started = time.monotonic()
        with pytest.raises(GraphitiError) as caught:
            client.search([group()], "x", within=0.3)
        assert 0.25 < time.monotonic() - started < 15  # a busy machine may stop; the server would take far longer
        assert caught.value.outcome == "timeout"


def test_no_time_left_is_no_request(server: GraphitiServer) -> None:
    """A deadline that has passed sends nothing."""
    with client_of(server) as client, pytest.raises(GraphitiError, match="no time left"):
        client.search([group()], "x", within=0.0)
    assert server.requests() == []


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    """TLS is verified: a certificate of its own making is refused, and nothing is said before that."""
    with _tls_server(tmp_path) as (port, heard):
        with GraphitiClient(f"https://127.0.0.1:{port}") as client, pytest.raises(GraphitiError) as caught:
            client.healthcheck()
        assert caught.value.outcome == "certificate"
        assert re.search("certificate.*verif", caught.value.message)
        assert heard == []


class _tls_server:  # noqa: N801  (used as a function is)
    def __init__(self, folder: Path) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
        now = datetime.now(UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
            .sign(key, hashes.SHA256())
        )
        kept = folder / "server.pem"
        plain = serialization.NoEncryption()
        private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        kept.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(kept)
        self._heard: list[bytes] = []

    def __enter__(self) -> tuple[int, list[bytes]]:
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()
        return self._listening.getsockname()[1], self._heard

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _serve(self) -> None:
        try:
            connection, _ = self._listening.accept()
            with self._context.wrap_socket(connection, server_side=True) as talk:
                self._heard.append(talk.recv(65536))
        except OSError:
            return
