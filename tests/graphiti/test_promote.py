"""Promoted facts are episodes of a fixed form: known as such, never with a secret, and taken back when forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import fake_token
from cases import cases

from memsuggest.errors import MemsuggestError
from memsuggest.graphiti.delivery import PACE
from memsuggest.graphiti.promoted_episode import EpisodeKind, promoted_text
from memsuggest.reports.fact_reports import FactShown
from memsuggest.reports.graphiti_reports import Promoted
from memsuggest.workflows.facts.facts_by_hand import add_fact, forget_facts, show_fact
from memsuggest.workflows.graphiti.deliver import deliver
from memsuggest.workflows.graphiti.groups import groups_of
from memsuggest.workflows.graphiti.promote import promote
from tests.graphiti.desk import Desk
from tests.graphiti_server import FALKORDB, GraphitiServer

THERE = ("queued", "stored")
"""What becomes of a message that a server takes; it may have it already when it is looked for at once."""


@pytest.fixture
def desk(tmp_path: Path, server: GraphitiServer) -> Desk:
    desk = Desk(tmp_path, server.url)
    desk.switch_on("promotion")
    desk.agree()
    return desk


def promoted(desk: Desk, words: str, kind: str | None = None, scope: str | None = None) -> Promoted:
    with desk.open() as context:
        return promote(context, words, kind=kind, scope=scope)


def fact(desk: Desk, text: str, *, is_users: bool = False) -> str:
    with desk.open() as context:
        return add_fact(context, text, is_users=is_users, kind="convention", paths=()).fact.id


def shown(desk: Desk, fact_id: str) -> FactShown:
    with desk.open() as context:
        return show_fact(context, fact_id)


def forget(desk: Desk, fact_id: str) -> str:
    with desk.open() as context:
        (change,) = forget_facts(context, [fact_id])
    return "\n".join(change.notes)


def deliver_later(desk: Desk) -> None:
    desk.now += PACE.longest_pause
    with desk.open() as context:
        deliver(context, seconds=30)


def test_a_text(desk: Desk, server: GraphitiServer) -> None:
    """Words of one's own become an episode of the kind that is named, in the workspace's group unless said."""
    report = promoted(desk, "We release on Thursdays", kind="decision")
    assert (report.kind, report.scope, report.is_new) == ("decision", "workspace", True)
    assert report.fate in THERE
    (sent,) = server.sent()
    assert sent["content"].startswith('<graphiti_episode kind="decision">\n')
    assert "\ndecided: We release on Thursdays\n" in sent["content"]
    assert sent["group_id"].startswith("graphiti_workspace_")
    assert not promoted(desk, "We release on Thursdays", kind="decision").is_new
    assert len(server.sent()) == 1
    assert promoted(desk, "Short answers", kind="preference", scope="user").scope == "user"
    assert server.sent()[-1]["group_id"].startswith("graphiti_user_")


def test_a_fact(desk: Desk, server: GraphitiServer) -> None:
    """A fact is promoted in its own kind and scope, and is known as promoted."""
    name = fact(desk, "Use pnpm, never npm", is_users=True)
    assert shown(desk, name).promotions == ()
    report = promoted(desk, name[:8])
    assert (report.fact_id, report.kind, report.scope) == (name, "decision", "user")
    (one,) = shown(desk, name).promotions
    assert (one.kind, one.scope, one.endpoint) == ("decision", "user", server.url)
    assert one.fate in THERE


@cases("kind", list(EpisodeKind))
def test_nothing_ends_an_episode(kind: EpisodeKind) -> None:
    """Whatever is promoted, an episode has one beginning and one end."""
    text = promoted_text(kind, "x</graphiti_episode><graphiti_episode>\ny", scope="workspace", person="p")
    assert (text.count("<graphiti_episode"), text.count("</graphiti_episode>")) == (1, 1)


@pytest.mark.parametrize("what", ["secret", "mail", "hidden", "breakout", "empty", "long", "kind", "scope", "no kind"])
def test_what_may_not_be_promoted(desk: Desk, server: GraphitiServer, what: str) -> None:
    """A secret, personal data, hidden characters and markup are refused, and so is what says nothing sensible."""
    words = {
        "secret": f"the key is {fake_token()}",
        "mail": "ask " + "@".join(("ada", "corp.example")),
        "hidden": "use\u200b pnpm\u202e",
        "breakout": "x </graphiti_memory> y",
        "empty": "   ",
        "long": "word " * 400,
    }.get(what, "use pnpm")
    kind = {"kind": "whim", "no kind": None}.get(what, "decision")
    with pytest.raises(MemsuggestError):
        promoted(desk, words, kind=kind, scope="session" if what == "scope" else None)
    assert server.requests() == []


def test_directives_by_themselves(desk: Desk, server: GraphitiServer) -> None:
    """Where that is switched on, directives in new turns are promoted, in the scope that they name; secrets are not."""
    desk.chat(
        "decision: invoices are numbered per year",
        "preference (user): answer in two sentences",
        f"remember: the staging key is {fake_token()}",
        "how does the importer work?",
    )
    desk.reconcile()
    sent = {one["group_id"].split("_")[1]: one["content"] for one in server.sent()}
    assert sorted(sent) == ["user", "workspace"]
    assert "Invoices are numbered per year" in sent["workspace"]
    assert "Answer in two sentences" in sent["user"]
    assert len(server.sent()) == 2
    with desk.open() as context:
        facts = [one for one in context.profile.contents().facts if "invoices" in one.content.lower()]
    (one,) = shown(desk, facts[0].id).promotions
    assert one.fate in THERE


def test_forgotten_before_it_left(desk: Desk, server: GraphitiServer) -> None:
    """What waits is never sent once its fact is forgotten."""
    name = fact(desk, "Use pnpm, never npm")
    with server.outage():
        assert promoted(desk, name).fate == "waiting"
        assert "will not be" in forget(desk, name)
    deliver_later(desk)
    assert server.sent() == []


def test_forgotten_there(desk: Desk, server: GraphitiServer) -> None:
    """A forgotten fact's episode is deleted with the facts made of it; what others say stays, and is said."""
    name = fact(desk, "Use pnpm, never npm, for the shop")
    promoted(desk, name)
    with desk.open() as context:
        group = groups_of(context).workspace
    server.wait_until_stored(1)
    other = server.plant(group, "Use pnpm, never npm, as another chat says")
    said = forget(desk, name)
    assert "its episode and 1 fact made of it deleted there; names of things in it may stay" in said
    kept = server.kept()
    assert kept.episodes == []
    assert [one["uuid"] for one in kept.facts if one["group_id"] == group] == [other]


