"""Delivery: what is pending in the outbox goes to the server, and what was forgotten is taken back from it."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from memsuggest.graphiti.client import Episode, Fact, GraphitiClient, GraphitiError
from memsuggest.graphiti.masking import Mask
from memsuggest.graphiti.outbox import TRIES, MessageState, Outbox, Outgoing, ServerState

OF_CONTENT = frozenset({"refused", "too-large"})
NOT_TAKEN = frozenset({"no-connection", "certificate", "unauthorized", "forbidden", "not-found", "redirect"})
NOT_TAKEN |= {"rate-limited", "unavailable"}
"""Outcomes after which it is certain that the server has nothing of a request."""
REFUSALS = 5  # times that the server may refuse a message while it takes others; then it is given up
_LOOKS = (100, 800, 3_200)  # episodes of a group that are asked for, until the list reaches those that are looked for
_LOOKED_AT = _LOOKS[-1]
_LEAST_SECONDS = 0.05
_NEVER = 1 << 62


# Pauses, in milliseconds.
FIRST_PAUSE, LONGEST_PAUSE = 30_000, 3_600_000
"""After one failure; twice as long after each further one, but no longer than the second."""
LOOK_AGAIN = 15_000  # between two looks for the same messages
SETTLED_AFTER = 600_000
"""What left so long ago, and is not there although something that left later is, will not come any more."""
GIVEN_UP_AFTER = 86_400_000  # the same, whatever else is there: the server's queue does not survive its restart
_LOOKED_FOR = 7 * 86_400_000
"""After it left; where others fill a group so fast that it cannot be seen, nobody can tell what became of it."""


@dataclass(slots=True, kw_only=True)
class Delivered:
    """The outcome of one delivery."""

    lost: int = 0
    why: str = ""
    """What went wrong, or did lately, so that nothing was tried; empty where nothing did."""
    taken_back: list[str] = field(default_factory=list)
    """What became of promotions that were to be taken back, a line each."""


@dataclass(slots=True, kw_only=True)
class Delivery:
    """One run of deliveries to one server."""

    outbox: Outbox
    client: GraphitiClient
    mask: Mask
    """Held over every text once more, just before it leaves."""
    clock: Callable[[], int]
    """Milliseconds since the epoch."""
    seconds: float
    """For all of it."""
    done: Delivered = field(default_factory=Delivered)
    _ends: float = 0.0

    def run(self) -> Delivered:
        """Send what waits, then look for what was sent; nobody else may deliver for this outbox meanwhile."""
        server = self.outbox.server_state()
        self.outbox.take_over(now=self.clock())
        if self.clock() < server.next_try_at:
            return Delivered(why=server.why)
        self._ends = time.monotonic() + self.seconds
        try:
            while self._left() > _LEAST_SECONDS and (group := self.outbox.next_group()):
                if self.outbox.is_new_group(group):
                    # Another clone, or this one in an earlier life, may have sent to it.
                    self._look_for(group, self.outbox.waiting(group))
                if batch := self.outbox.claim(group, now=self.clock()):
                    self._hand_in(group, batch)
            missing: list[Outgoing] = []
            for group, messages in self.outbox.unconfirmed(since=self.clock() - _LOOKED_FOR).items():
                if self._left() <= _LEAST_SECONDS:
                    break
                if self.clock() - max(message.looked_at for message in messages) >= LOOK_AGAIN:
                    missing += self._look_for(group, messages)
            self._judge(missing)
        except GraphitiError as error:  # again later: the longer the more went wrong, and not when everybody else does
            self.done.why = error.message
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(server.failures, 20))
            pause = round(pause * (0.5 + random.random() / 2))  # noqa: S311  (no secret rests on it)  # nosec
            now, pause = self.clock(), max(pause, round((error.seconds or 0) * 1000))
            self.outbox.note_server_state(
                ServerState(failures=server.failures + 1, next_try_at=now + pause, why=error.message, failed_at=now)
            )
            return self.done
        if server.failures:
            self.outbox.note_server_state(ServerState())
        self.outbox.tidy(now=self.clock())
        return self.done

    def _left(self) -> float:
        return self._ends - time.monotonic()

    def _hand_in(self, group: str, batch: Sequence[Outgoing]) -> None:
        """Send messages that are noted as leaving, and note what became of them; raises GraphitiError."""
        mask = self.mask
        sent = [replace(row, content=mask.text(row.content), source=mask.line(row.source)) for row in batch]
        try:
            self.client.add_messages(group, sent, within=self._left())
        except GraphitiError as error:
            if error.outcome in OF_CONTENT:
                self._hand_in_singly(group, batch, error)
                return
            if error.outcome in NOT_TAKEN:
                self.outbox.give_back(batch, now=self.clock())
            else:
                self.outbox.settle(batch, MessageState.UNSURE, now=self.clock())
            raise
        self.outbox.settle(batch, MessageState.QUEUED, now=self.clock())

    def _hand_in_singly(self, group: str, batch: Sequence[Outgoing], error: GraphitiError) -> None:
        """Find out which of several messages the server refuses; where it refuses all, the trouble is not theirs."""
        if len(batch) == 1:
            is_given_up = batch[0].tries + 1 >= REFUSALS
            self.outbox.settle(batch, MessageState.REFUSED if is_given_up else MessageState.WAITING, now=self.clock())
            raise error
        refused = 0
        for place, message in enumerate(batch):
            try:
                self._hand_in(group, [message])
            except GraphitiError as again:
                if again.outcome not in OF_CONTENT:
                    self.outbox.give_back(batch[place + 1 :], now=self.clock())
                    raise
                refused += 1
        if refused == len(batch):
            raise error

    def _look_for(self, group: str, messages: Sequence[Outgoing]) -> list[Outgoing]:
        """Note which messages are stored; return those that are certainly not among a group's episodes now."""
        there, absent, hidden = list[Outgoing](), list[Outgoing](), list[Outgoing]()
        for last in _LOOKS:
            seen = self.client.episodes(group, last=last, within=self._left())
            names = {episode.name for episode in seen}
            there = [message for message in messages if message.name in names]
            absent = [message for message in messages if message.name not in names]
            oldest = min((episode.valid_at for episode in seen if episode.valid_at is not None), default=_NEVER)
            hidden = [message for message in absent if len(seen) >= last and oldest >= message.at]
            if not hidden:
                break
        self.outbox.settle(there, MessageState.STORED, now=self.clock())
        self.outbox.looked_at(absent, now=self.clock())
        return [message for message in absent if message not in hidden]

    def _judge(self, missing: Sequence[Outgoing]) -> None:
        """Note what will not come any more; it leaves once more only if the server never said that it took it."""
        now, last_stored = self.clock(), self.outbox.last_stored()
        for message in missing:
            age = now - message.sent_at
            # What left at the same moment as something that is there may be the next in the server's queue.
            is_passed = message.sent_at < last_stored and age >= SETTLED_AFTER
            if is_passed and message.state is MessageState.UNSURE and message.tries < TRIES:
                self.outbox.settle([message], MessageState.WAITING, now=now)
            elif is_passed or age >= GIVEN_UP_AFTER:
                self.outbox.settle([message], MessageState.LOST, now=now)
                self.done.lost += 1


