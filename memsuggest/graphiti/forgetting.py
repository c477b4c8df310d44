"""Taking things back from a server: episodes by their names, and the facts that were made of them, with a look after.

What the API cannot do is said, never passed over: names of people and things that were met in an episode stay as nodes,
and a server may say "deleted", or that there is no such thing, and serve it all the same. Only a search tells.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.graphiti.server_errors import GraphitiError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.graphiti.client import GraphitiClient
    from memsuggest.graphiti.wire import Episode, Fact

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
        """Tell whether anything is still served that was to be deleted."""
        return bool(self.served_episodes or self.served_facts)


def take_back(client: GraphitiClient, group_id: str, name: str, *, seconds: float) -> TakenBack:
    """Delete the episodes of a name from a group, and the facts that only they say; raises GraphitiError.

    Facts are found by the words of the episode itself: here nobody may know them any more.
    """
    ends = time.monotonic() + seconds
    done = TakenBack()
    found = [one for one in client.episodes(group_id, last=_LOOKED_AT, within=seconds) if one.name == name]
    if not found:
        return done
    ours = frozenset(one.uuid for one in found)
    made: set[str] = set()
    for fact in _facts_of(client, group_id, found, ends):
        if set(fact.episodes) - ours:
            done.left.append("a fact that other episodes say, too")
        else:
            made.add(fact.uuid)
            _ask_to_delete(client.delete_edge, fact.uuid, ends)
    for one in found:
        _ask_to_delete(client.delete_episode, one.uuid, ends)
    listed = {one.uuid for one in client.episodes(group_id, last=_LOOKED_AT, within=ends - time.monotonic())}
    served = {fact.uuid for fact in _facts_of(client, group_id, found, ends)}
    done.served_episodes, done.served_facts = tuple(sorted(ours & listed)), tuple(sorted(made & served))
    done.episodes, done.facts = len(ours - listed), len(made - served)
    return done


def _facts_of(client: GraphitiClient, group_id: str, episodes: Sequence[Episode], ends: float) -> list[Fact]:
    """Return the facts that a search finds by the words of episodes, and that were made of one of them."""
    ours = {one.uuid for one in episodes}
    found: dict[str, Fact] = {}
    for one in episodes:
        query = _TAG.sub(" ", one.content)[:_QUERY]
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
        if (ids := [one for one in found if _UUID.match(one)])  # the server's own word: nothing else gets into a shell
    ]


def _ask_to_delete(delete: Callable[..., None], uuid: str, ends: float) -> None:
    """Delete something, whatever the server says to it: a look afterwards tells what became of it."""
    try:
        delete(uuid, within=ends - time.monotonic())
    except GraphitiError as error:
        if error.outcome != _ABSENT:
            raise
