"""What waits is sent once, whatever breaks in between, and what was sent is looked for."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from memsuggest.core.database import open_database
from memsuggest.graphiti import outbox as tables
from memsuggest.graphiti.client import GraphitiClient
from memsuggest.graphiti.masking import Mask
from memsuggest.graphiti.outbox import BATCH, MessageState, Outbox, Outgoing
from memsuggest.graphiti.profile_tables import session_group
from memsuggest.graphiti.send_outbox import (
    FIRST_PAUSE,
    GIVEN_UP_AFTER,
    LONGEST_PAUSE,
    LOOK_AGAIN,
    SETTLED_AFTER,
    Delivered,
    Delivery,
)
from tests.graphiti_server import GraphitiServer

START = 1_700_000_000_000
MASK = Mask(root="/nowhere/shop", home="/nowhere/home")


class Sender:
    """An outbox, and deliveries from it at a time of the test's own."""

    def __init__(self, connection: sqlite3.Connection, server: GraphitiServer) -> None:
        self.outbox = Outbox(connection, endpoint=server.url)
        self.server = server
        self.group = session_group(str(uuid4()))
        self.now = START

    def put(self, *names: str, group: str = "", **fields: Any) -> None:
        given: dict[str, Any] = {"role_type": "user", "role": "person-1", "at": START, "session": "s", **fields}
        self.outbox.put(
            [Outgoing(group_id=group or self.group, name=name, content=f"said {name}", **given) for name in names],
            now=self.now,
        )

    def deliver(self, *, after: int = 0, seconds: float = 30.0) -> Delivered:
        self.now += after
        with GraphitiClient(self.server.url, read=1.0, total=2.0) as client:
            return Delivery(outbox=self.outbox, client=client, mask=MASK, clock=lambda: self.now, seconds=seconds).run()

    def states(self) -> dict[str, int]:
        return {str(state): number for state, number in self.outbox.counts().items()}

    def names(self) -> list[str]:
        return [one["name"] for one in self.server.sent() if one["group_id"] == self.group]

    def wait(self, number: int) -> None:
        ends = time.monotonic() + 60
        while len([episode for episode in self.server.episodes() if episode["group_id"] == self.group]) < number:
            assert time.monotonic() < ends
            time.sleep(0.02)


@pytest.fixture
def sender(tmp_path: Path, server: GraphitiServer) -> Any:
    with closing(open_database(tmp_path / "state.db", tables.MIGRATIONS)) as connection:
        yield Sender(connection, server)


def test_what_waits_is_queued_then_stored(sender: Sender) -> None:
    """A message is `queued` once the server took it, and `stored` once its list has it; its text is kept no longer."""
    sender.put("a", "b")
    sender.deliver()
    sender.wait(2)
    assert sender.states().keys() <= {"queued", "stored"}  # as far as the server's list was looked at meanwhile
    sender.deliver(after=LOOK_AGAIN)
    assert sender.states() == {"stored": 2}
    assert [message.content for message in sender.outbox.named("a")] == [""]
    assert sender.names() == ["a", "b"]


def test_a_name_is_taken_in_once(sender: Sender) -> None:
    """What waits, was sent or was dropped is not taken in again; the same name in another group is another message."""
    sender.put("a")
    sender.put("a")
    sender.put("a", group=session_group("other"))
    sender.deliver()
    sender.put("a")
    assert sender.outbox.next_group() == ""
    assert sender.names() == ["a"]


def test_batches_of_one_group(sender: Sender) -> None:
    """Requests hold messages of one group, in the order in which they came, and so many at most."""
    sender.put(*(f"m{number}" for number in range(BATCH + 2)))
    sender.deliver()
    sizes = [
        len(request["body"].split('"content"')) - 1
        for request in sender.server.requests()
        if request["path"] == "/messages"
    ]
    assert sizes == [BATCH, 2]
    assert sender.names() == [f"m{number}" for number in range(BATCH + 2)]