_FACTS = 50  # facts that are looked through for those that were made of an episode
_QUERY = 300  # characters of an episode by which they are searched
_UUID = re.compile(r"[0-9a-fA-F-]{1,64}\Z")
_TAG = re.compile(r"</?graphiti_episode[^>]{0,80}>")


@dataclass(slots=True, kw_only=True)
class TakenBack:
    """The parts of an episode that were taken back, and what remains."""

    episodes: int = 0
    """Episodes that are gone; none, and nothing left, where there was none."""
    facts: int = 0
    """Facts made of them that are gone."""
    is_shared: bool = False
    """Whether a fact was left as it is, since it comes from other episodes, too."""
    served_episodes: tuple[str, ...] = ()
    served_facts: tuple[str, ...] = ()
    """By their ids, what the server still serves although it was asked to delete it."""


def take_back(client: GraphitiClient, group_id: str, name: str, *, seconds: float) -> TakenBack:
    """Delete the episodes of a name from a group, and the facts that only they say; raises GraphitiError.

    Facts are found by the words of the episode itself: here nobody may know them any more.
    """
    deadline = time.monotonic() + seconds
    found = [episode for episode in client.episodes(group_id, last=_LOOKED_AT, within=seconds) if episode.name == name]
    if not found:
        return TakenBack()
    ours = {item.uuid for item in found}
    facts = _facts_of(client, group_id, found, deadline)
    made = {fact.uuid for fact in facts if ours.issuperset(fact.episodes)}
    gone = [("entity-edge", uuid) for uuid in sorted(made)] + [("episode", uuid) for uuid in sorted(ours)]
    for what, uuid in gone:
        try:
            client.delete(what, uuid, within=deadline - time.monotonic())
        except GraphitiError as error:
            if error.outcome != "not-found":  # which is no proof: what is still served is looked for
                raise
    there = client.episodes(group_id, last=_LOOKED_AT, within=deadline - time.monotonic())
    listed = {episode.uuid for episode in there}
    served = {fact.uuid for fact in _facts_of(client, group_id, found, deadline)}
    return TakenBack(
        episodes=len(ours - listed),
        facts=len(made - served),
        is_shared=len(made) < len(facts),
        served_episodes=tuple(sorted(ours & listed)),
        served_facts=tuple(sorted(made & served)),
    )


def _facts_of(client: GraphitiClient, group_id: str, episodes: Sequence[Episode], deadline: float) -> list[Fact]:
    """Return the facts that a search finds by the words of episodes, and that are derived from one of them."""
    ours = {episode.uuid for episode in episodes}
    found: dict[str, Fact] = {}
    for item in episodes:
        query = _TAG.sub(" ", item.content)[:_QUERY]
        for fact in client.search([group_id], query, max_facts=_FACTS, within=deadline - time.monotonic()):
            if ours.intersection(fact.episodes):
                found[fact.uuid] = fact
    return list(found.values())


def database_commands(group_id: str, done: TakenBack) -> list[str]:
    """Return the commands with which whoever runs a FalkorDB deletes what its server goes on serving."""
    commands = []
    for query, found in (
        ("MATCH (n:Episodic) WHERE n.uuid IN [{}] DETACH DELETE n", done.served_episodes),
        ("MATCH ()-[r:RELATES_TO]->() WHERE r.uuid IN [{}] DELETE r", done.served_facts),
    ):
        if ids := [repr(item) for item in found if _UUID.match(item)]:  # the server's word: no more gets into a shell
            commands.append(f'redis-cli GRAPH.QUERY {group_id} "{query.format(", ".join(ids))}"')
    return commands
