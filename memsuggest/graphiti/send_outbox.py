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
NOT_TAKEN = frozenset(
    {
        *("no-connection", "certificate", "unauthorized", "forbidden", "not-found", "redirect"),
        *("rate-limited", "unavailable"),
    }
)
"""Outcomes after which it is certain that the server has nothing of a request."""
REFUSALS = 5
"""Times that the server may refuse a message while it takes others; then it is given up."""
_FIRST_LOOK, _FARTHEST_LOOK = 100, 3_200
"""Episodes of a group that are asked for, at first and at most."""
_LEAST_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The pauses of delivery, in milliseconds."""

    first_pause: int = 30_000
    """After one failure; twice as long after each further one …"""
    longest_pause: int = 3_600_000
    """… but no longer than this."""
    look_again: int = 15_000
    """Between two looks for the same messages."""
    settled_after: int = 600_000
    """What left so long ago, and is not there although something that left later is, will not come any more."""
    given_up_after: int = 86_400_000
    """The same, whatever else is there: the server's queue does not survive its restart."""
    looked_for: int = 7 * 86_400_000
    """After it left; where others fill a group so fast that it cannot be seen, nobody can tell what became of it."""


PACE = Pace()


@dataclass(slots=True, kw_only=True)
class Delivered:
    """The outcome of one delivery."""

    queued: int = 0
    """Messages that the server took."""
    stored: int = 0
    """Messages that were seen to be there."""
    lost: int = 0
    why: str = ""
    """What went wrong; empty where nothing did."""
    is_resting: bool = False
    """Nothing was tried: it went wrong lately."""
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
    pace: Pace = PACE

    def run(self) -> Delivered:
        """Send what waits, then look for what was sent; nobody else may deliver for this outbox meanwhile."""
        done = Delivered()
        server = self.outbox.server_state()
        self.outbox.take_over(now=self.clock())
        if self.clock() < server.next_try_at:
            done.why, done.is_resting = server.why, True
            return done
        self._ends = time.monotonic() + self.seconds
        try:
            self._send_all(done)
            self._look_for_all(done)
        except GraphitiError as error:
            done.why = error.message
            self._rest(server, error)
            return done
        if server.failures:
            self.outbox.note_server_state(ServerState())
        self.outbox.tidy(now=self.clock())
        return done

    _ends: float = 0.0

    def _left(self) -> float:
        return self._ends - time.monotonic()

    def _rest(self, server: ServerState, error: GraphitiError) -> None:
        """Try again later: the longer the more went wrong, and not at the same moment as everybody else."""
        failures = server.failures + 1
        pause = min(self.pace.longest_pause, self.pace.first_pause * 2 ** min(failures - 1, 20))
        pause = round(pause * (0.5 + random.random() / 2))  # noqa: S311  (no secret rests on it)  # nosec
        asked = round((error.seconds or 0) * 1000)
        now = self.clock()
        self.outbox.note_server_state(
            ServerState(failures=failures, next_try_at=now + max(pause, asked), why=error.message, failed_at=now)
        )

    def _send_all(self, done: Delivered) -> None:
        while self._left() > _LEAST_SECONDS and (group := self.outbox.next_group()):
            if self.outbox.is_new_group(group):
                self._leave_out_what_is_there(group, done)
            batch = self.outbox.claim(group, now=self.clock())
            if batch:
                self._hand_in(group, batch, done)

    def _leave_out_what_is_there(self, group: str, done: Delivered) -> None:
        """Send nothing that another clone, or this one before its state was lost, has sent to a group."""
        names = {episode.name for episode in self.client.episodes(group, last=_FARTHEST_LOOK, within=self._left())}
        there = [message for message in self.outbox.waiting(group) if message.name in names]
        self.outbox.settle(there, MessageState.STORED, now=self.clock())
        done.stored += len(there)

    def _hand_in(self, group: str, batch: Sequence[Outgoing], done: Delivered) -> None:
        """Send messages that are noted as leaving, and note what became of them; raises GraphitiError."""
        mask = self.mask
        sent = [replace(row, content=mask.text(row.content), source=mask.line(row.source)) for row in batch]
        try:
            self.client.add_messages(group, sent, within=self._left())
        except GraphitiError as error:
            if error.outcome in OF_CONTENT:
                self._hand_in_singly(group, batch, done, error)
                return
            if error.outcome in NOT_TAKEN:
                self.outbox.give_back(batch, now=self.clock())
            else:
                self.outbox.settle(batch, MessageState.UNSURE, now=self.clock())
            raise
        self.outbox.settle(batch, MessageState.QUEUED, now=self.clock())
        done.queued += len(batch)

    def _hand_in_singly(self, group: str, batch: Sequence[Outgoing], done: Delivered, error: GraphitiError) -> None:
        """Find out which of several messages the server refuses; where it refuses all, the trouble is not theirs."""
        if len(batch) == 1:
            is_given_up = batch[0].tries + 1 >= REFUSALS
            self.outbox.settle(batch, MessageState.REFUSED if is_given_up else MessageState.WAITING, now=self.clock())
            raise error
        refused = 0
        for place, message in enumerate(batch):
            try:
                self._hand_in(group, [message], done)
            except GraphitiError as again:
                if again.outcome not in OF_CONTENT:
                    self.outbox.give_back(batch[place + 1 :], now=self.clock())
                    raise
                refused += 1
        if refused == len(batch):
            raise error

    def _look_for_all(self, done: Delivered) -> None:
        missing: list[Outgoing] = []
        for group, messages in self.outbox.unconfirmed(since=self.clock() - self.pace.looked_for).items():
            if self._left() <= _LEAST_SECONDS:
                break
            if self.clock() - max(message.looked_at for message in messages) >= self.pace.look_again:
                missing += self._look_for(group, messages, done)
        self._judge(missing, done)

    def _look_for(self, group: str, messages: Sequence[Outgoing], done: Delivered) -> list[Outgoing]:
        """Return those messages that are certainly not among a group's episodes now."""
        last = _FIRST_LOOK
        while True:
            seen = self.client.episodes(group, last=last, within=self._left())
            names = {episode.name for episode in seen}
            absent = [message for message in messages if message.name not in names]
            hidden = [item for item in absent if len(seen) >= last and not _reaches(seen, item.at)]
            if not hidden or last >= _FARTHEST_LOOK:
                break
            last *= 4
        there = [message for message in messages if message.name in names]
        self.outbox.settle(there, MessageState.STORED, now=self.clock())
        self.outbox.looked_at(absent, now=self.clock())
        done.stored += len(there)
        return [item for item in absent if item not in hidden]

    def _judge(self, missing: Sequence[Outgoing], done: Delivered) -> None:
        """Note what will not come any more; it leaves once more only if the server never said that it took it."""
        now, last_stored = self.clock(), self.outbox.last_stored()
        passed = [
            message
            for message in missing
            if message.sent_at < last_stored and now - message.sent_at >= self.pace.settled_after
        ]
        again = [item for item in passed if item.state is MessageState.UNSURE and item.tries < TRIES]
        gone = (
            message for message in missing if message in passed or now - message.sent_at >= self.pace.given_up_after
        )
        lost = [item for item in gone if item not in again]
        self.outbox.settle(again, MessageState.WAITING, now=now)
        self.outbox.settle(lost, MessageState.LOST, now=now)
        done.lost += len(lost)


