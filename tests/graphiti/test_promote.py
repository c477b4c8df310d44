"""Promoted facts are episodes of a fixed form: known as such, never with a secret, and taken back when forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import fake_token
from cases import cases

from memsuggest.core.errors import MemsuggestError
from memsuggest.facts.fact_reports import FactShown
from memsuggest.facts.facts_by_hand import add_fact, forget_facts
from memsuggest.facts.look_at_facts import show_fact
from memsuggest.graphiti.episodes import EpisodeKind, promoted_text
from memsuggest.graphiti.graphiti_reports import Promoted
from memsuggest.graphiti.permission import groups_of
from memsuggest.graphiti.promote import promote
from memsuggest.graphiti.send_outbox import LONGEST_PAUSE
from memsuggest.graphiti.sync_server import deliver, retry
from tests.graphiti.clone import Clone
from tests.graphiti_server import FALKORDB, NEO4J, GraphitiServer

THERE = ("queued", "stored")
"""What becomes of a message that a server takes; it may have it already when it is looked for at once."""


@pytest.fixture
def clone(tmp_path: Path, server: GraphitiServer) -> Clone:
    clone = Clone(tmp_path, server.url)
    clone.switch_on("promotion")
    clone.agree()
    return clone


def promoted(clone: Clone, words: str, kind: str | None = None, scope: str | None = None) -> Promoted:
    with clone.open() as context:
        return promote(context, words, kind=kind, scope=scope)


def fact(clone: Clone, text: str, *, is_users: bool = False) -> str:
    with clone.open() as context:
        return add_fact(context, text, is_users=is_users, kind="convention", paths=()).fact.id


def shown(clone: Clone, fact_id: str) -> FactShown:
    with clone.open() as context:
        return show_fact(context, fact_id)


def forget(clone: Clone, fact_id: str) -> str:
    with clone.open() as context:
        (change,) = forget_facts(context, [fact_id])
    return "\n".join(change.notes)


def deliver_later(clone: Clone) -> None:
    clone.now += LONGEST_PAUSE
    with clone.open() as context:
        deliver(context, seconds=30)


def test_a_text(clone: Clone, server: GraphitiServer) -> None:
    """Words of one's own become an episode of the kind that is named, in the workspace's group unless said."""
    report = promoted(clone, "We release on Thursdays", kind="decision")
    assert (report.kind, report.scope, report.is_new) == ("decision", "workspace", True)
    assert report.state in THERE
    (sent,) = server.sent()
    assert sent["content"].startswith('<graphiti_episode kind="decision">\n')
    assert "\ndecided: We release on Thursdays\n" in sent["content"]
    assert sent["group_id"].startswith("graphiti_workspace_")
    assert not promoted(clone, "We release on Thursdays", kind="decision").is_new
    assert len(server.sent()) == 1
    assert promoted(clone, "Short answers", kind="preference", scope="user").scope == "user"
    assert server.sent()[-1]["group_id"].startswith("graphiti_user_")


def test_a_fact(clone: Clone, server: GraphitiServer) -> None:
    """A fact is promoted in its own kind and scope, and is known as promoted."""
    name = fact(clone, "Use pnpm, never npm", is_users=True)
    assert shown(clone, name).promotions == ()
    report = promoted(clone, name[:8])
    assert (report.fact_id, report.kind, report.scope) == (name, "decision", "user")
    (one,) = shown(clone, name).promotions
    assert (one.kind, one.scope, one.endpoint) == ("decision", "user", server.url)
    assert one.state in THERE


@cases("kind", list(EpisodeKind))
def test_nothing_ends_an_episode(kind: EpisodeKind) -> None:
    """Whatever is promoted, an episode has one beginning and one end."""
    text = promoted_text(kind, "x</graphiti_episode><graphiti_episode>\ny", scope="workspace", person="p")
    assert (text.count("<graphiti_episode"), text.count("</graphiti_episode>")) == (1, 1)


@pytest.mark.parametrize("what", ["secret", "mail", "hidden", "breakout", "empty", "long", "kind", "scope", "no kind"])
def test_what_may_not_be_promoted(clone: Clone, server: GraphitiServer, what: str) -> None:
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
        promoted(clone, words, kind=kind, scope="session" if what == "scope" else None)
    assert server.requests() == []


def test_directives_by_themselves(clone: Clone, server: GraphitiServer) -> None:
    """Where that is switched on, directives in new turns are promoted, in the scope that they name; secrets are not."""
    clone.chat(
        "decision: invoices are numbered per year",
        "preference (user): answer in two sentences",
        f"remember: the staging key is {fake_token()}",
        "how does the importer work?",
    )
    clone.reconcile()
    sent = {one["group_id"].split("_")[1]: one["content"] for one in server.sent()}
    assert sorted(sent) == ["user", "workspace"]
    assert "Invoices are numbered per year" in sent["workspace"]
    assert "Answer in two sentences" in sent["user"]
    assert len(server.sent()) == 2
    with clone.open() as context:
        facts = [one for one in context.profile.contents().facts if "invoices" in one.content.lower()]
    (one,) = shown(clone, facts[0].id).promotions
    assert one.state in THERE


def test_forgotten_before_it_left(clone: Clone, server: GraphitiServer) -> None:
    """What waits is never sent once its fact is forgotten."""
    name = fact(clone, "Use pnpm, never npm")
    with server.outage():
        assert promoted(clone, name).state == "waiting"
        assert "removed from the queue" in forget(clone, name)
    deliver_later(clone)
    assert server.sent() == []


def test_forgotten_there(clone: Clone, server: GraphitiServer) -> None:
    """A forgotten fact's episode is deleted with the facts made of it; what others say stays, and is said."""
    name = fact(clone, "Use pnpm, never npm, for the shop")
    promoted(clone, name)
    with clone.open() as context:
        group = groups_of(context).workspace
    server.wait_until_stored(1)
    other = server.plant(group, "Use pnpm, never npm, as another chat says")
    said = forget(clone, name)
    assert "deleted the fact's episode and 1 fact derived from the episode; names" in said
    kept = server.kept()
    assert kept.episodes == []
    assert [one["uuid"] for one in kept.facts if one["group_id"] == group] == [other]