def test_the_oldest_is_dropped(sender: Sender) -> None:
    """Beyond its room the outbox drops the oldest of a chat, counts it and forgets its text; promotions stay."""
    rows = [
        Outgoing(
            group_id="g",
            name=str(number),
            role_type="user",
            role="p",
            content="c",
            at=START,
            session="s" * (number > 0),
        )
        for number in range(5)
    ]
    sender.outbox.put(rows, now=START, room=3)
    assert sender.states() == {"waiting": 3, "dropped": 2}
    states = {one.name: (one.state, one.content) for name in "01234" for one in sender.outbox.named(name)}
    assert states["0"] == (MessageState.WAITING, "c")
    assert states["1"] == states["2"] == (MessageState.DROPPED, "")


def test_nobody_there(sender: Sender) -> None:
    """While nobody listens everything waits, the reason is kept, and pauses grow; afterwards all of it goes once."""
    sender.put("a")
    with sender.server.outage():
        assert "cannot reach" in sender.deliver().why
        first = sender.outbox.server_state()
        assert first.failures == 1
        assert FIRST_PAUSE / 2 <= first.next_try_at - sender.now <= FIRST_PAUSE
        assert sender.deliver().why == first.why and sender.outbox.server_state() == first
        sender.deliver(after=FIRST_PAUSE)
        second = sender.outbox.server_state()
        assert second.failures == 2
        assert FIRST_PAUSE <= second.next_try_at - sender.now <= 2 * FIRST_PAUSE
        assert sender.states() == {"waiting": 1}
    sender.deliver(after=2 * FIRST_PAUSE)
    assert sender.outbox.server_state().why == ""
    assert sender.names() == ["a"]


def fails(how: str, **others: Any) -> Callable[[GraphitiServer], None]:
    return lambda server: server.behave(fails=how, only="/messages", times=1, **others)


@pytest.mark.parametrize("status", ["401", "403", "404", "429", "500", "503", "redirect"])
def test_what_was_not_taken_waits(sender: Sender, status: str) -> None:
    """What the server certainly did not take waits for another try, and is sent then."""
    sender.put("a")
    fails(status)(sender.server)
    assert sender.deliver().why
    assert sender.states() == {"waiting": 1}
    sender.deliver(after=LONGEST_PAUSE)
    sender.wait(1)
    assert sender.states() in ({"queued": 1}, {"stored": 1})


def test_the_server_says_when(sender: Sender) -> None:
    """A server that says how long to wait is not asked before."""
    sender.put("a")
    fails("429", retry_after="7200")(sender.server)
    sender.deliver()
    assert sender.outbox.server_state().next_try_at - sender.now == 7_200_000


@pytest.mark.parametrize("how", ["reset", "half", "502", "504", "html", "no-json", "other-json", "not-http"])
def test_nobody_can_tell(sender: Sender, how: str) -> None:
    """After an answer that broke off a message is not sent again before the server is certainly past it."""
    sender.put("a")
    fails(how)(sender.server)
    assert sender.deliver().why
    assert sender.states() == {"unsure": 1}
    sender.deliver(after=LONGEST_PAUSE)
    assert sender.states() == {"unsure": 1}, "nothing that left later is there, so it may still come"
    sender.put("b")
    sender.deliver(after=1)
    sender.wait(1)
    sender.deliver(after=LOOK_AGAIN)
    sender.deliver(after=SETTLED_AFTER)
    sender.wait(2)
    sender.deliver(after=LOOK_AGAIN)
    assert sender.states() == {"stored": 2}
    assert [episode["name"] for episode in sender.server.episodes() if episode["group_id"] == sender.group] == [
        "b",
        "a",
    ]


def test_what_left_together_may_still_come(sender: Sender) -> None:
    """Of a batch that broke off one is there: the others may be next in the server's queue, and are not sent again."""
    sender.put("a", "b")
    first, second = sender.outbox.claim(sender.group, now=START)
    sender.outbox.settle([first], MessageState.STORED, now=START)
    sender.outbox.settle([second], MessageState.UNSURE, now=START)
    sender.deliver(after=SETTLED_AFTER)
    assert sender.states() == {"stored": 1, "unsure": 1}
    assert sender.names() == []