def _reaches(seen: Sequence[Episode], at: int) -> bool:
    return any(episode.valid_at is not None and episode.valid_at < at for episode in seen)


_LOOKED_AT = 3_200
"""Episodes of a group among which one is looked for."""
_FACTS = 50
"""Facts that are looked through for those that were made of an episode."""
_QUERY = 300
"""Characters of an episode by which they are searched."""
_ABSENT = "not-found"
_UUID = re.compile(r"[0-9a-fA-F-]{1,64}\Z")
_TAG = re.compile(r"</?graphiti_episode[^>]{0,80}>")


@dataclass(slots=True, kw_only=True)
class TakenBack:
    """The parts of an episode that were taken back, and what remains."""

    episodes: int = 0
    """Episodes that are gone; none, and nothing left, where there was none."""
    facts: int = 0
    """Facts made of them that are gone."""
    left: list[str] = field(default_factory=list)
    """What was left as it is, and why, a line each."""
    served_episodes: tuple[str, ...] = ()
    served_facts: tuple[str, ...] = ()
    """By their ids, what the server still serves although it was asked to delete it."""

    @property
    def is_served(self) -> bool:
        return bool(self.served_episodes or self.served_facts)


def take_back(client: GraphitiClient, group_id: str, name: str, *, seconds: float) -> TakenBack:
    """Delete the episodes of a name from a group, and the facts that only they say; raises GraphitiError.

    Facts are found by the words of the episode itself: here nobody may know them any more.
    """
    ends = time.monotonic() + seconds
    done = TakenBack()
    found = [episode for episode in client.episodes(group_id, last=_LOOKED_AT, within=seconds) if episode.name == name]
    if not found:
        return done
    ours = frozenset(item.uuid for item in found)
    made: set[str] = set()
    for fact in _facts_of(client, group_id, found, ends):
        if set(fact.episodes) - ours:
            done.left.append("a fact that also comes from other episodes")
        else:
            made.add(fact.uuid)
            _ask_to_delete(client.delete_edge, fact.uuid, ends)
    for item in found:
        _ask_to_delete(client.delete_episode, item.uuid, ends)
    listed = {episode.uuid for episode in client.episodes(group_id, last=_LOOKED_AT, within=ends - time.monotonic())}
    served = {fact.uuid for fact in _facts_of(client, group_id, found, ends)}
    done.served_episodes, done.served_facts = tuple(sorted(ours & listed)), tuple(sorted(made & served))
    done.episodes, done.facts = len(ours - listed), len(made - served)
    return done


def _facts_of(client: GraphitiClient, group_id: str, episodes: Sequence[Episode], ends: float) -> list[Fact]:
    """Return the facts that a search finds by the words of episodes, and that were made of one of them."""
    ours = {episode.uuid for episode in episodes}
    found: dict[str, Fact] = {}
    for item in episodes:
        query = _TAG.sub(" ", item.content)[:_QUERY]
        for fact in client.search([group_id], query, max_facts=_FACTS, within=ends - time.monotonic()):
            if ours.intersection(fact.episodes):
                found[fact.uuid] = fact
    return list(found.values())


def database_commands(group_id: str, done: TakenBack) -> list[str]:
    """Return the commands with which whoever runs a FalkorDB deletes what its server goes on serving."""
    queries = (
        ("MATCH (n:Episodic) WHERE n.uuid IN [{}] DETACH DELETE n", done.served_episodes),
        ("MATCH ()-[r:RELATES_TO]->() WHERE r.uuid IN [{}] DELETE r", done.served_facts),
    )
    return [
        f'redis-cli GRAPH.QUERY {group_id} "{query.format(", ".join(map(repr, ids)))}"'
        for query, found in queries
        if (ids := [item for item in found if _UUID.match(item)])  # the server's word: no more gets into a shell
    ]


def _ask_to_delete(delete: Callable[..., None], uuid: str, ends: float) -> None:
    try:
        delete(uuid, within=ends - time.monotonic())
    except GraphitiError as error:
        if error.outcome != _ABSENT:
            raise
