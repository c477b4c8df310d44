"""A Graphiti server through a person's day: turns go there, facts are promoted and forgotten, prompts are answered."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from builders import claude_session
from cli.conftest import Shop, invoke, json_of, refused, session

from memsuggest.assistants import fast_hook
from memsuggest.graphiti import graph_recall
from tests.graphiti_server import GraphitiServer


@pytest.fixture(scope="module")
def running() -> Iterator[GraphitiServer]:
    with GraphitiServer.start() as server:
        yield server


@pytest.fixture
def server(running: GraphitiServer, shop: Shop) -> GraphitiServer:
    running.forget()
    running.well()
    invoke("graphiti", "on", "--endpoint", running.url, "--yes")
    return running


def test_the_learner_of_hooks_delivers(server: GraphitiServer, shop: Shop) -> None:
    """The program that a hook starts takes new turns in and sends them; what waits is let go when all is off."""
    chat = session(3)
    claude_session(shop.home, shop.repo, "a question that stays here", session=chat)
    assert not [one for one in json_of("reconcile", "--offline")["skipped"] if one["what"] == "Graphiti"]
    assert server.requests() == []
    invoke("reconcile")
    assert "stays here" not in json.dumps(server.requests())
    other = ("why is the importer slow?", "and the exporter?")
    claude_session(shop.home, shop.repo, other[0], session=session(4))
    invoke("hook", "--catch-up")
    said = [one["content"] for one in server.sent() if one["role_type"] == "user"]
    assert said.count("why is the importer slow?") == 2
    claude_session(shop.home, shop.repo, *other, session=session(4))
    with server.outage():
        assert [one["what"] for one in json_of("reconcile")["skipped"]].count("Graphiti") == 1
        assert json_of("graphiti", "show")["delivery"]["messages"]["waiting"] > 0
        assert "cannot reach" in invoke("doctor", "--format", "text", code=3).out
        delivery = json_of("graphiti", "off")["delivery"]
    assert "waiting" not in delivery["messages"]
    assert "exporter" not in json.dumps(server.sent())


def test_promote_show_forget(server: GraphitiServer, shop: Shop) -> None:
    """A fact is promoted, is shown as promoted, and is taken back from the server when it is forgotten."""
    name = invoke("remember", "Keep prices in cents.", "--format", "json").json["fact"]["id"]
    out = invoke("graphiti", "promote", name[:8]).out
    assert out.startswith("promoted  lesson_learned (workspace)  Keep prices in cents.\n")
    server.wait_until_stored(1)
    shown = invoke("memory", "show", name)
    assert "promoted as lesson_learned (workspace)" in shown.out
    (promotion,) = invoke("memory", "show", name, "--format", "json").json["promotions"]
    assert (promotion["kind"], promotion["endpoint"]) == ("lesson_learned", server.url)
    out = invoke("memory", "forget", name, "--yes").out
    assert "graphiti: deleted its episode and 1 fact derived from it; names it mentions may remain" in out
    assert server.episodes() == []
    assert refused("graphiti", "promote", "use pnpm", says="no kind specified")
    assert refused("graphiti", "promote", "use pnpm", "--kind", "whim", says="unknown episode kind `whim`")


def test_recall_by_hand(server: GraphitiServer, shop: Shop) -> None:
    """`recall --graphiti` prints what the graph knows and, if asked, how it came to that; without it, nothing fails."""
    invoke("config", "set", "graphiti.recallTime", "10000")
    group = invoke("graphiti", "show", "--format", "json").json["delivery"]["groups"]
    assert group == {}
    invoke("recall", "--graphiti", "who deploys the shop?")
    group = invoke("graphiti", "show", "--format", "json").json["delivery"]["groups"]
    server.plant(group["workspace"], "The shop is deployed by the bot")
    out = invoke("recall", "--graphiti", "who deploys the shop?", "--explain").out
    assert "graphiti  The shop is deployed by the bot" in out
    assert "graphiti: searched workspace; 1 fact in" in out
    block = invoke("recall", "--graphiti", "who deploys the shop?", "--format", "context").out
    assert "- The shop is deployed by the bot [this project" in block
    with server.outage():
        out = invoke("recall", "--graphiti", "who deploys the shop?", "--explain").out
    assert "cannot reach" in out
    invoke("graphiti", "off", "--recall")
    server.forget_requests()
    out = invoke("recall", "--graphiti", "who deploys the shop?", "--explain").out
    assert "`graphiti.recall` is off" in out
    assert server.requests() == []


def test_a_prompt_is_answered_by_the_graph(
    server: GraphitiServer, shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hook of a prompt gives an assistant the graph's facts, as JSON that its host reads."""
    monkeypatch.setattr(fast_hook, "DEADLINE", 60.0)  # however busy the machine is
    monkeypatch.setattr(graph_recall, "SECONDS", 60.0)
    invoke("config", "set", "graphiti.recallTime", "10000")
    invoke("recall", "--graphiti", "warm up")
    group = invoke("graphiti", "show", "--format", "json").json["delivery"]["groups"]
    server.plant(group["workspace"], "The shop is deployed by the bot")
    prompt = {"hook_event_name": "UserPromptSubmit", "prompt": "who deploys our shop?", "cwd": str(shop.repo)}
    fast_hook.answer(json.dumps(prompt).encode(), with_recall=True)
    told = json.loads(capsys.readouterr().out)
    assert "- The shop is deployed by the bot [this project" in json.dumps(told)