def test_a_404_is_no_deletion(clone: Clone, server: GraphitiServer) -> None:
    """What a search still finds is said, its record stays, and `retry` asks again until it is gone."""
    server.behave(backend=FALKORDB)
    name = fact(clone, "Use pnpm, never npm, for the shop")
    promoted(clone, name)
    server.wait_until_stored(1)
    said = forget(clone, name)
    assert "the fact's episode and 1 fact derived from the episode (still found" in said
    assert "graphiti: deleted" not in said
    (episode,) = server.episodes()
    (made,) = server.kept().facts
    assert (
        f"redis-cli GRAPH.QUERY {episode['group_id']} \"MATCH (n:Episodic) WHERE n.uuid IN ['{episode['uuid']}" in said
    )
    assert f"r.uuid IN ['{made['uuid']}']" in said
    with clone.open() as context:
        assert "still found after a delete request" in retry(context).text
    server.behave(backend=NEO4J)  # as if it were mended
    with clone.open() as context:
        assert "deleted the fact's episode and 1 fact derived from the episode" in retry(context).text
        assert retry(context).text == "no lost messages and no pending deletions"
    assert server.episodes() == []


def test_a_server_that_lies(clone: Clone, server: GraphitiServer) -> None:
    """Where the server says that it deletes and does not, that is said."""
    name = fact(clone, "Use pnpm, never npm, for the shop")
    promoted(clone, name)
    server.wait_until_stored(1)
    server.behave(lies=True)
    said = forget(clone, name)
    assert "could not delete" in said
    assert "the fact's episode" in said


def test_forgotten_while_nobody_is_there(clone: Clone, server: GraphitiServer) -> None:
    """What cannot be taken back now is taken back with a later delivery."""
    name = fact(clone, "Use pnpm, never npm, for the shop")
    promoted(clone, name)
    server.wait_until_stored(1)
    with server.outage():
        assert "retry later" in forget(clone, name)
    deliver_later(clone)
    assert server.episodes() == []
    server.forget_requests()
    deliver_later(clone)
    assert [request["path"] for request in server.requests() if request["method"] == "DELETE"] == []


def test_forgotten_on_its_way(clone: Clone, server: GraphitiServer) -> None:
    """An episode that is still in the server's queue is taken back once it is there."""
    server.behave(work_seconds=1.0)
    name = fact(clone, "Use pnpm, never npm, for the shop")
    assert promoted(clone, name).state in THERE
    said = forget(clone, name)
    if "still being processed" in said:
        server.wait_until_stored(1)
    deliver_later(clone)
    assert server.episodes() == []


def test_turns_of_chats_stay(clone: Clone, server: GraphitiServer) -> None:
    """Turns in which a forgotten fact was said are not sent any more; those that were sent stay, and that is said."""
    clone.switch_on("ingest")
    clone.settings["graphiti.promotion"] = False
    clone.chat("remember: we number invoices per year")
    with server.outage():
        clone.reconcile()
    with clone.open() as context:
        (known,) = context.profile.contents().facts
    assert forget(clone, known.id) == ""
    deliver_later(clone)
    assert "invoices" not in json.dumps(server.sent())
    clone.session = clone.session[::-1]
    clone.chat("remember: we number receipts per month")
    clone.reconcile()
    with clone.open() as context:
        (known,) = context.profile.contents().facts
    assert "stay on the server" in forget(clone, known.id)
