"""Whatever goes wrong with a model: stores as before, the reason said, exit code 1, and the next run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run, json_of, known, session
from judging_kit import proposed, reply, verdicts_on
from misbehaviour import BEHAVIOURS
from model_server import Behaviour, Server, answers, is_about_rules, told

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


def test_the_budget_ends_in_the_middle(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """As many chats are asked about as the money is enough for, of none, none; the next run goes on with the rest."""
    for number in range(100):
        claude_session(home, git_repo, f"{QUEUE} number {number}", session=session(number), day=2)
    for name, value in (("budgetPerMonth", "0"), ("budgetPerRun", "100")):
        run("config", "set", name, value)
    assert OUTCOMES["over-budget"].says in run("reconcile", "--engine", "haiku", "--consent", code=1).err
    assert not server.requests
    run("config", "set", "budgetPerMonth", "100")
    run("config", "set", "budgetPerDay", "0.006")
    failed = run("reconcile", "--engine", "haiku", "--consent", "--format", "json", code=1)
    asked = sum(len(told(body)) for body in server.asked)
    assert 10 < asked < 90
    assert OUTCOMES["over-budget"].says in failed.err
    assert len(failed.json["postponed"]) == 100 - asked
    assert json_of("usage")["today"]["dollars"] <= 0.006
    run("config", "set", "budgetPerDay", "100")
    run("reconcile", "--engine", "haiku", "--consent")
    chats = [text for body in server.asked for text in told(body).values()]
    assert len(set(chats)) == len(chats) == 100, "each chat was asked about once"


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
    assert "too many times today" in run("reconcile", "--engine", "haiku", "--consent", code=1).err
    assert len(server.asked) == 2
    monkeypatch.setattr("memsuggest.judging.asking.answers.REST", 0)
    run("reconcile", "--engine", "haiku", "--consent")
    assert known() == [CENTS.capitalize()]
