"""Trying a server: reading only, or with an episode of a throw-away group that is written, found and deleted again.

"Added to the queue" and "deleted" are only words, so both are looked for afterwards. What had to be left is named.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from memsuggest.graphiti.client import GraphitiClient, GraphitiError
from memsuggest.graphiti.graphiti_reports import GraphitiStep, GraphitiTried
from memsuggest.graphiti.outbox import Outgoing
from memsuggest.graphiti.profile_tables import trial_group
from memsuggest.graphiti.send_outbox import NOT_TAKEN as NOT_TAKEN_OUTCOMES
from memsuggest.graphiti.send_outbox import OF_CONTENT

FINE, UNREACHABLE, NO_SEARCH, NOT_TAKEN = "fine", "unreachable", "no-search", "not-taken"
NOT_STORED, LYING_DELETE, CUT_SHORT = "not-stored", "lying-delete", "cut-short"
VERDICTS = {
    FINE: ("the server works", ""),
    UNREACHABLE: ("the server does not respond like a Graphiti server", ""),
    NO_SEARCH: (
        "the server is up but cannot search, perhaps because it cannot reach its database or its model",
        "check the server's log, and the model's key and URL in the server's environment",
    ),
    NOT_TAKEN: ("the server does not accept messages", "check the server's log"),
    NOT_STORED: (
        "the server accepts messages but does not store them because its worker is dead, slow or misconfigured",
        (
            "check the log and restart the server; if the worker is slow, use `--wait 600`; update the server if "
            "it is older than 0.29 or its graphiti-core does not support FalkorDB databases"
        ),
    ),
    LYING_DELETE: (
        "the server stores and finds messages but does not delete them, although it reports success",
        (
            "with FalkorDB, deleting works only in a database named after the group; docs/graphiti.md explains how "
            "to purge data"
        ),
    ),
    CUT_SHORT: ("the test was interrupted", "run `memsuggest graphiti test --smoke` again"),
}
"""What a trial comes to: what it says, and what to do."""
_EXISTING = "default_db"  # the server's own group: of any other name FalkorDB makes a new graph, even for a search
_LOOKED_AT = 50
_DAY = 86_400_000
_SHORTEST, _LONGEST = 0.1, 2.0  # seconds between two looks


@dataclass(kw_only=True)
class Trial:
    """A server that is being tried."""

    client: GraphitiClient
    mark: str
    """Random, and short enough to be no secret: it names the group and the episode."""
    now: Callable[[], int]
    patience: float = 120.0
    """Seconds to wait until a message is stored."""
    is_smoke: bool = False
    say: Callable[[str], None] = lambda _text: None
    steps: list[GraphitiStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.group_id = trial_group(self.mark)
        self.name = f"memsuggest-smoke-test:{self.mark}"
        self.content = f"The smoke test {self.mark} of memsuggest ran on the build server Larkspur."

    def run(self) -> GraphitiTried:
        """Try whether it is up and can search; a smoke test then writes, waits, searches and deletes, too."""
        name = "healthcheck"
        try:
            self.client.healthcheck()
            self._note(name, "the server is up")
            name = "search"
            self.client.search([_EXISTING], "what was decided about the build?", max_facts=1)
            self._note(name, "search works")
        except GraphitiError as error:
            self._note(name, error.message, is_fine=False)
            is_up = name == "search" and error.outcome in ("unavailable", "timeout")
            return self._tried(NO_SEARCH if is_up else UNREACHABLE, error)
        return self._smoke() if self.is_smoke else self._tried(FINE)

    def _smoke(self) -> GraphitiTried:
        message = Outgoing(
            group_id=self.group_id,
            name=self.name,
            role_type="user",
            role="memsuggest",
            content=self.content,
            at=self.now() - _DAY,  # a server whose clock is behind shows nothing that is yet to come
            source="smoke test",
        )
        try:
            self.client.add_messages(self.group_id, [message])
        except GraphitiError as error:
            self._note("messages", error.message, is_fine=False)
            is_certain = error.outcome in NOT_TAKEN_OUTCOMES | OF_CONTENT
            return self._tried(NOT_TAKEN, error, left="" if is_certain else self._cleaned_up())
        self._note("messages", f"the server accepted an episode for the group {self.group_id}")
        try:
            self.say(f"waiting up to {self.patience:.0f} seconds for the episode to be stored")
            started, pause = time.monotonic(), _SHORTEST
            while not self._is_stored():
                waited = time.monotonic() - started
                if waited >= self.patience:
                    self._note("stored", f"not stored after {self.patience:.0f} seconds", is_fine=False)
                    return self._tried(NOT_STORED, left=self._cleaned_up())
                time.sleep(min(pause, self.patience - waited))
                pause = min(_LONGEST, pause * 1.5)
            self._note("stored", f"stored after {time.monotonic() - started:.1f} seconds")
            # Nothing is wrong where none is found: how many facts a model makes of a sentence is up to the model.
            found = self.client.search([self.group_id], self.content)
            self._note("search", f"{'found a fact' if found else 'no fact was'} derived from the episode")
            left = self._cleaned_up()
            return self._tried(LYING_DELETE if left else FINE, left=left)
        except (GraphitiError, KeyboardInterrupt) as error:
            self._note("interrupted", error.message if isinstance(error, GraphitiError) else "by you", is_fine=False)
            return self._tried(CUT_SHORT, left=self._cleaned_up())

    def _is_stored(self) -> bool:
        episodes = self.client.episodes(self.group_id, last=_LOOKED_AT)
        return any(episode.name == self.name or self.mark in episode.content for episode in episodes)

    def _cleaned_up(self) -> str:
        """Delete the group; return what can still be read then, or may come yet."""
        try:
            was_stored = self._is_stored()
            with suppress(GraphitiError):
                self.client.delete("group", self.group_id)
            is_left = self._is_stored() or self.client.search([self.group_id], self.content)
        except GraphitiError as error:
            why = f"cannot check for the episode: {error.message}"
        else:
            if is_left:
                text = "the server reported the group as deleted, but the episode is still readable"
                self._note("deleted", text, is_fine=False)
                why = "the server reported the group as deleted"
            elif was_stored:
                self._note("deleted", "the episode and the facts derived from it were deleted")
                return ""
            else:
                why = "the episode was sent and may be stored later"
        return (
            f"the episode {self.name} or facts derived from it, in the group {self.group_id}: {why}; with "
            f"FalkorDB, run `redis-cli GRAPH.DELETE {self.group_id}` to delete them"
        )

    def _note(self, name: str, text: str, *, is_fine: bool = True) -> None:
        self.steps.append(GraphitiStep(name=name, is_fine=is_fine, text=text))

    def _tried(self, verdict: str, error: GraphitiError | None = None, *, left: str = "") -> GraphitiTried:
        says, does = VERDICTS[verdict]
        has_written = bool(left) or any(step.name == "messages" and step.is_fine for step in self.steps)
        return GraphitiTried(
            endpoint=self.client.endpoint,
            is_smoke=self.is_smoke,
            verdict=verdict,
            steps=tuple(self.steps),
            why=error.message if error and verdict == UNREACHABLE else says,
            hint=does or (error.hint or "" if error else ""),
            left=(left,) if left else (),
            group_id=self.group_id if has_written else "",
        )
