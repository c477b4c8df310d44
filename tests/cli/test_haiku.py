"""The engine `haiku` from the command line, against a server of ours in the place of the model's service."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token
from cli.conftest import Run
from model_server import Server, answers, fails, is_about_rules

CENTS = "We always keep prices in the database in cents, never as floats."
QUEUE = "the worker queue is called harbor in this project"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server([answers(reply(fact("Keep prices in cents, never as floats.", CENTS)))])
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", (0.0, 0.0))
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.close()


def fact(content: str, quote: str, **fields: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "content": content,
        "reason": "",
        "kind": "convention",
        "scope": "workspace",
        "confidence": "high",
        "citations": [{"turn": 1, "file": "", "quote": quote}],
        "replaces": "",
    }
    return usual | fields


def reply(*facts: dict[str, Any]) -> str:
    return json.dumps({"facts": list(facts), "injections": []})


def haiku(run: Run, *words: str, code: int = 0) -> Any:
    return run("reconcile", "--engine", "haiku", *words, "--format", "json", code=code)


def test_the_model_is_asked_with_consent(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """With a key and consent, what the model finds and the person said is suggested, and the ledger knows the price."""
    claude_session(home, git_repo, CENTS)
    assert run("consent", "grant", "--yes", "--format", "json").json["granted"]
    report = haiku(run).json
    assert report["engine"] == "haiku"
    assert [one["content"] for one in report["suggestions"]] == ["Keep prices in cents, never as floats."]
    assert [is_about_rules(body) for body in server.asked] == [False, True], "a rule alone is asked about, too"
    usage = run("usage", "--format", "json").json["usage"]
    assert {row["purpose"]: row["requests"] for row in usage} == {"extraction": 1, "verdicts": 1}
    assert all(row["dollars"] > 0 for row in usage)
    assert "extraction" in run("usage").out
    assert not haiku(run).json["transcriptsRead"]
    assert len(server.asked) == 2


def test_where_nothing_is_found_nothing_more_is_asked(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Question two is about rules: without any it is not asked."""
    claude_session(home, git_repo, CENTS)
    server.behave(answers(reply()))
    assert haiku(run, "--consent").json["suggestions"] == []
    assert len(server.asked) == 1


def test_without_consent_nothing_is_connected(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Without consent, in CI, offline or without a key, no connection is even tried."""
    claude_session(home, git_repo, CENTS)
    tried: list[object] = []
    sys.addaudithook(lambda name, given: tried.append(given) if name == "socket.connect" else None)
    assert "consent grant" in haiku(run, code=1).err
    assert run("reconcile", "--format", "json", "--dry-run").json["engine"] == "offline"
    run("consent", "grant", "--yes")
    run("reconcile", "--engine", "haiku", "--offline")
    claude_session(home, git_repo, CENTS, QUEUE)
    run("consent", "revoke")
    haiku(run, code=1)
    assert not tried
    assert not server.requests


def test_ci_needs_a_flag(run: Run, server: Server, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In CI a recorded consent does not count; `--consent` does."""
    claude_session(home, git_repo, CENTS)
    run("consent", "grant", "--yes")
    monkeypatch.setenv("CI", "true")
    assert "--consent" in haiku(run, code=1).err
    assert not server.requests
    haiku(run, "--consent")
    assert len(server.asked_of_chats) == 1


def test_consent_is_for_one_endpoint(
    run: Run, server: Server, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another endpoint asks again; nothing in the repo can name one."""
    claude_session(home, git_repo, CENTS)
    run("consent", "grant", "--yes")
    (git_repo / ".memsuggest.yml").write_text(f"endpoint: {server.url}/elsewhere\n", encoding="utf-8")
    haiku(run)
    assert {request.path for request in server.requests} == {"/v1/messages"}
    asked = len(server.requests)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{server.url}/other")
    claude_session(home, git_repo, CENTS, QUEUE)
    haiku(run, code=1)
    assert len(server.requests) == asked


def test_a_dry_run_prints_what_would_be_sent(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Word for word, with tokens and money, without a key's or consent's help; and just that is sent then."""
    claude_session(home, git_repo, CENTS)
    dry = haiku(run, "--dry-run").json
    (request,) = dry["requests"]
    assert CENTS in "".join(request["texts"])
    assert request["tokens"] > 100
    assert request["dollars"] > 0
    assert CENTS in run("reconcile", "--engine", "haiku", "--dry-run").out
    assert not server.requests
    haiku(run, "--consent")
    (asked,) = server.asked_of_chats
    sent = [asked["system"][0]["text"], *(part["text"] for part in asked["messages"][0]["content"])]
    assert sent == request["texts"]


def test_what_was_paid_for_is_not_paid_again(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """A run that stopped halfway goes on where it stopped, and a session that grew sends only what is new."""
    claude_session(home, git_repo, CENTS)
    run("consent", "grant", "--yes")
    haiku(run)
    assert len(server.asked) == 2
    server.behave(fails("401 No", "authentication_error"))
    claude_session(home, git_repo, QUEUE, session="22222222-aaaa-4bbb-8ccc-222222222222", day=2)
    haiku(run, code=1)
    assert len(server.asked) == 3
    server.behave(answers(reply()))
    haiku(run)
    assert len(server.asked) == 4
    claude_session(home, git_repo, CENTS, "one", "two", "three", QUEUE)
    haiku(run)
    assert len(server.asked) == 5
    told = server.asked[-1]["messages"][0]["content"][-1]["text"]
    assert QUEUE in told
    assert CENTS not in told or '"new":false' in told


def test_no_secret_is_in_a_request(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Secrets of a transcript are in nothing that is sent."""
    secret = fake_token()
    claude_session(home, git_repo, f"we never log the key {secret[::-1]} or {secret}, mail ada@harbor-shop.dev", CENTS)
    haiku(run, "--consent")
    sent = b"".join(request.raw for request in server.requests).decode()
    assert secret not in sent
    assert "harbor-shop" not in sent


def test_consolidation_shows_what_could_go(run: Run) -> None:
    """How full the memory is and what could go is told; nothing is changed."""
    run("remember", "Keep prices in cents.")
    report = run("consolidate", "--format", "json").json
    assert (report["facts"], report["tier"], report["operations"]) == (1, "generous", [])
    assert "no duplicate facts found" in run("consolidate").out
    run("config", "set", "consolidation.budget", "500")
    assert run("consolidate", "--format", "json").json["budget"] == 500
    assert len(run("memory", "list", "--facts", "--format", "json").json["facts"]) == 1