def test_it_had_arrived(sender: Sender) -> None:
    """What a sender that was killed had sent is found by its name, and is not sent again."""
    sender.put("a", "b")
    batch = sender.outbox.claim(sender.group, now=START)
    with GraphitiClient(sender.server.url) as client:
        client.add_messages(
            sender.group,
            [replace(message, role="p", at=START) for message in batch],
        )
    sender.wait(2)
    assert sender.states() == {"sending": 2}
    sender.deliver(after=LOOK_AGAIN)
    assert sender.states() == {"stored": 2}
    assert sender.names() == ["a", "b"]


def test_the_worker_died(sender: Sender) -> None:
    """What the server took and never had is lost, in the end, and is said to be; it is not sent again."""
    with GraphitiServer.start(worker="dead") as server:  # it stays dead: a server of its own
        sender.server = server
        sender.put("a")
        sender.deliver()
        sender.deliver(after=SETTLED_AFTER)
        assert sender.states() == {"queued": 1}
        assert sender.deliver(after=GIVEN_UP_AFTER).lost == 1
        assert sender.states() == {"lost": 1}
        assert sender.names() == ["a"]
    with GraphitiServer.start() as server:  # started again: the person asks for it
        sender.server = server
        assert sender.outbox.send_lost_again(now=sender.now) == (1, 0)
        sender.deliver()
        sender.wait(1)
        sender.deliver(after=LOOK_AGAIN)
        assert sender.states() == {"stored": 1}


def test_what_is_forgotten_is_not_sent_again(sender: Sender) -> None:
    """Of a message that got lost no text stays once it is forgotten."""
    with GraphitiServer.start(worker="dead") as server:
        sender.server = server
        sender.put("a")
        sender.deliver()
        sender.outbox.remove_waiting(names=["a"])
        assert sender.deliver(after=GIVEN_UP_AFTER).lost == 1
        assert sender.outbox.send_lost_again(now=sender.now) == (0, 1)


def test_known_there(sender: Sender, tmp_path: Path) -> None:
    """What another clone sent to a group is not sent to it from here: the first look finds its names."""
    sender.put("a")
    sender.deliver()
    sender.wait(1)
    with closing(open_database(tmp_path / "other.db", tables.MIGRATIONS)) as other:
        again = Sender(other, sender.server)
        again.group = sender.group
        again.put("a", "b")
        again.deliver()
        assert sender.names() == ["a", "b"]


def test_refused_by_itself(sender: Sender) -> None:
    """One message that the server refuses stays behind, and holds up no other; after some tries it is given up."""
    sender.put("a")
    sender.put("b", role_type="nobody")
    sender.put("c")
    for _ in range(5):
        sender.deliver(after=LONGEST_PAUSE)
    sender.wait(2)
    sender.deliver(after=LONGEST_PAUSE)
    assert sender.states() == {"stored": 2, "refused": 1}


def test_all_refused(sender: Sender) -> None:
    """Where the server refuses whatever comes, the messages wait: the trouble is not theirs."""
    sender.put("a", "b")
    sender.server.behave(fails="422", only="/messages")
    assert sender.deliver().why
    assert sender.states() == {"waiting": 2}


def test_text_is_masked_at_the_door(sender: Sender) -> None:
    """Whatever stands in the outbox, no place of this machine leaves."""
    sender.put("a", source="memsuggest; branch x; commit moved /nowhere/home/plans")
    row = sender.outbox.named("a")[0]
    sender.outbox.put([replace(row, name="b", content="open /nowhere/shop/src/a.py")], now=START)
    sender.deliver()
    assert "nowhere" not in str(sender.server.sent())
    assert "open src/a.py" in str(sender.server.sent())
