"""A watcher that asks a model, against a server of ours in its place: what cannot be asked now is asked later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from builders import fake_token
from cli.conftest import invoke
from judging_kit import proposed, reply
from learning.watched import QUICK, Chat, shop, until, watched
from model_server import Server, answers, fails

CENTS = "We always keep prices in the database in cents, never as floats."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server([fails("401 No", "authentication_error")])
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", (0.0, 0.0))
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.close()


def test_a_model_that_cannot_be_asked_now(
    tmp_path: Path, home: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is said once, the chat is tried again later, and nothing of it is lost."""
    repo = shop(tmp_path)
    monkeypatch.chdir(repo)
    invoke("consent", "grant", "--yes")
    chat = Chat(home, repo)
    with watched(repo, mode="eager", engine="haiku", pace=replace(QUICK, later=200)) as heard:
        chat.say(CENTS)
        until(lambda: len(server.asked) >= 3)
        assert sum("will retry" in line for line in heard.said) == 1
        assert heard.notices == []
        server.behave(answers(reply(proposed("Keep prices in cents, never as floats.", CENTS))))
        until(lambda: heard.notices)
        asked = len(server.asked)
        chat.say("thanks")
        until(lambda: len(heard.counts) > 3)
    assert len(heard.notices) == 1
    assert len(server.asked) <= asked + 1
