"""Whatever goes wrong with a model: stores as before, the reason said, exit code 1, and the next run goes on."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run, json_of, known, session
from judging_kit import proposed, reply, verdicts_on
from misbehaviour import BEHAVIOURS
from model_server import Behaviour, Exchange, Server, answers, is_about_rules, message, told

from memsuggest.judging.asking.ask_model import OF_THE_CONTENT, Asker
from memsuggest.judging.asking.messages_api import Client
from memsuggest.judging.asking.outcomes import OUTCOMES

CENTS = "We always keep prices in the database in cents, never as floats."
QUEUE = "the worker queue is called harbor in this project"
ZONES = "All timestamps are stored in UTC, always."
BRIEF, LONG = 0.4, 2.0
"""Seconds of silence, and of a whole reply, that the tests wait."""
SECOND, THIRD = session(2), session(3)
ROWS = {outcome: pytest.param(behave, outcome, requests, id=name) for name, behave, outcome, requests in BEHAVIOURS}
"""A way to fail for each outcome; that each of the ways comes to its outcome is shown where the client is tested."""


@pytest.fixture
def server(model: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    model.behave(answers(well))
    monkeypatch.setitem(Client.__init__.__kwdefaults__, "seconds", BRIEF)
    monkeypatch.setitem(Client.__init__.__kwdefaults__, "total", LONG)
    monkeypatch.setitem(Asker.__init__.__kwdefaults__, "sleep", lambda _seconds: None)
    return model


def well(body: dict[str, Any]) -> str:
    """Answer as a good model does."""
    if is_about_rules(body):
        return json.dumps(verdicts_on(body["messages"][0]["content"][-1]["text"]))
    said = ((turn, text) for turn, text in told(body).items() if text in {CENTS, QUEUE, ZONES})
    return reply(*(proposed(text.capitalize(), text, turn=turn) for turn, text in said))


@pytest.mark.parametrize(("behave", "outcome", "requests"), ROWS.values())
def test_reconcile_stops_and_goes_on(  # noqa: PLR0917
    run: Run, server: Server, home: Path, git_repo: Path, behave: Behaviour, outcome: str, requests: int
) -> None:
    """What was learned before stays, nothing else is stored; the next run asks only what was not answered.

    Of chats that share a question, each stays pending; an answer of no use to it was none to any of them.
    """
    claude_session(home, git_repo, CENTS)
    run("consent", "grant", "--yes")
    run("reconcile", "--engine", "haiku")
    before = len(server.requests)
    claude_session(home, git_repo, QUEUE, session=SECOND, day=2)
    claude_session(home, git_repo, ZONES, session=THIRD, day=3)
    server.behave(behave)
    failed = run("reconcile", "--engine", "haiku", "--format", "json", code=1)
    assert OUTCOMES[outcome].says in failed.err
    assert "hint:" in failed.err
    assert len(server.requests) == before + requests
    assert known() == [CENTS.capitalize()]
    states = {row["path"]: row for row in run("transcripts", "--format", "json").json["transcripts"]}
    postponed = [row for path, row in states.items() if SECOND in path or THIRD in path]
    assert [row["state"] for row in postponed] == ["postponed", "postponed"]
    assert all(OUTCOMES[outcome].says in row["why"] for row in postponed)
    server.behave(answers(well))
    again = run("reconcile", "--engine", "haiku", "--format", "json")
    assert again.json["newFacts"] == 2
    of_rules = 1
    asked = before + requests + (2 if outcome in OF_THE_CONTENT else 1) + of_rules
    assert len(server.requests) == asked
    assert known() == sorted(text.capitalize() for text in (CENTS, QUEUE, ZONES))
    run("reconcile", "--engine", "haiku")
    assert len(server.requests) == asked


STALLS = ["silence after the start", "silence in the middle", "pings without an end after the start"]
STALLING = [(behave, name) for name, behave, _outcome, _requests in BEHAVIOURS if name in STALLS]


@pytest.mark.parametrize("behave", [pytest.param(behave, id=name) for behave, name in STALLING])
def test_a_stalled_answer_is_cut_and_counted(
    run: Run, server: Server, home: Path, git_repo: Path, behave: Behaviour
) -> None:
    """An answer that begins and never ends is given up in time; what it announced is in the ledger, once."""
    claude_session(home, git_repo, CENTS)
    claude_session(home, git_repo, QUEUE, session=SECOND, day=2)
    server.behave(behave)
    started = time.monotonic()
    failed = run("reconcile", "--engine", "haiku", "--consent", code=1)
    assert time.monotonic() - started < len(server.asked) * LONG + 20
    assert "0 transcripts read" in failed.out
    assert "2 transcripts remain pending" in failed.err
    (row,) = run("usage", "--format", "json").json["usage"]
    assert row["requests"] == row["failed"] == len(server.asked) <= 2, "no chat is asked about twice"
    assert row["inputTokens"] == 100 * len(server.asked), "as the service announced, not as we guessed"
    assert row["estimated"]


def silent_on_usage(exchange: Exchange) -> None:
    """Answer well, in one piece, without a word on what was used."""
    exchange.respond(json.dumps(message(well(exchange.body), usage={})).encode())


@pytest.mark.parametrize(
    ("model_name", "behave", "budget"),
    [
        pytest.param("claude-haiku-5-5", answers(well), 0.006, id="a known price"),
        pytest.param("somebodys-model", answers(well), 0.6, id="no price in the table"),
        pytest.param("claude-haiku-5-5", silent_on_usage, 0.025, id="no usage in the reply"),
    ],
)
def test_the_budget_ends_in_the_middle(  # noqa: PLR0917
    run: Run, server: Server, home: Path, git_repo: Path, model_name: str, behave: Behaviour, budget: float
) -> None:
    """As many chats are asked about as the money is enough for, of none, none; the next run goes on with the rest."""
    for number in range(100):
        claude_session(home, git_repo, f"{QUEUE} number {number}", session=session(number), day=2)
    for name, value in (("model", model_name), ("budgetPerMonth", "0"), ("budgetPerRun", "100")):
        run("config", "set", name, value)
    assert OUTCOMES["over-budget"].says in run("reconcile", "--engine", "haiku", "--consent", code=1).err
    assert not server.requests
    run("config", "set", "budgetPerMonth", "100")
    run("config", "set", "budgetPerDay", str(budget))
    server.behave(behave)
    failed = run("reconcile", "--engine", "haiku", "--consent", "--format", "json", code=1)
    asked = sum(len(told(body)) for body in server.asked)
    assert 10 < asked < 90
    assert OUTCOMES["over-budget"].says in failed.err
    assert len(failed.json["postponed"]) == 100 - asked
    assert json_of("usage")["today"]["dollars"] <= budget
    run("config", "set", "budgetPerDay", "100")
    run("reconcile", "--engine", "haiku", "--consent")
    chats = [text for body in server.asked for text in told(body).values()]
    assert len(set(chats)) == len(chats) == 100, "each chat was asked about once"


def test_memory_work_stays_small_beside_the_assistants(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """A chat whose assistant used little waits until memory work is small beside it; both are shown."""
    path = claude_session(home, git_repo, CENTS)

    def uses(tokens: int) -> None:
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
        for number, record in enumerate(records):
            if record["type"] == "assistant":
                record["message"] |= {"id": f"msg_{number}", "usage": {"input_tokens": tokens, "output_tokens": 1}}
        lines = (json.dumps(record, separators=(",", ":")) for record in records)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    run("config", "set", "tokensPerMonth", "100")
    uses(1000)
    failed = run("reconcile", "--engine", "haiku", "--consent", code=1)
    assert OUTCOMES["over-share"].says in failed.err
    assert "assistants used 1,001" in failed.err
    assert "`memsuggest config set tokensPerMonth" in failed.err
    assert not server.requests
    uses(1_000_000)
    (request,) = run("reconcile", "--engine", "haiku", "--dry-run", "--format", "json").json["requests"]
    assert request["assistantTokens"] == 1_000_001
    assert "of what the assistant used" in run("reconcile", "--engine", "haiku", "--dry-run").out
    run("reconcile", "--engine", "haiku", "--consent")
    assert known() == [CENTS.capitalize()]
    shown = run("usage", "--format", "json").json["assistants"]
    assert 0 < shown["memoryTokens"] < 0.05 * shown["tokens"]
    assert "limit: 5%" in run("usage").out


@pytest.mark.parametrize(
    ("stop", "outcome"), [("max_tokens", "truncated"), ("refusal", "refusal"), ("something_new", "unexpected-stop")]
)
def test_only_a_finished_answer_counts(  # noqa: PLR0917
    run: Run, server: Server, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch, stop: str, outcome: str
) -> None:
    """However good it looks; one that was asked for in vain twice rests for a day, and is asked again then."""
    claude_session(home, git_repo, CENTS)
    server.behave(answers(well, stop=stop))
    for _ in range(2):
        assert OUTCOMES[outcome].says in run("reconcile", "--engine", "haiku", "--consent", code=1).err
    assert not known() and len(server.asked) == 2
    server.behave(answers(well))
    assert "too often today" in run("reconcile", "--engine", "haiku", "--consent", code=1).err
    assert len(server.asked) == 2
    monkeypatch.setattr("memsuggest.judging.asking.answers.REST", 0)
    run("reconcile", "--engine", "haiku", "--consent")
    assert known() == [CENTS.capitalize()]
