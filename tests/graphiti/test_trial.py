"""Trying a server tells apart what it has: everything, a dead worker, deletes that lie, groups that are none."""

from __future__ import annotations

import json
import time
from secrets import token_hex
from typing import Any

import pytest

from memsuggest.graphiti import trial
from memsuggest.graphiti.client import GraphitiClient
from memsuggest.graphiti.graphiti_reports import GraphitiTried
from memsuggest.graphiti.profile_tables import trial_group
from memsuggest.graphiti.trial import Trial
from tests.graphiti_server import FALKORDB, GraphitiServer


def trying(client: GraphitiClient, *, patience: float = 30.0, **given: Any) -> Trial:
    now = lambda: int(time.time() * 1000)  # noqa: E731
    mark = token_hex(4)
    return Trial(client=client, mark=mark, now=now, patience=patience, **given)


def smoke(server: GraphitiServer, *, patience: float = 30.0) -> GraphitiTried:
    with GraphitiClient(server.url) as client:
        return trying(client, patience=patience, is_smoke=True).run()


def names(tried: GraphitiTried) -> list[tuple[str, bool]]:
    return [(step.name, step.is_fine) for step in tried.steps]


def test_reading_writes_nothing(server: GraphitiServer) -> None:
    """The trial that only reads asks for health and searches a group that nobody has, in words that are nobody's."""
    server.plant(trial_group("other"), "the build is on fire")
    with GraphitiClient(server.url) as client:
        tried = trying(client).run()
    assert (tried.verdict, tried.left, tried.group_id) == (trial.FINE, (), "")
    health, search = server.requests()
    assert (health["method"], health["path"], search["path"]) == ("GET", "/healthcheck", "/search")
    assert json.loads(search["body"])["group_ids"] == ["default_db"]  # FalkorDB makes a graph of every other name


@pytest.mark.parametrize("own", [{}, {"work_seconds": 0.5}, {"understands": False}], ids=["quick", "slow", "no facts"])
def test_a_server_that_works(server: GraphitiServer, own: dict[str, Any]) -> None:
    """It is fine, and nothing is left of the trial."""
    server.behave(**own)
    tried = smoke(server)
    assert (tried.verdict, tried.left) == (trial.FINE, ())
    assert [name for name, _ in names(tried)] == ["healthcheck", "search", "messages", "stored", "search", "deleted"]
    assert server.sent()[-1]["group_id"] == tried.group_id
    assert not [episode for episode in server.episodes() if episode["group_id"] == tried.group_id]
    assert not [fact for fact in server.kept().facts if fact["group_id"] == tried.group_id]


def test_a_worker_that_died_before(server: GraphitiServer) -> None:
    """One bad message of somebody else, and nothing is ever stored, though the server is healthy."""
    with GraphitiServer.start(worker="dead") as dead:
        tried = smoke(dead, patience=0.5)
    assert tried.verdict == trial.NOT_STORED
    assert names(tried)[-1] == ("stored", False)
    assert "may be stored later" in tried.left[0]
    assert "restart" in tried.hint


@pytest.mark.parametrize("own", [{"backend": FALKORDB}, {"lies": True}], ids=["FalkorDB", "any"])
def test_deletes_that_only_say_so(server: GraphitiServer, own: dict[str, Any]) -> None:
    """What can still be read after "deleted" is told, with where it is and why."""
    server.behave(**own)
    tried = smoke(server)
    assert tried.verdict == trial.LYING_DELETE
    assert names(tried)[-1] == ("deleted", False)
    assert f"in the group {tried.group_id}" in tried.left[0]


@pytest.mark.parametrize(
    ("own", "verdict", "says"),
    [
        ({"fails": "html"}, trial.UNREACHABLE, "not a Graphiti server"),
        ({"fails": "401"}, trial.UNREACHABLE, "rejected the key"),
        ({"fails": "500", "only": "/search"}, trial.NO_SEARCH, "cannot search"),
        ({"fails": "html", "only": "/search"}, trial.UNREACHABLE, "not a Graphiti server"),
        ({"fails": "422", "only": "/messages"}, trial.NOT_TAKEN, "does not accept messages"),
        ({"fails": "500", "only": "/episodes"}, trial.CUT_SHORT, "interrupted"),
    ],
    ids=str,
)
def test_what_stops_a_trial(server: GraphitiServer, own: dict[str, Any], verdict: str, says: str) -> None:
    """A step that fails ends it, with the server's own words among the steps."""
    server.behave(**own)
    tried = smoke(server)
    assert tried.verdict == verdict
    assert says in tried.why
    assert not tried.steps[-1].is_fine
    assert tried.hint


@pytest.mark.parametrize("fails", ["reset", "half", "garbage"])
def test_a_broken_answer_to_a_message(server: GraphitiServer, fails: str) -> None:
    """Whether it was taken is not known then: what may still be stored is named, with its group."""
    server.behave(fails=fails, only="/messages")
    tried = smoke(server)
    assert tried.verdict == trial.NOT_TAKEN
    (left,) = tried.left
    assert f"GRAPH.DELETE {tried.group_id}" in left


def test_another_server_at_the_endpoint(server: GraphitiServer) -> None:
    """What has no health to tell is most likely Graphiti's other server, on the same port."""
    server.behave(fails="404", only="/healthcheck")
    assert "MCP server" in smoke(server).hint


def test_whoever_interrupts_leaves_nothing(server: GraphitiServer) -> None:
    """After Ctrl-C in the wait, what was written is deleted all the same."""
    server.behave(work_seconds=0.3)
    with GraphitiClient(server.url) as client:

        def interrupt(_text: str) -> None:
            ends = time.monotonic() + 60
            while not client.episodes(begun.group_id, last=1):
                assert time.monotonic() < ends
            raise KeyboardInterrupt

        begun = trying(client, say=interrupt, is_smoke=True)
        tried = begun.run()
    assert (tried.verdict, tried.left) == (trial.CUT_SHORT, ())
    assert not [episode for episode in server.episodes() if episode["group_id"] == begun.group_id]
