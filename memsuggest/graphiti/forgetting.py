"""Taking things back from a server: episodes by their names, and the facts that were made of them, with a look after.

What the API cannot do is told, never passed over: names of people and things that were met in an episode stay as nodes,
and a server may say "deleted" and have it all the same.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.graphiti.server_errors import GraphitiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.graphiti.client import GraphitiClient
    from memsuggest.graphiti.wire import Fact

_LOOKED_AT = 3_200
"""Episodes of a group among which one is looked for."""
_FACTS = 50
"""Facts that are looked through for those that were made of an episode."""
_QUERY = 300
"""Characters of an episode by which they are searched."""
_ABSENT = "not-found"
_TAG = re.compile(r"</?graphiti_episode[^>]{0,80}>")


@dataclass(slots=True, kw_only=True)
class TakenBack:
    """The parts of an episode that were taken back, and what remains."""

    episodes: int = 0
    """Episodes that are gone; none, and nothing left, where there was none."""
    facts: int = 0
    """Facts made of them that are gone."""
    left: list[str] = field(default_factory=list)
    """What is still there, and why, a line each."""


def take_back(client: GraphitiClient, group_id: str, name: str, *, seconds: float) -> TakenBack:
    """Delete the episodes of a name from a group, and the facts that only they say; raises GraphitiError.

    Facts are found by the words of the episode itself: here nobody may know them any more.
    """
    ends = time.monotonic() + seconds
    done = TakenBack()
    found = [one for one in client.episodes(group_id, last=_LOOKED_AT, within=seconds) if one.name == name]
    ours = frozenset(one.uuid for one in found)
    for one in found:
        query = _TAG.sub(" ", one.content)[:_QUERY]
        for fact in client.search([group_id], query, max_facts=_FACTS, within=ends - time.monotonic()):
            if ours.intersection(fact.episodes):
                _take_fact_back(client, fact, ours, done, ends)
        _ask_to_delete(client.delete_episode, one.uuid, ends)
    if found:
        still = {one.uuid for one in client.episodes(group_id, last=_LOOKED_AT, within=ends - time.monotonic())}
        done.episodes = len(ours - still)
        if ours & still:
            done.left.append("its episode: the server says that it deletes, and does not")
    return done


def _take_fact_back(client: GraphitiClient, fact: Fact, ours: frozenset[str], done: TakenBack, ends: float) -> None:
    if set(fact.episodes) - ours:
        done.left.append("a fact that other episodes say, too")
        return
    _ask_to_delete(client.delete_edge, fact.uuid, ends)
    try:
        client.edge(fact.uuid, within=ends - time.monotonic())
    except GraphitiError as error:
        if error.outcome != _ABSENT:
            raise
        done.facts += 1
    else:
        done.left.append("a fact that was made of it: the server does not delete it")


def _ask_to_delete(delete: Callable[..., None], uuid: str, ends: float) -> None:
    """Delete something, whatever the server says to it: a look afterwards tells what became of it."""
    try:
        delete(uuid, within=ends - time.monotonic())
    except GraphitiError as error:
        if error.outcome != _ABSENT:
            raise
