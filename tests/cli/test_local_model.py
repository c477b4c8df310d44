"""A model on this machine: found when it is named, asked without a key or a further word, and never anywhere else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cases import cases
from cli.conftest import Run
from hypothesis import given
from hypothesis import strategies as st
from judging_kit import verdicts_on
from model_server import Behaviour, Exchange, Server, answers, error, fails

from memsuggest.core.errors import ConfigError
from memsuggest.judging.asking.outcomes import OUTCOMES
from memsuggest.judging.engines import local_server

CENTS = "We always keep prices in cents, never as floats."


def judged(body: dict[str, Any]) -> str:
    """Answer as a small model does: with a thought before and a fence around."""
    told = body["messages"][0]["content"]
    assert isinstance(told, str)
    assert "JSON schema" in body["system"]
    fact = {
        "content": CENTS,
        "reason": "",
        "kind": "convention",
        "scope": "workspace",
        "confidence": "high",
        "citations": [{"turn": 1, "file": "", "quote": CENTS}],
        "replaces": "",
    }
    answer = {"facts": [fact] if CENTS in told else [], "injections": []}
    if "turn" not in told:
        answer = {"operations": []} if '"room"' in told else verdicts_on(told)
    return f"<think>prices</think>```json\n{json.dumps(answer)}\n```"


def serving(*models: str, asked: Behaviour | None = None) -> Behaviour:
    """A server of models: lists them, and answers."""

    def behave(exchange: Exchange) -> None:
        if exchange.path == "/v1/models":
            listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in models]}
            exchange.respond(json.dumps(listed).encode())
        elif exchange.path == "/api/tags":
            exchange.respond(b"404 page not found", status="404 Not Found", kind="text/plain")
        elif exchange.raw == b"{}" and not asked:
            exchange.respond(error("invalid_request_error", "model is required"), status="400 Bad Request")
        else:
            (asked or answers(judged))(exchange)

    return behave


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server on the one port that counts as usual here."""
    server = Server([serving("nomic-embed-text:latest", "gpt-oss:120b-cloud", "qwen3:8b", "llama3.2:3b")])
    monkeypatch.setattr(local_server, "USUAL", {int(server.url.rpartition(":")[2]): "Ollama"})
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", ())
    yield server
    server.close()