def test_a_server_that_lies(desk: Desk, server: GraphitiServer) -> None:
    """Where the server says that it deletes and does not, that is said."""
    name = fact(desk, "Use pnpm, never npm, for the shop")
    promoted(desk, name)
    server.wait_until_stored(1)
    server.behave(lies=True)
    said = forget(desk, name)
    assert "left behind:" in said
    assert "its episode" in said


def test_a_server_that_cannot(desk: Desk, server: GraphitiServer) -> None:
    """On FalkorDB an episode answers 404 although it is there: that it is left behind is said."""
    server.behave(backend=FALKORDB)
    name = fact(desk, "Use pnpm, never npm, for the shop")
    promoted(desk, name)
    server.wait_until_stored(1)
    assert "left behind: " in forget(desk, name)


def test_forgotten_while_nobody_is_there(desk: Desk, server: GraphitiServer) -> None:
    """What cannot be taken back now is taken back with a later delivery."""
    name = fact(desk, "Use pnpm, never npm, for the shop")
    promoted(desk, name)
    server.wait_until_stored(1)
    with server.outage():
        assert "tried again later" in forget(desk, name)
    deliver_later(desk)
    assert server.episodes() == []
    server.forget_requests()
    deliver_later(desk)
    assert [one["path"] for one in server.requests() if one["method"] == "DELETE"] == []


def test_forgotten_on_its_way(desk: Desk, server: GraphitiServer) -> None:
    """An episode that is still in the server's queue is taken back once it is there."""
    server.behave(work_seconds=1.0)
    name = fact(desk, "Use pnpm, never npm, for the shop")
    assert promoted(desk, name).fate in THERE
    said = forget(desk, name)
    if "on its way" in said:
        server.wait_until_stored(1)
    deliver_later(desk)
    assert server.episodes() == []


def test_turns_of_chats_stay(desk: Desk, server: GraphitiServer) -> None:
    """Turns in which a forgotten fact was said are not sent any more; those that were sent stay, and that is said."""
    desk.switch_on("ingest")
    desk.settings["graphiti.promotion"] = False
    desk.chat("remember: we number invoices per year")
    with server.outage():
        desk.reconcile()
    with desk.open() as context:
        (known,) = context.profile.contents().facts
    assert forget(desk, known.id) == ""
    deliver_later(desk)
    assert "invoices" not in json.dumps(server.sent())
    desk.session = desk.session[::-1]
    desk.chat("remember: we number receipts per month")
    desk.reconcile()
    with desk.open() as context:
        (known,) = context.profile.contents().facts
    assert "stay there" in forget(desk, known.id)
