"""The Message Batches API as its client hears it: pages, results line by line, and answers that are something else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from builders import fake_token
from cases import cases
from model_server import BatchService, Exchange, Server, fails

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.batch_client import BatchClient, Result


@pytest.fixture
def service() -> Iterator[tuple[BatchService, BatchClient]]:
    service = BatchService(answer=lambda _body: "{}")
    server = Server([service])
    client = BatchClient(endpoint=server.url, key=fake_token())
    yield service, client
    client.close()
    server.close()


def requests(count: int) -> dict[str, dict[str, Any]]:
    return {f"q-{number}": {"model": "claude-haiku-5-5", "max_tokens": 5, "messages": []} for number in range(count)}


def outcome(result: Result) -> str:
    return "answered" if result.reply else result.error.outcome if result.error else ""


def test_from_creation_to_results(service: tuple[BatchService, BatchClient]) -> None:
    """What was made is known by its id; its results come in another order, each with our name for it."""
    server, client = service
    server.looks = 2
    server.fate = lambda name, _body: {"q-1": "errored", "q-2": "expired"}.get(name, "succeeded")
    made = client.create(requests(4))
    assert (made.is_ended, made.total, made.counts["processing"]) == (False, 4, 4)
    client.retrieve(made.id)
    assert client.retrieve(made.id).is_ended
    found = {result.name: outcome(result) for result in client.results(made.id)}
    assert found == {"q-0": "answered", "q-1": "bad-request", "q-2": "batch-expired", "q-3": "answered"}


def test_newer_than(service: tuple[BatchService, BatchClient]) -> None:
    """The list is read page by page up to a batch that was there before; all of it where that one is gone."""
    server, client = service
    assert (client.newest(), client.newer_than("")) == ("", [])
    made = [client.create(requests(1)).id for _ in range(7)]
    assert client.newest() == made[-1]
    assert [batch.id for batch in client.newer_than(made[1])] == made[:1:-1]
    assert len(client.newer_than("msgbatch_gone")) == 7
    assert server.page == 2


def test_taken_back(service: tuple[BatchService, BatchClient]) -> None:
    """What is taken back ends without answers."""
    server, client = service
    server.looks = 100
    made = client.create(requests(2))
    assert client.cancel(made.id).is_ended
    assert [outcome(result) for result in client.results(made.id)] == ["batch-canceled"] * 2


STRANGE = [
    pytest.param(lambda exchange: exchange.respond(b"<html>", kind="text/html"), "unreadable", id="log-in page"),
    pytest.param(lambda exchange: exchange.respond(b"[]"), "not-the-api", id="a list"),
    pytest.param(lambda exchange: exchange.respond(b'{"id": 7}'), "not-the-api", id="another shape"),
    pytest.param(lambda exchange: exchange.respond(b"{" * 3_000_000), "too-long", id="no end"),
    pytest.param(fails("307 Away", "x", "location: http://127.0.0.1:9/"), "redirect", id="redirect"),
    pytest.param(fails("429 Slow", "rate_limit_error"), "rate-limited", id="limit"),
]


@pytest.mark.parametrize(("answer", "says"), STRANGE)
def test_strange_answers(service: tuple[BatchService, BatchClient], answer: Any, says: str) -> None:
    """Whatever answers instead is one error; nothing is followed."""
    server, client = service
    for ask in (lambda: client.create(requests(1)), lambda: client.retrieve("msgbatch_1"), client.newest):
        server.before = [answer]
        with pytest.raises(ModelError) as refused:
            ask()
        assert refused.value.outcome == says


LINES = [
    ({"custom_id": "a", "result": {"type": "succeeded", "message": {"type": "error"}}}, "not-the-api"),
    ({"custom_id": "a", "result": {"type": "succeeded"}}, "not-the-api"),
    ({"custom_id": "a", "result": {"type": "errored"}}, "unavailable"),
    ({"custom_id": "a", "result": {"type": "new one"}}, "not-the-api"),
    ({"custom_id": "a"}, "not-the-api"),
    ({"custom_id": 7, "result": []}, "not-the-api"),
    ([], "not-the-api"),
]


@cases("line, says", LINES)
def test_strange_results(line: Any, says: str) -> None:
    """A result of another shape is no answer, and spoils none of the others."""
    good = {"custom_id": "b", "result": {"type": "expired"}}
    body = "\n".join(["", json.dumps(line), "", json.dumps(good)]).encode()

    def results(exchange: Exchange) -> None:
        exchange.respond(body, kind="application/x-jsonl")

    server = Server([results])
    client = BatchClient(endpoint=server.url, key=fake_token())
    try:
        assert [outcome(result) for result in client.results("msgbatch_1")] == [says, "batch-expired"]
    finally:
        client.close()
        server.close()


def test_results_that_break_off(service: tuple[BatchService, BatchClient]) -> None:
    """What came before stands; the rest is an error."""
    server, client = service
    whole = json.dumps({"custom_id": "a", "result": {"type": "expired"}}).encode()

    def cut(exchange: Exchange) -> None:
        exchange.send(b"HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n" + whole + b"\n{")

    server.before = [cut]
    found = client.results("msgbatch_1")
    assert next(found).name == "a"
    with pytest.raises(ModelError):
        next(found)
