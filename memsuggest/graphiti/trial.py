"""Trying a server: reading only, or with an episode of a throw-away group that is written, found and deleted again.

"Added to the queue" and "deleted" are only words, so both are looked for afterwards. What had to be left is told.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.graphiti.client import GraphitiError
from memsuggest.graphiti.delivery import NOT_TAKEN as NOT_TAKEN_OUTCOMES
from memsuggest.graphiti.delivery import OF_CONTENT
from memsuggest.graphiti.graph_facts import Step, Tried
from memsuggest.graphiti.profile_tables import trial_group
from memsuggest.graphiti.wire import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.graphiti.client import GraphitiClient
    from memsuggest.graphiti.wire import Episode, Fact

FINE, UNREACHABLE, NO_SEARCH = "fine", "unreachable", "no-search"
NOT_TAKEN, WORKER_DEAD, WRONG_GROUP, OTHER_DATABASE = "not-taken", "worker-dead", "wrong-group", "other-database"
LYING_DELETE, CUT_SHORT = "lying-delete", "cut-short"
VERDICTS = {
    FINE: ("the server works", ""),
    UNREACHABLE: ("the server does not answer as one", ""),
    NO_SEARCH: (
        "the server is up and cannot search: its database, or the model that it asks, may be out of its reach",
        "the server's own log says why; its model's key and address are in its environment",
    ),
    NOT_TAKEN: ("the server does not take messages", "the server's own log says why"),
    WORKER_DEAD: (
        "the server takes messages and stores none: its worker is dead, or has a long queue to work off",
        "restart the server: its log says what the worker died of; `--wait 600` waits longer for a slow one",
    ),
    WRONG_GROUP: (
        "the server stores messages in another group than the one that they are for",
        "its version is older than this program knows: update it to 0.29 or later",
    ),
    OTHER_DATABASE: (
        "the server stores messages in a database of the group, and looks for them in another one",
        "its graphiti-core is older than the repair of that for FalkorDB: update it, or use Neo4j",
    ),
    LYING_DELETE: (
        "the server stores and finds messages, and says that it deletes them, and does not",
        "on FalkorDB only a database named like the group can be deleted from; see docs/graphiti.md on purging",
    ),
    CUT_SHORT: ("the trial was cut short", "`memsuggest graphiti test --smoke` runs it again"),
}
"""What a trial comes to: what it says, and what to do."""
_ELSEWHERE = ("_", "default", "default_db", "main")
"""Groups in which a server puts what it does not know where to put."""
_IN_TROUBLE = ("unavailable", "timeout")
"""Outcomes of a search behind which the server is up and something behind it is not."""
_EXISTING = "default_db"
"""The server's own group: of any other name FalkorDB makes a new graph, even for a search."""
_LOOKED_AT = 50
_DAY = 86_400_000
CERTAINLY_NOT_TAKEN = frozenset({*NOT_TAKEN_OUTCOMES, *OF_CONTENT})
_SHORTEST, _LONGEST = 0.1, 2.0  # seconds between two looks


