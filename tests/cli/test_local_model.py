"""A model on this machine: found when it is named, asked without a key or a further word, and never anywhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cases import cases
from cli.conftest import Run, invoke, json_of
from judging_kit import proposed, verdicts_on
from model_server import Behaviour, Exchange, Server, answers, error, fails

from memsuggest.core.errors import ConfigError
from memsuggest.judging.asking.outcomes import OUTCOMES
from memsuggest.judging.engines import local_server

CENTS = "We always keep prices in cents, never as floats."


def judged(body: dict[str, Any]) -> str:
    """Answer as a small model does: with a thought before and a fence around."""
    told = body["messages"][0]["content"]
    assert isinstance(told, str) and "JSON schema" in body["system"]
    answer = verdicts_on(told)
    if "turn" in told:
        answer = {"facts": [proposed(CENTS, CENTS)] if CENTS in told else [], "injections": []}
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
def server(run: Run, monkeypatch: pytest.MonkeyPatch, home: Path, git_repo: Path) -> Iterator[Server]:
    """A chat, and a server on the one port that counts as usual here."""
    assert run
    claude_session(home, git_repo, CENTS)
    server = Server([serving("nomic-embed-text:latest", "gpt-oss:120b-cloud", "qwen3:8b", "llama3.2:3b")])
    monkeypatch.setattr(local_server, "USUAL", {int(server.url.rpartition(":")[2]): "Ollama"})
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", ())
    yield server
    server.close()


CHOOSE = ("config", "set", "engine", "local")


def test_it_is_found_when_it_is_named(server: Server, git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the person, not by a repo; it says what it found; then it judges, with no more ado, and without any key."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-another-service")
    (git_repo / ".memsuggest.yml").write_text(f"engine: local\nlocalEndpoint: {server.url}\n")
    invoke("reconcile", "--dry-run")
    assert not server.requests
    said = invoke(*CHOOSE).out
    assert f"found Ollama at {server.url}, using the model qwen3:8b" in said
    assert "llama3.2:3b" in said and "embed" not in said and "cloud" not in said
    found = json_of("reconcile")
    assert (found["engine"], found["newFacts"]) == ("local", 1)
    (question,) = [one for one in server.asked if '"typed":' in one["messages"][0]["content"]]
    assert question["model"] == "qwen3:8b"
    assert not any("key-of-another-service" in str(request.headers) for request in server.requests)
    assert {(row["model"], row["dollars"]) for row in json_of("usage")["usage"]} >= {("local qwen3:8b", 0.0)}
    checks = {one["name"]: one["text"] for one in json_of("doctor")["checks"]}
    assert f"Ollama at {server.url}, qwen3:8b, needs no consent, last used on 20" in checks["engine local"]


def test_another_model(server: Server) -> None:
    """The person chooses among those that are here: not one that a server passes on to its maker's cloud."""
    invoke(*CHOOSE)
    for name, says in (("gpt-oss:120b-cloud", "does not run locally"), ("mistral:7b", "qwen3:8b, llama3.2:3b")):
        invoke("config", "set", "localModel", name)
        assert says in invoke("reconcile", code=1).err
    assert not any(one.get("messages") for one in server.asked)
    name = "/home/ada/my models/Qwen 3 8B.gguf"  # as llama.cpp calls it
    server.behave(serving("llama3.2:3b", name))
    invoke("config", "set", "localModel", name)
    assert json_of("reconcile")["newFacts"] == 1
    assert {one["model"] for one in server.asked if one} == {name}


NOT_READY: list[tuple[str, Behaviour, str]] = [
    ("a web page", lambda exchange: exchange.respond(b"<html>", kind="text/html"), ""),
    ("JSON of another sort", lambda exchange: exchange.respond(b'{"data": 3}'), ""),
    ("JSON too deep", lambda exchange: exchange.respond(b"[" * 100_000), ""),
    ("a flood", lambda exchange: exchange.stream([b"x" * 65536] * 40), ""),
    ("a redirect", lambda one: one.respond(b"", status="302 Found", headers=["location: http://example.org/"]), ""),
    ("no models", serving(), "has no local text model"),
    ("none that writes", serving("nomic-embed-text", "bge-m3:latest"), "has no local text model"),
    ("a key is wanted", fails("401 Unauthorized", "authentication_error"), "requires an API key"),
    (
        "loading",
        lambda exchange: exchange.respond(
            b'{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
            status="503 Service Unavailable",
        ),
        "may still be loading its model",
    ),
]


@pytest.mark.parametrize(("behave", "says"), [pytest.param(*row[1:], id=row[0]) for row in NOT_READY])
def test_a_server_that_is_not_ready(server: Server, behave: Behaviour, says: str) -> None:
    """It is named, with what is the matter; what is no server of models is none. Nothing is set."""
    server.behave(behave)
    failed = invoke(*CHOOSE, code=1).err
    assert says in failed and (f"Ollama at {server.url}" if says else OUTCOMES["no-local-model"].says) in failed
    assert invoke("config", "get", "engine").out.strip() == "auto"


def test_models_without_the_messages_api(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is too old to be asked is told so, when it is named and when it is asked; another one is taken."""
    no_page = b"404 page not found"
    old = Server(
        [serving("qwen3:8b", asked=lambda one: one.respond(no_page, status="404 Not Found", kind="text/plain"))]
    )
    (port, _), at = next(iter(local_server.USUAL.items())), int(old.url.rpartition(":")[2])
    with monkeypatch.context() as patch:
        patch.setattr(local_server, "USUAL", {at: "Ollama"})
        failed = invoke(*CHOOSE, code=1).err
        assert f"{OUTCOMES['no-messages-api'].says}: Ollama at {old.url}" in failed
        assert "to a version that supports it" in failed
        assert OUTCOMES["no-messages-api"].says in invoke("reconcile", "--engine", "local", code=1).err
        assert json_of("transcripts")["transcripts"][0]["state"] == "postponed"
    monkeypatch.setattr(local_server, "USUAL", {at: "Ollama", port: "vLLM"})
    assert json_of("reconcile", "--engine", "local")["newFacts"] == 1
    assert f"found vLLM at {server.url}" in invoke(*CHOOSE).out
    old.close()


def test_a_model_that_is_passed_on_under_another_name(server: Server) -> None:
    """Ollama says of each model where it runs; one that runs elsewhere is not offered, whatever it is called."""
    tags = {"models": [{"name": "mine:latest", "remote_host": "https://ollama.com:443"}, {"name": "qwen3:8b"}]}
    listing = serving("mine:latest", "qwen3:8b")
    of_tags: Behaviour = lambda exchange: exchange.respond(json.dumps(tags).encode())  # noqa: E731
    server.behave(lambda exchange: (of_tags if exchange.path == "/api/tags" else listing)(exchange))
    said = invoke(*CHOOSE).out
    assert "using the model qwen3:8b" in said and "mine" not in said


def test_a_server_that_knows_no_schema(server: Server) -> None:
    """One that refuses the field for the schema is asked without it: the schema stands in the text too."""

    def strict(exchange: Exchange) -> None:
        if "output_config" in exchange.body:
            text = b'{"error":{"message":"extra fields not permitted: output_config"}}'
            exchange.respond(text, status="422 Unprocessable Entity")
        else:
            answers(judged)(exchange)

    server.behave(serving("qwen3:8b", asked=strict))
    assert json_of("reconcile", "--engine", "local")["newFacts"] == 1


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