def test_it_is_found_when_it_is_named(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Naming it looks at the usual ports, asks for its models, says what it found; then it judges, with no more ado."""
    claude_session(home, git_repo, CENTS)
    said = run("config", "set", "engine", "local").out
    assert f"found Ollama at {server.url}, using the model qwen3:8b" in said
    assert "llama3.2:3b" in said
    assert "embed" not in said
    assert "cloud" not in said
    found = run("reconcile", "--format", "json").json
    assert (found["engine"], found["newFacts"]) == ("local", 1)
    (question,) = [one for one in server.asked if '"typed":' in one["messages"][0]["content"]]
    assert question["model"] == "qwen3:8b"
    rows = run("usage", "--format", "json").json["usage"]
    assert {(row["model"], row["dollars"]) for row in rows} >= {("local qwen3:8b", 0.0)}
    checks = {one["name"]: one["text"] for one in run("doctor", "--format", "json").json["checks"]}
    assert f"Ollama at {server.url}, qwen3:8b, needs no consent, last used on 20" in checks["engine local"]


def test_it_gets_no_key(run: Run, server: Server, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that lies in the environment for another service is not shown to whatever listens here."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-another-service")
    claude_session(home, git_repo, CENTS)
    run("reconcile", "--engine", "local")
    assert server.requests
    assert not any("key-of-another-service" in str(request.headers) for request in server.requests)


def test_another_model(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """The person chooses among those that are there."""
    claude_session(home, git_repo, CENTS)
    run("config", "set", "engine", "local")
    run("config", "set", "localModel", "llama3.2:3b")
    run("reconcile")
    assert {one["model"] for one in server.asked} == {"llama3.2:3b"}
    run("config", "set", "localModel", "mistral:7b")
    claude_session(home, git_repo, f"{CENTS} Also here.", session="33333333-aaaa-4bbb-8ccc-1", day=3)
    failed = run("reconcile", code=1)
    assert "qwen3:8b, llama3.2:3b" in failed.err


def test_a_model_that_is_not_here(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """A name that a server passes on to its maker's cloud is refused: words would leave the machine."""
    claude_session(home, git_repo, CENTS)
    run("config", "set", "localModel", "gpt-oss:120b-cloud")
    failed = run("reconcile", "--engine", "local", code=1)
    assert "does not run locally" in failed.err
    assert not server.asked


@pytest.mark.parametrize(
    "behave",
    [
        pytest.param(lambda exchange: exchange.respond(b"<html>", kind="text/html"), id="a web page"),
        pytest.param(lambda exchange: exchange.respond(b'{"data": 3}'), id="JSON of another sort"),
        pytest.param(lambda exchange: exchange.respond(b"[" * 100_000), id="JSON too deep"),
        pytest.param(lambda exchange: exchange.stream([b"x" * 65536] * 40), id="a flood"),
        pytest.param(fails("404 Not Found"), id="no such page"),
        pytest.param(
            lambda exchange: exchange.respond(b"", status="302 Found", headers=["location: http://example.org/"]),
            id="a redirect",
        ),
    ],
)
def test_something_else_listens(run: Run, server: Server, behave: Callable[[Exchange], None]) -> None:
    """What answers on a usual port and is no server of models is none; nothing is set."""
    server.behave(behave)
    failed = run("config", "set", "engine", "local", code=1)
    assert OUTCOMES["no-local-model"].says in failed.err
    assert "Ollama" in failed.err
    assert run("config", "get", "engine").out.strip() == "auto"


@pytest.mark.parametrize(
    ("behave", "says"),
    [
        pytest.param(serving(), "has no local text model", id="no models"),
        pytest.param(serving("nomic-embed-text", "bge-m3:latest"), "has no local text model", id="none that writes"),
        pytest.param(fails("401 Unauthorized", "authentication_error"), "requires an API key", id="a key is wanted"),
        pytest.param(
            lambda exchange: exchange.respond(b'{"error":"Unauthorized"}', status="401 Unauthorized"),
            "requires an API key",
            id="a key is wanted, said in a word",
        ),
        pytest.param(
            lambda exchange: exchange.respond(
                b'{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
                status="503 Service Unavailable",
            ),
            "may still be loading its model",
            id="loading",
        ),
    ],
)
def test_a_server_that_is_not_ready(run: Run, server: Server, behave: Behaviour, says: str) -> None:
    """It is named, with what is the matter; nothing is set."""
    server.behave(behave)
    failed = run("config", "set", "engine", "local", code=1)
    assert f"Ollama at {server.url}" in failed.err
    assert says in failed.err
    assert run("config", "get", "engine").out.strip() == "auto"


def no_page(status: str, body: bytes, kind: str = "application/json") -> Behaviour:
    """What a server answers where it has no Messages API."""
    return serving("qwen3:8b", asked=lambda exchange: exchange.respond(body, status=status, kind=kind))


WITHOUT = [
    pytest.param(no_page("404 Not Found", b"404 page not found", "text/plain"), id="Ollama"),
    pytest.param(no_page("200 OK", b'{"error":"Unexpected endpoint or method. (POST /v1/messages)"}'), id="LM Studio"),
    pytest.param(
        no_page("404 Not Found", b'{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'),
        id="llama.cpp",
    ),
    pytest.param(no_page("404 Not Found", b'{"detail":"Not Found"}'), id="vLLM"),
    pytest.param(no_page("405 Method Not Allowed", b'{"detail":"Method Not Allowed"}'), id="GET only"),
]


@pytest.mark.parametrize("behave", WITHOUT)
def test_models_without_the_messages_api(
    run: Run, server: Server, home: Path, git_repo: Path, behave: Behaviour
) -> None:
    """A server that has models and is too old to be asked by us is told so, when it is named and when it is asked."""
    claude_session(home, git_repo, CENTS)
    server.behave(behave)
    failed = run("config", "set", "engine", "local", code=1)
    assert f"{OUTCOMES['no-messages-api'].says}: Ollama at {server.url}" in failed.err
    assert "to a version that supports it" in failed.err
    assert run("config", "get", "engine").out.strip() == "auto"
    failed = run("reconcile", "--engine", "local", code=1)
    assert OUTCOMES["no-messages-api"].says in failed.err
    assert run("transcripts", "--format", "json").json["transcripts"][0]["state"] == "postponed"


def test_of_several_servers_one_that_can_be_asked(
    run: Run, server: Server, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first that has the API is taken, also when nobody named one."""
    claude_session(home, git_repo, CENTS)
    old = Server([no_page("404 Not Found", b"404 page not found", "text/plain")])
    ports = {int(one.url.rpartition(":")[2]): name for one, name in ((old, "Ollama"), (server, "vLLM"))}
    monkeypatch.setattr(local_server, "USUAL", ports)
    assert run("reconcile", "--engine", "local", "--format", "json").json["newFacts"] == 1
    assert f"found vLLM at {server.url}" in run("config", "set", "engine", "local").out
    old.close()


def test_a_model_that_is_passed_on_under_another_name(run: Run, server: Server) -> None:
    """Ollama says of each model where it runs; one that runs elsewhere is not offered, whatever it is called."""
    tags = {"models": [{"name": "mine:latest", "remote_host": "https://ollama.com:443"}, {"name": "qwen3:8b"}]}
    listing = serving("mine:latest", "qwen3:8b")

    def behave(exchange: Exchange) -> None:
        if exchange.path == "/api/tags":
            exchange.respond(json.dumps(tags).encode())
        else:
            listing(exchange)

    server.behave(behave)
    said = run("config", "set", "engine", "local").out
    assert "using the model qwen3:8b" in said
    assert "mine" not in said


@pytest.mark.parametrize(
    "name", ["/home/ada/my models/Qwen 3 8B.gguf", "C:\\models\\embeddings\\qwen.gguf", "qwen-日本語"]
)
def test_a_model_named_by_its_file(run: Run, server: Server, home: Path, git_repo: Path, name: str) -> None:
    """llama.cpp calls its model by the path of its file, with blanks and all."""
    claude_session(home, git_repo, CENTS)
    server.behave(serving(name))
    run("config", "set", "engine", "local")
    assert run("reconcile", "--format", "json").json["newFacts"] == 1
    assert {one["model"] for one in server.asked} == {name}


@pytest.mark.parametrize("status", ["400 Bad Request", "422 Unprocessable Entity"])
def test_a_server_that_knows_no_schema(run: Run, server: Server, home: Path, git_repo: Path, status: str) -> None:
    """One that refuses the field for the schema is asked without it: the schema stands in the text too."""
    claude_session(home, git_repo, CENTS)

    def strict(exchange: Exchange) -> None:
        if "output_config" in exchange.body:
            exchange.respond(b'{"error":{"message":"extra fields not permitted: output_config"}}', status=status)
        else:
            answers(judged)(exchange)

    server.behave(serving("qwen3:8b", asked=strict))
    assert run("reconcile", "--engine", "local", "--format", "json").json["newFacts"] == 1


@cases(
    "address",
    [
        *("http://192.168.0.5:11434", "http://10.0.0.1:1234", "https://models.example", "http://0.0.0.0:11434"),
        *("http://127.0.0.1.example:80", "http://[::2]:80", "http://localhost.example:80", "https://user@127.0.0.1"),
        *("http://2130706433:80", "http://127.1:80", "ftp://127.0.0.1", "http://[fe80::1]:80"),
    ],
)
def test_only_this_machine(address: str) -> None:
    """What is not plainly a loopback address is refused, however it is spelled."""
    with pytest.raises(ConfigError):
        local_server.loopback(address)


@given(st.ip_addresses(v=4))
def test_any_other_address_is_refused(address: object) -> None:
    """Of all addresses, those of 127.0.0.0/8 are taken."""
    is_taken = True
    try:
        local_server.loopback(f"https://{address}:1")
    except ConfigError:
        is_taken = False
    assert is_taken == str(address).startswith("127.")


@cases("address", ["http://127.0.0.1:8080", "http://[::1]:1234", "http://localhost:11434/"])
def test_this_machine(address: str) -> None:
    """A name that a hosts file could point elsewhere is replaced by the address."""
    assert "localhost" not in local_server.loopback(address)


def test_a_repo_cannot_name_one(run: Run, server: Server, git_repo: Path, home: Path) -> None:
    """A cloned repo chooses neither the engine nor where it is asked."""
    claude_session(home, git_repo, CENTS)
    (git_repo / ".memsuggest.yml").write_text(f"engine: local\nlocalEndpoint: {server.url}\n")
    run("reconcile")
    assert not server.requests