@dataclass(kw_only=True)
class Trial:
    """A server that is being tried."""

    client: GraphitiClient
    mark: str
    """Random, and short enough to be no secret: it names the group and the episode."""
    now: Callable[[], int]
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    patience: float = 120.0
    """Seconds to wait until a message is stored."""
    progress: Callable[[float, float], None] = lambda _waited, _patience: None
    steps: list[Step] = field(default_factory=list)
    _is_seen: bool = False
    """Whether the episode was seen at the server."""

    @property
    def group_id(self) -> str:
        """The throw-away group."""
        return trial_group(self.mark)

    @property
    def name(self) -> str:
        """The name of the episode."""
        return f"memsuggest-smoke-test:{self.mark}"

    @property
    def content(self) -> str:
        """Words of which a model makes a fact, and that nobody else says."""
        return f"The smoke test {self.mark} of memsuggest ran on the build server Larkspur."

    def read(self) -> Tried:
        """Try what changes nothing: whether it is up, and whether it can search."""
        looks = (
            ("healthcheck", self.client.healthcheck, "the server is up"),
            ("search", self._search_nothing, "it searches"),
        )
        for name, ask, said in looks:
            try:
                ask()
            except GraphitiError as error:
                self._note(name, error.message, is_fine=False)
                is_there = name == "search" and error.outcome in _IN_TROUBLE
                return self._told(NO_SEARCH if is_there else UNREACHABLE, error)
            self._note(name, said)
        return self._told(FINE)

    def smoke(self) -> Tried:
        """Try everything: write, wait, search, delete, and look whether it is gone."""
        seen = self.read()
        if seen.verdict != FINE:
            return seen
        try:
            return self._write_and_delete()
        except GraphitiError as error:
            self._note("interrupted", error.message, is_fine=False)
            return self._told(CUT_SHORT, error, left=self._clean_up_early())
        except KeyboardInterrupt:
            self._note("interrupted", "by you", is_fine=False)
            return self._told(CUT_SHORT, left=self._clean_up_early())

    def _search_nothing(self) -> None:
        self.client.search([_EXISTING], "what was decided about the build?", max_facts=1)

    def _write_and_delete(self) -> Tried:
        message = Message(
            content=self.content,
            role_type="user",
            role="memsuggest",
            at=self.now() - _DAY,  # a server whose clock is behind shows nothing that is yet to come
            name=self.name,
            source_description="smoke test",
        )
        try:
            self.client.add_messages(self.group_id, [message])
        except GraphitiError as error:
            self._note("messages", error.message, is_fine=False)
            is_certain = error.outcome in CERTAINLY_NOT_TAKEN
            return self._told(NOT_TAKEN, error, left=() if is_certain else self._clean_up_early())
        self._note("messages", f"it took an episode for the group {self.group_id}")
        episode = self._wait()
        if episode is None:
            return self._missing()
        if episode.group_id not in ("", self.group_id):
            return self._misplaced(episode.group_id)
        facts = self._found()
        left = self._clean_up(episode, facts)
        return self._told(LYING_DELETE if left else FINE, left=left)

    def _wait(self) -> Episode | None:
        """Return the episode once it is stored; None where patience ends before."""
        started, pause = self.clock(), _SHORTEST
        while True:
            found = self._look_into(self.group_id)
            waited = self.clock() - started
            if found:
                self._note("stored", f"it stored the episode, after {waited:.1f} seconds")
                return found
            if waited >= self.patience:
                return None
            self.progress(waited, self.patience)
            self.sleep(min(pause, max(0.0, self.patience - waited)))
            pause = min(_LONGEST, pause * 1.5)

    def _look_into(self, group_id: str) -> Episode | None:
        episodes = self.client.episodes(group_id, last=_LOOKED_AT)
        found = next((one for one in episodes if one.name == self.name or self.mark in one.content), None)
        self._is_seen = self._is_seen or found is not None
        return found

    def _missing(self) -> Tried:
        """Look where else the episode may be, which a dead worker has not stored anywhere."""
        for group in _ELSEWHERE:
            try:
                is_there = self._look_into(group) is not None
            except GraphitiError:  # no such group, or none that may be looked into
                continue
            if is_there:
                return self._misplaced(group)
        # Of several groups each one's own database was searched before that was so of a single one.
        both = [self.group_id, _EXISTING]
        if any(self.mark in fact.fact for fact in self.client.search(both, self.content)):
            self._note("stored", "it stored the episode, and does not show it for its group", is_fine=False)
            left = self._clean_up(None, ())
            return self._told(OTHER_DATABASE, left=left or (self._left("the episode", "it cannot be looked for"),))
        self._note("stored", f"it did not store the episode within {self.patience:.0f} seconds", is_fine=False)
        self._clean_up(None, ())
        later = self._left(f"the episode {self.name}", "it may be stored yet, if the worker is only slow")
        return self._told(WORKER_DEAD, left=(later,))

    def _misplaced(self, group: str) -> Tried:
        self._note("stored", f"it stored the episode in the group `{group}`", is_fine=False)
        found = self._look_into(group)
        is_deleted = found is not None and not self._try_to(self.client.delete_episode, found.uuid)
        if is_deleted and self._look_into(group) is None:
            self._note("deleted", "the episode is gone from there; what was made of it may be left")
        kept = f"what was made of the episode {self.name}"
        return self._told(WRONG_GROUP, left=(f"{kept}, in the group `{group}`: others' memory is there, too",))

    def _found(self) -> tuple[Fact, ...]:
        facts = self.client.search([self.group_id], self.content)
        if facts:
            self._note("search", "it finds what it made of the episode")
        else:
            # Nothing is wrong with the server then: how many facts a model makes of a sentence is up to the model.
            self._note("search", "it made no fact of the episode: look at its model if that is so of real ones")
        return facts

    def _clean_up_early(self) -> tuple[str, ...]:
        """Delete what there is, and name what may come yet: a message that was sent and not seen."""
        with suppress(GraphitiError):
            self._look_into(self.group_id)
        left = self._clean_up(None, ())
        if left or self._is_seen:
            return left
        return (self._left(f"perhaps the episode {self.name}", "it was sent, and may be stored yet"),)

    def _clean_up(self, episode: Episode | None, facts: tuple[Fact, ...]) -> tuple[str, ...]:
        """Delete the group and look whether that is so; return what is left, and why."""
        said = self._try_to(self.client.delete_group, self.group_id)
        try:
            stays, known = self._look_into(self.group_id), self.client.search([self.group_id], self.content)
        except GraphitiError as error:
            return (self._left(f"perhaps the episode {self.name}", f"it cannot be looked for: {error.message}"),)
        if stays or known:  # one by one, then
            one = stays or episode
            said = self._try_to(self.client.delete_episode, one.uuid) if one else said
            for fact in (*facts, *known):
                said = self._try_to(self.client.delete_edge, fact.uuid) or said
            try:
                stays, known = self._look_into(self.group_id), self.client.search([self.group_id], self.content)
            except GraphitiError as error:
                return (self._left(f"perhaps the episode {self.name}", f"it cannot be looked for: {error.message}"),)
        if not stays and not known:
            if episode:
                self._note("deleted", "it deleted the episode and what it made of it; both are gone")
            return ()
        what = " and ".join(
            filter(None, (f"the episode {stays.uuid}" if stays else "", f"{len(known)} facts" if known else ""))
        )
        self._note("deleted", f"it says that the group is deleted, and {what} can still be read", is_fine=False)
        return (self._left(what, said or "the server says that they are deleted"),)

    def _try_to(self, delete: Callable[[str], None], which: str) -> str:
        """Delete something; return why that does not work, or nothing."""
        try:
            delete(which)
        except GraphitiError as error:
            return error.message
        return ""

    def _left(self, what: str, why: str) -> str:
        return f"{what}, in the group {self.group_id}: {why}; with FalkorDB, `redis-cli GRAPH.DELETE {self.group_id}`"

    def _note(self, name: str, text: str, *, is_fine: bool = True) -> None:
        self.steps.append(Step(name=name, is_fine=is_fine, text=text))

    def _told(self, verdict: str, error: GraphitiError | None = None, *, left: tuple[str, ...] = ()) -> Tried:
        says, does = VERDICTS[verdict]
        has_written = bool(left) or any(step.name == "messages" and step.is_fine for step in self.steps)
        return Tried(
            verdict=verdict,
            steps=tuple(self.steps),
            why=error.message if error and verdict == UNREACHABLE else says,
            hint=does or (error.hint or "" if error else ""),
            left=left,
            group_id=self.group_id if has_written else "",
        )
